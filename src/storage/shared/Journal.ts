import type { Pending } from "../../scheduling/Pending.ts"
import { runInSlices, runWhole, type Task } from "../../scheduling/Task.ts"
import { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Answer } from "./Answer.ts"

/** Changes that are undone at once; more of them in slices. */
const SHORT_CHANGES = 4096
/** Estimated bytes of a record of how a change is undone. */
const UNDO_BYTES = 120

/**
 * How the changes that a transaction made since its savepoint are undone, and the estimated bytes of all its changes. Nothing is
 * recorded without a savepoint: then a change costs one compare.
 */
export class Journal {
  #undo: Array<() => void> | null = null
  /** Bytes of changes that the transaction has even when it undoes them. */
  #lasting = 0
  /** Bytes of other changes, now and at the savepoint. */
  #undoable = 0
  #undoableBefore = 0
  /** Bytes of values that changes replaced since the savepoint, and that come back when they are undone. */
  #replaced = 0

  /** Estimated bytes of the changes of the transaction. */
  get changeBytes(): number {
    return this.#lasting + this.#undoable
  }

  /** Estimated bytes of the changes, and of the records of how they are undone. */
  get bytes(): number {
    return this.changeBytes + (this.#undo === null ? 0 : this.#undo.length * UNDO_BYTES + this.#replaced)
  }

  /** Counts a change that leaves the memory when it is undone, such as the value of a property. */
  count(bytes: number): void {
    this.#undoable += bytes
  }

  /** Takes back bytes that were counted, of a value that another one replaces. A savepoint keeps the value in memory. */
  uncount(bytes: number): void {
    this.#undoable -= bytes
    if (this.isOpen) this.#replaced += bytes
  }

  /** Counts a change that stays in memory when it is undone, such as a new element, which then is a removed one. */
  countLasting(bytes: number): void {
    this.#lasting += bytes
  }

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
    this.#undoableBefore = this.#undoable
    this.#replaced = 0
  }

  /** Undoes everything since the savepoint, which stays. Undefined when it is done. */
  takeBack(): Pending | undefined {
    const undo = this.#undo
    if (undo === null) return undefined
    this.#undo = null
    this.#undoable = this.#undoableBefore
    this.#replaced = 0
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
