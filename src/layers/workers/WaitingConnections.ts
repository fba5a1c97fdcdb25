import type { Socket } from "node:net"

/** Connections that wait at a time. The oldest makes room for a further one: its client is the first to have given up. */
const MAX_WAITING_CONNECTIONS = 1_024

/** Time that a connection waits, ms. Nothing is read from it meanwhile, so the end of its client is not seen. */
const MAX_WAIT_MS = 10_000

/** Connections that wait until a worker serves. They are closed after a while, because nobody may be at their other end. */
export class WaitingConnections {
  /** With functions that end the wait. */
  readonly #waiting = new Map<Socket, () => void>()

  /** Keeps a connection. */
  add(socket: Socket): void {
    const [oldest] = this.#waiting.keys()
    if (oldest !== undefined && this.#waiting.size >= MAX_WAITING_CONNECTIONS) {
      this.#waiting.get(oldest)?.()
      oldest.destroy()
    }
    const timer = setTimeout(() => socket.destroy(), MAX_WAIT_MS)
    const forget = (): void => {
      clearTimeout(timer)
      this.#waiting.delete(socket)
      socket.off("close", forget)
    }
    this.#waiting.set(socket, forget)
    socket.once("close", forget)
  }

  /** Takes all connections that are open, in their order. */
  take(): Array<Socket> {
    const all = [...this.#waiting]
    for (const [, forget] of all) forget()
    return all.flatMap(([socket]) => (socket.destroyed ? [] : [socket]))
  }
}
