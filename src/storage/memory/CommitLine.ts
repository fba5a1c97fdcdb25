import { errorOf, type Pending } from "../../scheduling/Pending.ts"
import { runInSlices, type Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { Answer } from "../shared/Answer.ts"

/** A commit as the line runs it. */
export interface LinedCommit {
  /** True for a commit of many changes, which is made in slices. */
  readonly isLong: boolean
  /** Makes the commit at once. Throws when it cannot be made; then nothing of it was. */
  run(): void
  /** {@link run} as a task. */
  task(slice: TimeSlice): Task
}

interface Waiting {
  readonly commit: LinedCommit
  readonly answer: Answer
}

/** Commits that are made in one turn of the event loop while others wait. */
const COMMITS_PER_TURN = 64

/**
 * Runs the commits of a graph one after the other: a long one is made in slices, and the commits that arrive meanwhile wait for
 * it. Without a long commit none waits.
 */
export class CommitLine {
  readonly #waiting: Array<Waiting> = []
  #first = 0
  #running = false
  /** Called when the last long commit, and the commits that waited for it, have ended. */
  readonly #onFree: () => void
  #whenFree: Array<() => void> = []

  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  /** True while a long commit is being made, or commits wait. */
  get isBusy(): boolean {
    return this.#running
  }

  /** Makes a commit; undefined when it was made at once. Throws, or fails with, what the commit throws. */
  add(commit: LinedCommit): Pending | undefined {
    if (!this.#running && !commit.isLong) {
      commit.run()
      return undefined
    }
    const waiting: Waiting = { commit, answer: new Answer() }
    this.#waiting.push(waiting)
    if (!this.#running) {
      this.#running = true
      // Not in this turn: the caller has used some of it.
      setImmediate(() => this.#next())
    }
    return waiting.answer
  }

  /** Resolves when nothing is being committed. */
  free(): Promise<void> {
    return this.#running ? new Promise((resume) => this.#whenFree.push(resume)) : Promise.resolve()
  }

  #next(): void {
    for (let count = 0; count < COMMITS_PER_TURN; count++) {
      const waiting = this.#waiting[this.#first]
      if (waiting === undefined) {
        this.#end()
        return
      }
      this.#take()
      if (waiting.commit.isLong) {
        runInSlices(
          (slice) => waiting.commit.task(slice),
          (error) => {
            // Free before the outcome is given: a small commit that follows need not wait.
            if (this.#waiting[this.#first] === undefined) this.#end()
            else setImmediate(() => this.#next())
            waiting.answer.give(error)
          }
        )
        return
      }
      try {
        waiting.commit.run()
        waiting.answer.give(undefined)
      } catch (error) {
        waiting.answer.give(errorOf(error))
      }
    }
    setImmediate(() => this.#next())
  }

  #take(): void {
    // Removing from the front of an array copies the rest of it: do that rarely.
    if (++this.#first > 64 && this.#first * 2 > this.#waiting.length) this.#waiting.splice(0, this.#first)
    else return
    this.#first = 0
  }

  #end(): void {
    this.#waiting.length = 0
    this.#first = 0
    this.#running = false
    this.#onFree()
    const resumed = this.#whenFree
    this.#whenFree = []
    for (const resume of resumed) resume()
  }
}
