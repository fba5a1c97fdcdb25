import * as Context from "effect/Context"

/** A request or a session that holds memory. It is cancelled when the budget is exceeded and it holds the most. */
export interface MemoryHolder {
  cancel(error: Error): void
}

/** The memory of one holder. */
export interface MemoryAccount {
  /**
   * Sets the bytes that the holder has now, about. When all holders exceed the budget together, the one with the most is
   * cancelled. When that is this one, throws LimitExceeded instead.
   */
  set(bytes: number): void
  /**
   * Bytes that the holder may have at most, if it cannot tell what it has. When the heap is nearly full and the bytes of all
   * holders do not explain it, the holder that may have the most is cancelled.
   */
  mayHold(bytes: number): void
  /** The holder has freed its memory. */
  close(): void
}

/** The memory budget of all requests and sessions of the process. */
export class MemoryBudget extends Context.Tag("engine-server/MemoryBudget")<
  MemoryBudget,
  {
    /** Begins to count a holder. */
    readonly open: (holder: MemoryHolder) => MemoryAccount
    /** Bytes of all holders, about. */
    readonly used: () => number
    /** Cancels the holder with the most memory. False when there is none. `reason`: a sentence for its error. */
    readonly relieve: (reason: string) => boolean
  }
>() {}
