import { Agent, request } from "node:http"
import { WebSocket } from "ws"

/** One client connection that has one request in flight at a time. */
export interface Connection {
  /** Sends a message and resolves with the last frame of its answer. Rejects when the answer is an error. */
  readonly call: (message: Buffer | string) => Promise<void>
  readonly close: () => void
}

/** A WebSocket client that reads only the status of each frame. `final` is true for the last frame of an answer. */
export const connectWebSocket = (port: number, final: (frame: Buffer) => boolean): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/gremlin`, { perMessageDeflate: false })
    let done: (() => void) | undefined
    let failed: ((error: Error) => void) | undefined
    socket.on("message", (data: Buffer) => {
      try {
        if (final(data)) done?.()
      } catch (error) {
        failed?.(error as Error)
      }
    })
    // After the opening, a lost connection fails the request in flight, and later ones.
    const lost = (error: Error): void => {
      reject(error)
      failed?.(error)
    }
    socket.on("error", lost)
    socket.on("close", (code, reason) => lost(new Error(`the connection was closed: ${code} ${reason}`)))
    socket.on("open", () =>
      resolve({
        call: (message) =>
          new Promise<void>((ok, bad) => {
            done = ok
            failed = bad
            socket.send(message, (error) => error && bad(error))
          }),
        close: () => socket.close()
      })
    )
  })

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
