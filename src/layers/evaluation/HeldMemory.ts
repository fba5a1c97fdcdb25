import { LimitExceeded } from "../../process/language/Errors.ts"
import type { MemoryAccount, MemoryBudget, MemoryHolder } from "../../services/MemoryBudget.ts"

/** A running request that holds less is not counted against the memory budget. */
const MIN_COUNTED_BYTES = 65_536
/** A waiting request that holds less is not counted. The limit is lower, because thousands of requests may wait. */
const MIN_COUNTED_WAITING_BYTES = 4_096

/** Counts the memory of one request against its own limit and the budget of the process. */
export class HeldMemory {
  readonly #budget: typeof MemoryBudget.Service
  readonly #limit: number
  readonly #holder: MemoryHolder
  /** Null while the request holds little. */
  #account: MemoryAccount | null = null

  /** `limit`: bytes, 0 = no limit. `holder` is cancelled if the budget is exceeded and no other holder holds more. */
  constructor(budget: typeof MemoryBudget.Service, limit: number, holder: MemoryHolder) {
    this.#budget = budget
    this.#limit = limit
    this.#holder = holder
  }

  /**
   * Counts the bytes that the request holds after a slice. Throws LimitExceeded.
   *
   * @param most the bytes that its scripts may hold at most
   */
  weigh(bytes: number, most: number): void {
    if (this.#limit > 0 && bytes > this.#limit) {
      throw new LimitExceeded(
        `The request holds more than ${this.#limit} bytes in bindings, variables, traversers, paths, barriers, side effects, changes, ` +
          "edges that it has read, and unsent results, which is the server's requestMemoryLimit; narrow it with has() or limit(), or raise the setting."
      )
    }
    if (this.#account !== null || Math.max(bytes, most) >= MIN_COUNTED_BYTES) {
      this.#set(bytes)
      this.#account?.mayHold(most)
    }
  }

  /** Counts the bytes that the request holds while it waits for its first slice. Throws LimitExceeded. */
  weighWaiting(bytes: number): void {
    if (bytes >= MIN_COUNTED_WAITING_BYTES) this.#set(bytes)
  }

  #set(bytes: number): void {
    this.#account ??= this.#budget.open(this.#holder)
    this.#account.set(bytes)
  }

  close(): void {
    this.#account?.close()
  }
}
