import type { Later } from "../../structure/GraphStore.ts"

/** What a commit answers later, given once. */
export class Answer implements Later {
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
    this.#resume?.(error)
  }
}
