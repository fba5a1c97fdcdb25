import type { PoolTask } from "../../services/RequestPool.ts"
import { Ring } from "../../structure/Ring.ts"

/** Tasks that were abandoned are swept out when they are so many, and more than half. */
const ABANDONED = 512

/** setTimeout takes 32 bits, ms. */
const LONGEST = 2 ** 31 - 1

/**
 * Tasks that wait for their turn, in order. One that is abandoned gives its place back at once, and one whose time is over
 * is answered at that moment, not only at its turn.
 */
export class WaitingTasks {
  readonly #ring = new Ring<PoolTask>()
  /** Tasks in the ring that will not be run. */
  #abandoned = 0
  #expireAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  get length(): number {
    return this.#ring.length - this.#abandoned
  }

  push(task: PoolTask): void {
    this.#ring.push(task)
    task.waitsIn = this
    if (task.deadline < this.#expireAt) this.#expireNotLater(task.deadline)
  }

  /** The next that is to run; those before it whose time is over are answered on the way. */
  shift(): PoolTask | undefined {
    for (;;) {
      const task = this.#ring.shift()
      if (task === undefined) return undefined
      task.waitsIn = null
      if (task.abandoned) this.#abandoned--
      else if (task.deadline <= performance.now()) task.expire()
      else return task
    }
  }

  /** Ends everything that waits with this answer. */
  cancel(error: Error): void {
    for (let task = this.#ring.shift(); task !== undefined; task = this.#ring.shift()) {
      task.waitsIn = null
      if (task.abandoned) this.#abandoned--
      else task.cancel(error)
    }
    this.#stopTimer()
  }

  /** A waiting task was abandoned: its place is free. */
  forget(): void {
    this.#abandoned++
    if (this.#abandoned > ABANDONED && this.#abandoned * 2 > this.#ring.length) {
      this.#ring.keep((task) => !task.abandoned)
      this.#abandoned = 0
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#expireAt = Number.POSITIVE_INFINITY
  }

  #expireNotLater(deadline: number): void {
    clearTimeout(this.#timer)
    this.#expireAt = deadline
    const delay = Math.ceil(deadline - performance.now())
    this.#timer = setTimeout(() => this.#expire(), Math.max(1, Math.min(delay, LONGEST)))
  }

  #expire(): void {
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    const expired: Array<PoolTask> = []
    this.#ring.keep((task) => {
      if (task.abandoned) return false
      if (task.deadline <= now) {
        task.waitsIn = null
        expired.push(task)
        return false
      }
      if (task.deadline < next) next = task.deadline
      return true
    })
    this.#abandoned = 0
    this.#expireAt = Number.POSITIVE_INFINITY
    if (next < Number.POSITIVE_INFINITY) this.#expireNotLater(next)
    for (const task of expired) task.expire()
  }
}
