import type { Pending } from "../../scheduling/Pending.ts"

/**
 * What a commit answers later, given once. A callback that throws has a defect of its own: the error is the process's, in
 * a turn of the event loop of its own. It must not keep others that are answered with it waiting, and the commit has not
 * failed because of it.
 */
export class Answer implements Pending {
  #given = false
  #error: Error | undefined
  #resume: ((error: Error | undefined) => void) | undefined

  onDone(resume: (error: Error | undefined) => void): void {
    if (this.#given) resume(this.#error)
    else this.#resume = resume
  }

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
