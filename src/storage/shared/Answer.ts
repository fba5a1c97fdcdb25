import { errorOf, type Pending } from "../../scheduling/Pending.ts"

/**
 * The outcome of a commit that ends later, given once. A callback that throws has a defect: its error is thrown again in
 * another turn of the event loop, where it reaches the process. It must not delay the outcomes of other commits, and the commit
 * has not failed because of it.
 */
export class Answer implements Pending {
  #given = false
  #error: Error | undefined
  #resume: ((error: Error | undefined) => void) | undefined

  /** The outcome of a commit that is a promise. `ended` is called after the outcome was given. */
  static of(commit: Promise<void>, ended: () => void): Answer {
    const answer = new Answer()
    const give = (error: Error | undefined): void => {
      answer.give(error)
      ended()
    }
    commit.then(
      () => give(undefined),
      (cause: unknown) => give(errorOf(cause))
    )
    return answer
  }

  onDone(resume: (error: Error | undefined) => void): void {
    if (this.#given) resume(this.#error)
    else this.#resume = resume
  }

  /** Ends the commit. Call this once. */
  give(error: Error | undefined): void {
    this.#given = true
    this.#error = error
    try {
      this.#resume?.(error)
    } catch (defect) {
      setImmediate(() => {
        throw defect
      })
    }
  }
}
