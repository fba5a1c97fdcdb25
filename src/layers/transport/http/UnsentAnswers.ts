import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { MemoryAccount, MemoryBudget, MemoryHolder } from "../../../services/MemoryBudget.ts"

/** A shorter answer is not counted. */
const MIN_ANSWER_BYTES = 8_192
/** A connection whose answers hold less is not counted. */
const MIN_COUNTED_BYTES = 65_536

/**
 * Counts the complete answers of one HTTP connection that the client has not read yet against the memory budget. A pipelined answer is
 * complete long before it is sent if the client reads those before it slowly. The connection is cut when its answers hold too much.
 */
export class UnsentAnswers implements MemoryHolder {
  readonly #socket: Socket
  readonly #memory: typeof MemoryBudget.Service
  #bytes = 0
  /** Null while the answers hold little. */
  #account: MemoryAccount | null = null

  constructor(socket: Socket, memory: typeof MemoryBudget.Service) {
    this.#socket = socket
    this.#memory = memory
  }

  /** Counts so many bytes of an answer until it has left the process, or its connection is closed. */
  add(response: ServerResponse, bytes: number): void {
    if (bytes < MIN_ANSWER_BYTES || response.destroyed) return
    this.#bytes += bytes
    response.once("close", () => {
      this.#bytes -= bytes
      this.#weigh()
    })
    this.#weigh()
  }

  #weigh(): void {
    if (this.#bytes < MIN_COUNTED_BYTES) {
      this.#account?.close()
      this.#account = null
      return
    }
    this.#account ??= this.#memory.open(this)
    try {
      this.#account.set(this.#bytes)
    } catch {
      this.cancel()
    }
  }

  cancel(): void {
    this.#socket.destroy()
  }
}
