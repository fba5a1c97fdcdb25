import type { PoolTask } from "../../services/RequestPool.ts"
import { Ring } from "../../structure/containers/Ring.ts"
import { startTimer } from "../evaluation/Timers.ts"

/** Abandoned tasks are removed when there are more of them, and when they are more than half. */
const MAX_ABANDONED_TASKS = 512

/**
 * A queue of waiting tasks. An abandoned task frees its place at once. A task whose deadline passes is answered at that
 * moment, and not only when it is the first.
 */
export class WaitingTasks {
  readonly #ring = new Ring<PoolTask>()
  /** Abandoned tasks that are still in the ring. */
  #abandoned = 0
  /** The earliest deadline, `performance.now()` ms. */
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

  /** The next task to run. Tasks before it whose deadline has passed are answered. */
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

  /** Ends all waiting tasks with this error. */
  cancel(error: Error): void {
    for (let task = this.#ring.shift(); task !== undefined; task = this.#ring.shift()) {
      task.waitsIn = null
      if (task.abandoned) this.#abandoned--
      else task.cancel(error)
    }
    this.#stopTimer()
  }

  /** A waiting task was abandoned: its place becomes free. */
  forget(): void {
    this.#abandoned++
    if (this.#abandoned > MAX_ABANDONED_TASKS && this.#abandoned * 2 > this.#ring.length) {
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
    this.#timer = startTimer(deadline - performance.now(), () => this.#expire())
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
