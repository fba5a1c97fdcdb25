import * as Context from "effect/Context"

/** A request or a session that holds memory. Ended with the error when it is the largest of too many. */
export interface MemoryHolder {
  cancel(error: Error): void
}

/** What one holder has. */
export interface MemoryAccount {
  /**
   * Says how many bytes the holder has now, about. When all together have more than the budget, the one that has the most
   * is ended; when that is this one, throws LimitExceeded.
   */
  set(bytes: number): void
  /** The holder has nothing any more. */
  close(): void
}

/** Memory of the process for everything that requests and sessions hold. */
export class MemoryBudget extends Context.Tag("engine-server/MemoryBudget")<
  MemoryBudget,
  {
    readonly open: (holder: MemoryHolder) => MemoryAccount
    /** Bytes that all holders have, about. */
    readonly used: () => number
    /** Ends the holder that has the most; false when there is none. */
    readonly relieve: (reason: string) => boolean
  }
>() {}
