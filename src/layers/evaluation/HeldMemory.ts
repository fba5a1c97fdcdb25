import { LimitExceeded } from "../../process/language/Errors.ts"
import type { MemoryAccount, MemoryBudget, MemoryHolder } from "../../services/MemoryBudget.ts"

/** A request that holds less than this is no matter for the budget, bytes. */
const NOTEWORTHY = 65_536
/** While it waits it is less that is no matter: thousands may. */
const NOTEWORTHY_WAITING = 4096

/** What one request holds, against its own limit and the budget of the process. */
export class HeldMemory {
  readonly #budget: typeof MemoryBudget.Service
  readonly #limit: number
  readonly #holder: MemoryHolder
  /** Null while it holds little. */
  #account: MemoryAccount | null = null

  /** `limit`: bytes of the request, 0 = none. `holder`: what is ended when the budget is spent and it has the most. */
  constructor(budget: typeof MemoryBudget.Service, limit: number, holder: MemoryHolder) {
    this.#budget = budget
    this.#limit = limit
    this.#holder = holder
  }

  /** The request has outlived a slice and holds so many bytes. Throws LimitExceeded. */
  weigh(bytes: number): void {
    if (this.#limit > 0 && bytes > this.#limit) {
      throw new LimitExceeded(
        `The request holds more than ${this.#limit} bytes in bindings, traversers, paths, barriers, side effects, changes and ` +
          "unsent results, which is the server's requestMemoryLimit; narrow it with has() or limit(), or raise the setting."
      )
    }
    if (this.#account !== null || bytes >= NOTEWORTHY) this.#set(bytes)
  }

  /** The request waits for its first slice with so many bytes. Throws LimitExceeded. */
  weighWaiting(bytes: number): void {
    if (bytes >= NOTEWORTHY_WAITING) this.#set(bytes)
  }

  #set(bytes: number): void {
    this.#account ??= this.#budget.open(this.#holder)
    this.#account.set(bytes)
  }

  close(): void {
    this.#account?.close()
  }
}
