import { createServer, type Server, type Socket } from "node:net"
import { type Answer, Cluster, errorAnswer } from "./Cluster.ts"
import { errorCodes, frameOf, HEADER_BYTES, REQUEST_V4 } from "./Frames.ts"

/** A cluster that listens on the loopback address. */
export interface RunningCluster {
  readonly port: number
  readonly cluster: Cluster
  /** Connections of clients that are open. */
  readonly connections: () => number
  readonly close: () => Promise<void>
}

/** Frames that wait until their time has come, in the order of their times. */
class Waiting {
  readonly #delay: number
  readonly #frames: Array<{ readonly due: number; readonly socket: Socket; readonly frame: Buffer }> = []
  #timer: NodeJS.Timeout | undefined

  /** `delay`: milliseconds from a request to its answer at least; a timer adds up to one. */
  constructor(delay: number) {
    this.#delay = delay
  }

  add(socket: Socket, frame: Buffer): void {
    this.#frames.push({ due: performance.now() + this.#delay, socket, frame })
    this.#timer ??= setTimeout(() => this.#send(), this.#delay)
  }

  #send(): void {
    this.#timer = undefined
    const now = performance.now()
    // The frames of a socket leave together.
    const corked = new Set<Socket>()
    let sent = 0
    for (const { due, frame, socket } of this.#frames) {
      if (due > now) break
      sent++
      if (socket.destroyed) continue
      if (!corked.has(socket)) {
        corked.add(socket)
        socket.cork()
      }
      socket.write(frame)
    }
    this.#frames.splice(0, sent)
    for (const socket of corked) socket.uncork()
    const [next] = this.#frames
    if (next !== undefined) this.#timer = setTimeout(() => this.#send(), Math.max(0, next.due - now))
  }
}

const UNSUPPORTED: Answer = errorAnswer(
  errorCodes.protocol,
  "Invalid or unsupported protocol version; supported versions are (4/v4)"
)

/** Reads the frames of a connection and hands on their answers. */
const serve = (cluster: Cluster, waiting: Waiting, socket: Socket): void => {
  let held: Buffer = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on("error", () => socket.destroy())
  socket.on("data", (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    let at = 0
    while (held.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + held.readInt32BE(at + 5)
      if (held.length < end) break
      const { body, opcode } =
        held[at] === REQUEST_V4 ? cluster.answer(held[at + 4]!, held.subarray(at + HEADER_BYTES, end)) : UNSUPPORTED
      waiting.add(socket, frameOf(held.readInt16BE(at + 2), opcode, body))
      at = end
    }
    held = held.subarray(at)
  })
}

/** Starts a cluster of one node on a port of the loopback address. It answers each request after `delay` milliseconds. */
export const startCluster = async (port: number, delay: number): Promise<RunningCluster> => {
  const cluster = new Cluster()
  const waiting = new Waiting(delay)
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    serve(cluster, waiting, socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the cluster has no port")
  return {
    port: address.port,
    cluster,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
