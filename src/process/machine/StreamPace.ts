/** Results, and calls of steps, after which the child of a stream pauses. */
const STREAM_RESULTS = 4096
const STREAM_CALLS = 64

/** When the child of a stream pauses, so that its parent works on what the child has given. */
export class StreamPace {
  isPaused = false
  /** Calls of steps of the whole run, and results of the child, when it was last resumed. */
  #calls: number
  #given: number

  constructor(calls: number, given: number) {
    this.#calls = calls
    this.#given = given
  }

  /** The child goes on. `calls`: of steps in the whole run so far; `given`: results of the child so far. */
  resume(calls: number, given: number): void {
    this.isPaused = false
    this.#calls = calls
    this.#given = given
  }

  /** Pauses the child if it has given a result since it was resumed, and either is `urgent` or has worked for long enough. */
  pausesNow(calls: number, given: number, urgent: boolean): boolean {
    const results = given - this.#given
    if (results === 0) return false
    const isDue = urgent || results >= STREAM_RESULTS || calls - this.#calls >= STREAM_CALLS
    if (isDue) this.isPaused = true
    return isDue
  }
}
