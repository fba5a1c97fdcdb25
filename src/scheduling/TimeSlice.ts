/** Cheap items, such as rows of a batch, that a task works on between two yields: about 100 microseconds. */
export const CHUNK_ITEMS = 1024

/** Calls of {@link TimeSlice.isOver} between two readings of the clock, at most. A reading takes 45 ns. */
const LONGEST_STRIDE = 64
/** The stride grows while that many calls take less time than this, in milliseconds. */
const QUICK_MS = 0.05
/** Characters of a text on which every operation is short. */
const SHORT_TEXT_CHARS = 1024

/**
 * The time that a task has on the event loop before other work runs. It is passed as an argument to all code that may work for
 * long. Between two operations a task asks whether the slice is over, and yields when it is.
 *
 * {@link isOver} is for operations that all take well below a microsecond: it reads the clock once in up to 64 calls.
 * {@link isOverNow} is for operations that may take longer: it reads the clock at each call.
 */
export class TimeSlice {
  /** End of the slice, in milliseconds of performance.now(). */
  #until = Number.POSITIVE_INFINITY
  /** Calls until the clock is read again. */
  #calls = Number.POSITIVE_INFINITY
  #stride = 1
  #readAt = 0
  /** Milliseconds that other work has had between the slices of the task so far. */
  pausedMs = 0

  /** `until` as for {@link restart}; without it the slice never ends. */
  constructor(until = Number.POSITIVE_INFINITY) {
    this.restart(until)
  }

  /** End of the slice, in milliseconds of performance.now(); Infinity = never. */
  get until(): number {
    return this.#until
  }

  /** Begins the next slice, which ends at `until`, in milliseconds of performance.now(); Infinity = never. */
  restart(until: number): void {
    this.#until = until
    this.#stride = 1
    this.#readAt = 0
    this.#calls = until === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : 1
  }

  /** True when the task must yield. Stays true until the next {@link restart}. */
  isOver(): boolean {
    return --this.#calls <= 0 && this.isOverNow()
  }

  /** {@link isOver} after an operation that may have taken long: reads the clock. */
  isOverNow(): boolean {
    if (this.#until === Number.POSITIVE_INFINITY) return false
    const now = performance.now()
    if (now > this.#until) {
      this.#calls = 0
      return true
    }
    this.#stride = now - this.#readAt < QUICK_MS ? Math.min(this.#stride * 2, LONGEST_STRIDE) : 1
    this.#readAt = now
    this.#calls = this.#stride
    return false
  }

  /**
   * True when the task must yield after `done` items, the last of which was `item`: when the slice is over, and after
   * each {@link CHUNK_ITEMS}, so that results flow on.
   */
  isOverAfter(done: number, item?: unknown): boolean {
    return done % CHUNK_ITEMS === 0 || (mayBeSlow(item) ? this.isOverNow() : this.isOver())
  }
}

/** True for a value whose key, text or comparison may take more than a microsecond: collections and long texts. */
export const mayBeSlow = (value: unknown): boolean =>
  typeof value === "object" ? value !== null : typeof value === "string" && value.length > SHORT_TEXT_CHARS
