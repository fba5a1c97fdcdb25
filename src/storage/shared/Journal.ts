import type { Pending } from "../../scheduling/Pending.ts"
import { runInSlices } from "../../scheduling/Task.ts"
import { Answer } from "./Answer.ts"
import { atOnce, each, inPieces } from "./Work.ts"

/** Changes that are taken back at once; more of them in slices. */
const AT_ONCE = 4096

/**
 * How the changes that a transaction made since its savepoint are taken back. Nothing is noted while there is none, so that
 * a transaction without one pays a compare for each change.
 */
export class Journal {
  #undo: Array<() => void> | null = null

  /** True when changes are to be noted. */
  get isOpen(): boolean {
    return this.#undo !== null
  }

  /** Notes what takes back a change that is being made. Taken back in the opposite order, so each finds what it left. */
  add(undo: () => void): void {
    this.#undo?.push(undo)
  }

  /** A new savepoint in place of the one before. */
  mark(): void {
    this.#undo = []
  }

  /** Takes back everything since the savepoint, which stays. Undefined when it is done. */
  takeBack(): Pending | undefined {
    const undo = this.#undo
    if (undo === null) return undefined
    this.#undo = null
    const work = each(undo.length, (at) => undo[undo.length - 1 - at]!())
    if (undo.length <= AT_ONCE) {
      atOnce([work])
      this.#undo = []
      return undefined
    }
    const answer = new Answer()
    runInSlices(
      () => inPieces([work]),
      (error) => {
        this.#undo = []
        answer.give(error)
      }
    )
    return answer
  }
}
