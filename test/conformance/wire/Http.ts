import { Agent, request } from "node:http"
import type { Value } from "../Value.ts"
import { GremlinError } from "./Answer.ts"
import { decodeAnswer } from "./GraphSON.ts"
import { JsonNumber, parseJson } from "./Json.ts"

const patience = 60_000

/** Sends scripts by HTTP POST, as web clients do: with a plain JSON body, and `Accept` with GraphSON 3. */
export class Http {
  readonly url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(url: string) {
    this.url = url
  }

  async evaluate(script: string, source: string): Promise<Value> {
    const { status, body } = await this.#post(
      JSON.stringify({ gremlin: script, language: "gremlin-lang", aliases: { g: source } })
    )
    if (status === 200) return decodeAnswer(body).data
    const error = parseJson(body)
    const message = error instanceof Map ? error.get("message") : undefined
    const code = error instanceof Map ? error.get("code") : undefined
    throw new GremlinError(
      code instanceof JsonNumber ? Number(code.text) : status,
      typeof message === "string" ? message : `HTTP ${status} without a message: ${body.slice(0, 200)}`
    )
  }

  close(): void {
    this.#agent.destroy()
  }

  #post(body: string): Promise<{ readonly status: number; readonly body: string }> {
    return new Promise((resolve, reject) => {
      const headers = {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        accept: "application/vnd.gremlin-v3.0+json"
      }
      const call = request(this.url, { method: "POST", headers, agent: this.#agent, timeout: patience }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", reject)
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") })
        )
      })
      call.on("timeout", () => call.destroy(new Error(`no answer in ${patience / 1000} s`)))
      call.on("error", reject)
      call.end(body)
    })
  }
}
