import type { PoolTask } from "../../services/RequestPool.ts"

/** A lane evaluates one request at a time. It corresponds to a thread of a pool. */
export class Lane {
  readonly index: number
  readonly name: string
  task: PoolTask | null = null
  /** When the task began, or when the lane was first seen idle, `performance.now()` ms. */
  since = performance.now()
  /** A task has ended since the lane was last seen idle. */
  used = false
  /** Called by listings: the clock is not read at the end of each request. */
  seenIdle(now: number): void {
    if (this.used) this.since = now
    this.used = false
  }

  constructor(index: number) {
    this.index = index
    this.name = `engine-server-exec-${index + 1}`
  }
}
