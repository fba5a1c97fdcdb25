import * as Effect from "effect/Effect"
import type { PoolTask, TaskDescription } from "../../services/RequestPool.ts"

/**
 * A request of a session while it is in the request pool. A session has at most one request in the pool, so its requests run in
 * order.
 */
export class SessionRequest implements PoolTask {
  readonly #task: PoolTask
  readonly #ended: (isRefused: boolean) => void
  #hasBegun = false

  /** `ended` is called when the request has ended. `isRefused`: the pool ended it before it began. */
  constructor(task: PoolTask, ended: (isRefused: boolean) => void) {
    this.#task = task
    this.#ended = ended
  }

  get requestId(): string {
    return this.#task.requestId
  }

  get deadline(): number {
    return this.#task.deadline
  }

  get settles(): boolean {
    return this.#task.settles
  }

  goOn(ended: () => void): void {
    this.#task.goOn(() => {
      this.#ended(false)
      ended()
    })
  }

  get rest(): Effect.Effect<void> {
    return Effect.ensuring(
      this.#task.rest,
      Effect.sync(() => this.#ended(false))
    )
  }

  begin(): boolean {
    this.#hasBegun = true
    if (!this.#task.begin()) return false
    this.#ended(false)
    return true
  }

  expire(): void {
    this.#task.expire()
    this.#ended(true)
  }

  cancel(error: Error): void {
    this.#task.cancel(error)
    // A request that has begun may still commit. It ends by itself.
    if (!this.#hasBegun) this.#ended(true)
  }

  get waitsIn(): { forget(): void } | null {
    return this.#task.waitsIn
  }

  /** A request that is abandoned while it waits for a lane never begins: the session continues with its next request. */
  set waitsIn(place: { forget(): void } | null) {
    this.#task.waitsIn = place === null ? null : this.#leaving(place)
  }

  #leaving(place: { forget(): void }): { forget(): void } {
    return {
      forget: () => {
        place.forget()
        this.#ended(false)
      }
    }
  }

  describe(): TaskDescription {
    return this.#task.describe()
  }
}
