import { Agent, type IncomingHttpHeaders, type RequestOptions, request } from "node:http"
import { connect, type Socket } from "node:net"
import { afterEach } from "vitest"
import { CONDITION_MS } from "../../Limits.ts"

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON; undefined when it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access its members
  readonly json: any
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const sockets = new Set<Socket>()

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
})

/** Sends one request. Fails when the connection is closed before the end of the answer. */
export const http = (authority: string, options: RequestOptions = {}, body?: string | Buffer): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    const [host, port] = authority.split(":") as [string, string]
    const sent = request({ host, port, agent, method: body === undefined ? "GET" : "POST", ...options }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        let json: unknown
        try {
          json = JSON.parse(text)
        } catch {
          json = undefined
        }
        if (response.complete) resolve({ status: response.statusCode!, headers: response.headers, bytes, text, json })
        else reject(new Error("the answer was cut"))
      })
    })
    sent.on("error", reject)
    sent.end(body)
  })

/** Evaluates a script by POST, in untyped JSON. */
export const post = (authority: string, gremlin: string, more: Record<string, unknown> = {}): Promise<HttpAnswer> =>
  http(authority, { headers: { accept: UNTYPED } }, JSON.stringify({ gremlin, ...more }))

export const UNTYPED = "application/vnd.gremlin-v3.0+json;types=false"

/** Sends raw bytes, and returns the answer until the server closes or the predicate is true. */
export const raw = (
  authority: string,
  bytes: string | Buffer | ReadonlyArray<string>,
  until: (received: string) => boolean = () => false
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = openSocket(authority)
    let received = ""
    const done = (): void => {
      clearTimeout(timer)
      resolve(received)
      socket.destroy()
    }
    const timer = setTimeout(
      () => reject(new Error(`no end within ${CONDITION_MS} ms; received: ${received}`)),
      CONDITION_MS
    )
    socket.on("data", (data) => {
      received += data.toString("latin1")
      if (until(received)) done()
    })
    socket.on("error", () => {})
    socket.on("close", done)
    if (typeof bytes === "string" || Buffer.isBuffer(bytes)) socket.write(bytes)
    else for (const part of bytes) socket.write(part)
  })

/** A TCP connection, which is closed at the end of the test. */
export const openSocket = (authority: string): Socket => {
  const [host, port] = authority.split(":") as [string, string]
  const socket = connect(Number(port), host)
  sockets.add(socket)
  return socket
}
