import type { TimeSlice } from "./TimeSlice.ts"

/** An open loop of the parser over items: arguments, list items, steps of a chain. */
interface Loop {
  readonly key: number
  readonly items: unknown
  /** Offset after the last complete item. */
  position: number
  /** The loop's state, such as which signatures are still possible. */
  state: unknown
  /** Offset of the last line break that the parser passed. */
  brokenAt: number
}

/** The key of a loop inside the item that begins at the offset `place`. `looks`: true if the loop looks ahead. */
export const insideOf = (place: number, looks: boolean): number => (looks ? ~place - 0.5 : place + 0.5)

/** Thrown to leave a parser in the middle of a text: the next slice calls the parser again. */
export const sliceOver = new Error("the slice is over")

/** Tells a descent whether its slice is over. */
export type Clock = Pick<TimeSlice, "isOverNow">

/** Items between two readings of the clock: a power of two. No slice is shorter, so that each makes progress. */
const ITEMS_PER_CLOCK_READING = 32
/** Characters or bytes of an item after which the clock is read at once. */
const LONG_ITEM_CHARS = 2048

/** Minimum number of items of a complete loop that is kept. A shorter loop is read again. */
export const KEPT_LOOP_ITEMS = 64

/**
 * Lets a recursive-descent parser stop at the end of a time slice and continue later. What the parser reads depends only on
 * its offset, so no stack is kept: at the end of a slice the complete items of every open loop are saved under the offset at
 * which the loop began, and the stack is unwound. The next slice descends again and finds the saved items. Only the text after
 * the last item of the innermost loops is read twice.
 */
export class ResumableDescent {
  readonly #saved = new Map<number, Loop>()
  #open: Array<Loop> = []
  /** The largest offsets at the end of a complete item, of text that was read and of text that was only scanned ahead. */
  #furthest = -1
  #furthestLook = -1
  #slice: Clock | null = null
  #items = 0
  /** Offset after the last item. */
  #lookedAt = 0

  /** Grows with every item that was not read before: a slice that does not change it made no progress. */
  get progress(): number {
    return this.#furthest + this.#furthestLook
  }

  /** Begins a slice. The descent stops soon after `slice` is over. */
  begin(slice: Clock): void {
    this.#slice = slice
    this.#lookedAt = Number.POSITIVE_INFINITY
    this.#open = []
  }

  /**
   * Begins a loop, or resumes the saved one. `key` is the offset at which the loop begins. For a loop that only looks ahead, it
   * is the complement of the offset (`~offset`), because another loop may read the same text afterwards. `brokenAt` is the offset
   * of the last line break before the loop, for a text in which line breaks count.
   */
  enter(key: number, items: unknown, position: number, state: unknown, brokenAt = -1): Loop {
    const loop = this.#saved.get(key) ?? { key, items, position, state, brokenAt }
    this.#open.push(loop)
    this.#lookedAt = loop.position
    return loop
  }

  /** Reports a complete item of the innermost loop. Throws {@link sliceOver} at the end of the slice. */
  step(position: number, state: unknown, brokenAt = -1): void {
    const loop = this.#open.at(-1)!
    if (loop.key < 0) {
      if (position > this.#furthestLook) this.#furthestLook = position
    } else if (position > this.#furthest) this.#furthest = position
    loop.position = position
    loop.state = state
    loop.brokenAt = brokenAt
    const isLong = position > this.#lookedAt + LONG_ITEM_CHARS
    this.#lookedAt = position
    if ((isLong || (++this.#items & (ITEMS_PER_CLOCK_READING - 1)) === 0) && this.#slice!.isOverNow()) this.#unwind()
  }

  #unwind(): never {
    for (const open of this.#open) this.#saved.set(open.key, open)
    throw sliceOver
  }

  /**
   * Reports progress inside one long item, such as a long text. Everything before `position` is done, and the rest needs
   * `state`. Throws {@link sliceOver} at the end of the slice. Enter the loop of such an item with a key of {@link insideOf}, and
   * leave it with {@link done}.
   */
  part(position: number, state: unknown): void {
    const loop = this.#open.at(-1)!
    if (loop.key < 0) {
      if (position > this.#furthestLook) this.#furthestLook = position
    } else if (position > this.#furthest) this.#furthest = position
    loop.position = position
    loop.state = state
    if (this.#slice!.isOverNow()) this.#unwind()
  }

  /** Ends the innermost loop. `state` is its result, which is kept until the whole text is read. */
  done(state: unknown): void {
    const loop = this.#open.pop()!
    loop.state = state
    this.#saved.set(loop.key, loop)
  }

  /** Ends the innermost loop after `count` items. */
  leave(count: number): void {
    const loop = this.#open.pop()!
    if (count >= KEPT_LOOP_ITEMS) this.#saved.set(loop.key, loop)
    else this.#saved.delete(loop.key)
  }
}
