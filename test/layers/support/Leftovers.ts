import { request as requestHttp } from "node:http"
import { request as requestTls } from "node:https"
import { readMetrics, total } from "../../../console/live/Metrics.ts"

/** The text of `/metrics` over a connection of its own. */
const scraped = (port: number, secure: boolean): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = secure ? requestTls : requestHttp
    const options = { host: "127.0.0.1", port, path: "/metrics", agent: false, rejectUnauthorized: false } as const
    const sent = request(options, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part
      })
      response.on("error", reject).on("end", () => resolve(text))
    })
    sent.on("error", reject).end()
  })

/** What requests have left in a server in another process, as its metrics show it. The connection of this request is not counted. */
export const leftovers = async (port: number, secure = false): Promise<Readonly<Record<string, number>>> => {
  const samples = readMetrics(await scraped(port, secure))
  const of = (name: string): number => total(samples, `engine_server_${name}`)
  return {
    pool: of("pool_running") + of("pool_queued"),
    sessions: of("sessions"),
    memory: of("memory_held_bytes"),
    connections: of("connections") - 1
  }
}
