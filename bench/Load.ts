import { Agent, request } from "node:http"
import type { Connection } from "./WebSocketClient.ts"

/** An HTTP client with one persistent connection. */
export const connectHttp = (port: number): Connection => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    call: (message) =>
      new Promise<void>((resolve, reject) => {
        const call = request(
          { port, host: "127.0.0.1", method: "POST", agent, headers: { "content-length": Buffer.byteLength(message) } },
          (answer) => {
            answer.resume()
            answer.on("end", () =>
              answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`))
            )
          }
        )
        call.on("error", reject)
        call.end(message)
      }),
    close: () => agent.destroy()
  }
}

/** The result of a load: throughput in requests per second, latencies in ms. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly p50: number
  readonly p99: number
}

/** Sends requests on every connection, one at a time, for about `seconds`. */
export const load = async (
  connections: ReadonlyArray<Connection>,
  seconds: number,
  message: () => Buffer | string
): Promise<LoadResult> => {
  const begin = performance.now()
  const until = begin + seconds * 1000
  const latencies: Array<number> = []
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = performance.now(); now < until; ) {
        await connection.call(message())
        const end = performance.now()
        latencies.push(end - now)
        now = end
      }
    })
  )
  const elapsed = (performance.now() - begin) / 1000
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))]!
  return { requests: latencies.length, seconds: elapsed, p50: at(0.5), p99: at(0.99) }
}
