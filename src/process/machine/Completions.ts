import type { Task } from "../../scheduling/Task.ts"
import type { Activation, Completion } from "../plan/Activation.ts"

/** The side effects of a run that are not complete, with the tasks that complete them. */
export class Completions {
  readonly #open = new Map<string, Completion>()
  /** The task that {@link advance} has begun. */
  #current: Task | null = null

  /** Keeps the task of a side effect. It replaces an earlier one. */
  add(key: string, complete: Completion): void {
    this.#open.set(key, complete)
  }

  /** Completes a side effect. */
  *complete(key: string, activation: Activation): Task {
    const complete = this.#open.get(key)
    if (complete === undefined) return
    yield* complete(activation)
    // A reader may leave the task before its end. Meanwhile a step may have added another one.
    if (this.#open.get(key) === complete) this.#open.delete(key)
  }

  /** Continues to complete the side effects, one after the other. False if all are complete. */
  advance(activation: Activation): boolean {
    if (this.#current === null) {
      const next = this.#open.keys().next()
      if (next.done === true) return false
      this.#current = this.complete(next.value, activation)
    }
    if (this.#current.next().done === true) this.#current = null
    return true
  }
}
