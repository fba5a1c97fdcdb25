import type { Pending } from "../../scheduling/Pending.ts"
import { runInSlices, runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Answer } from "./Answer.ts"

/** Changes that are undone at once; more of them in slices. */
const SHORT_CHANGES = 4096

/**
 * How the changes that a transaction made since its savepoint are undone. Nothing is recorded without a savepoint: then a
 * change costs one compare.
 */
export class Journal {
  #undo: Array<() => void> | null = null

  /** True when changes are to be recorded. */
  get isOpen(): boolean {
    return this.#undo !== null
  }

  /** Records what undoes a change. Changes are undone in the opposite order, so each finds the state that it left. */
  add(undo: () => void): void {
    this.#undo?.push(undo)
  }

  /** Sets a new savepoint in place of the one before. */
  setSavepoint(): void {
    this.#undo = []
  }

  /** Undoes everything since the savepoint, which stays. Undefined when it is done. */
  takeBack(): Pending | undefined {
    const undo = this.#undo
    if (undo === null) return undefined
    this.#undo = null
    if (undo.length <= SHORT_CHANGES) {
      runWhole(undoTask(undo, new TimeSlice()))
      this.#undo = []
      return undefined
    }
    const answer = new Answer()
    runInSlices(
      (slice) => undoTask(undo, slice),
      (error) => {
        this.#undo = []
        answer.give(error)
      }
    )
    return answer
  }
}

function* undoTask(undo: ReadonlyArray<() => void>, slice: TimeSlice): Task {
  for (let at = undo.length - 1; at >= 0; at--) {
    undo[at]!()
    if (slice.isOver()) yield
  }
}
