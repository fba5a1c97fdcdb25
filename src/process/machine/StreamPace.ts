/** Results after which the child of a stream pauses. */
const RESULTS_PER_PAUSE = 4096
/** Calls of steps after which the child of a stream pauses. */
const CALLS_PER_PAUSE = 64

/** Decides when the child of a stream pauses, so that its parent processes the results. */
export class StreamPace {
  /** Whether the child is paused. */
  isPaused = false
  /** Calls of steps in the run when the child was last resumed. */
  #calls: number
  /** Results of the child when it was last resumed. */
  #given: number

  /** The arguments are those of {@link resume}. */
  constructor(calls: number, given: number) {
    this.#calls = calls
    this.#given = given
  }

  /** Resumes the child. `calls`: calls of steps in the run so far; `given`: results of the child so far. */
  resume(calls: number, given: number): void {
    this.isPaused = false
    this.#calls = calls
    this.#given = given
  }

  /** Pauses the child if it has results since it was resumed, and these are `urgent` or it has run for long enough. */
  pausesNow(calls: number, given: number, urgent: boolean): boolean {
    const results = given - this.#given
    if (results === 0) return false
    const isDue = urgent || results >= RESULTS_PER_PAUSE || calls - this.#calls >= CALLS_PER_PAUSE
    if (isDue) this.isPaused = true
    return isDue
  }
}
