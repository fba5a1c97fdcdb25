import type { PoolTask } from "../../services/RequestPool.ts"
import { Ring } from "../../structure/containers/Ring.ts"
import { startTimer } from "../evaluation/Timers.ts"

/** Empty places are removed when there are more of them, and when they are more than half. */
const MAX_EMPTY_PLACES = 512

/** A place in the queue. It outlives an abandoned task, which may hold megabytes. */
class Place {
  /** Null when the task was abandoned. */
  task: PoolTask | null
  readonly #left: () => void

  constructor(task: PoolTask, left: () => void) {
    this.task = task
    this.#left = left
  }

  forget(): void {
    this.task = null
    this.#left()
  }
}

/**
 * A queue of waiting tasks. A task that is abandoned frees its place at once. A task whose deadline passes is answered at that
 * moment, and not only when it is the first.
 */
export class WaitingTasks {
  readonly #ring = new Ring<Place>()
  /** Empty places in the ring. */
  #empty = 0
  /** The earliest deadline, `performance.now()` ms. */
  #expireAt = Number.POSITIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  get length(): number {
    return this.#ring.length - this.#empty
  }

  push(task: PoolTask): void {
    const place = new Place(task, this.#left)
    this.#ring.push(place)
    task.waitsIn = place
    if (task.deadline < this.#expireAt) this.#expireNotLater(task.deadline)
  }

  /** The next task to run. Tasks before it whose deadline has passed are answered. */
  shift(): PoolTask | undefined {
    for (;;) {
      const task = this.#take()
      if (task === undefined) return undefined
      if (task.deadline > performance.now()) return task
      task.expire()
    }
  }

  #take(): PoolTask | undefined {
    for (let place = this.#ring.shift(); place !== undefined; place = this.#ring.shift()) {
      const { task } = place
      if (task !== null) {
        task.waitsIn = null
        return task
      }
      this.#empty--
    }
    return undefined
  }

  /** Ends all waiting tasks with this error. */
  cancel(error: Error): void {
    for (let task = this.#take(); task !== undefined; task = this.#take()) task.cancel(error)
    this.#stopTimer()
  }

  readonly #left = (): void => {
    this.#empty++
    if (this.#empty <= MAX_EMPTY_PLACES || this.#empty * 2 <= this.#ring.length) return
    this.#ring.keep(({ task }) => task !== null)
    this.#empty = 0
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
    this.#ring.keep(({ task }) => {
      if (task === null) return false
      if (task.deadline <= now) {
        task.waitsIn = null
        expired.push(task)
        return false
      }
      if (task.deadline < next) next = task.deadline
      return true
    })
    this.#empty = 0
    this.#expireAt = Number.POSITIVE_INFINITY
    if (next < Number.POSITIVE_INFINITY) this.#expireNotLater(next)
    for (const task of expired) task.expire()
  }
}
