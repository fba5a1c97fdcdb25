import type { TimeSlice } from "./TimeSlice.ts"

/** A loop over items that the parser is in: arguments, list items, steps of a chain. */
interface Loop {
  readonly key: number
  readonly items: unknown
  /** Where the parser stood after the last complete item. */
  position: number
  /** The loop's own note, such as which signatures are still possible. */
  state: unknown
  /** Where the parser had last gone over a line break. */
  brokenAt: number
}

/** The key of work inside of the item that begins at a place; `looks` as in {@link ResumableDescent.enter}. */
export const insideOf = (place: number, looks: boolean): number => (looks ? ~place - 0.5 : place + 0.5)

/** Thrown to leave a parser in the middle of a text. */
export const sliceOver = new Error("the slice is over")

/** What a descent asks whether its time is over. */
export type Clock = Pick<TimeSlice, "isOverNow">

/** Items between two readings of the clock: a power of two. A slice is never shorter, so that each gets on. */
const ITEMS_PER_CLOCK_READING = 32
/** Characters or bytes of an item after which the clock is read at once. */
const LONG_ITEM_CHARS = 2048

/** Loops with fewer items are read again rather than remembered. */
const worthKeeping = 64

/**
 * Lets a recursive-descent parser stop at a time limit and go on later. What the parser reads is a function of the
 * offset it stands at, so no stack has to be kept: when time is up every open loop's complete items are saved under the
 * offset at which the loop began, the stack is unwound, and the next slice descends again and finds the items there.
 * What is read twice is what lies between the innermost loops' last items and the end of the slice.
 */
export class ResumableDescent {
  readonly #saved = new Map<number, Loop>()
  #open: Array<Loop> = []
  /** The furthest places at which an item was complete, of what is read and of what is only looked over. */
  #furthest = -1
  #furthestLook = -1
  #slice: Clock | null = null
  #items = 0
  /** Where the clock was last read, or would have been for short items. */
  #lookedAt = 0

  /** Grows with every item that was not read before: a slice that leaves it as it was got nowhere. */
  get progress(): number {
    return this.#furthest + this.#furthestLook
  }

  /** Begins a slice of time, which ends soon after `slice` is over. */
  begin(slice: Clock): void {
    this.#slice = slice
    this.#lookedAt = Number.POSITIVE_INFINITY
    this.#open = []
  }

  /**
   * A loop begins: what was saved of it, or a new one. `key` is the place where it begins; for a loop that looks ahead, which
   * reads nothing and may be followed by one that reads the same text, the negative of it less one (`~place`).
   */
  enter(key: number, items: unknown, position: number, state: unknown): Loop {
    const loop = this.#saved.get(key) ?? { key, items, position, state, brokenAt: -1 }
    this.#open.push(loop)
    this.#lookedAt = loop.position
    return loop
  }

  /** An item of the innermost loop is complete. Throws {@link sliceOver} when time is up. */
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
   * Work inside of one item that takes long by itself, such as a long text: a part of it is done, up to `position`, and the
   * rest should know of it as `state` when it goes on. Throws {@link sliceOver} when time is up. Its loop is entered with
   * a key of its own, see {@link insideOf}, and left with {@link done}.
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

  /** The innermost loop is complete, and its result, which is its state, is kept until the whole text is read. */
  done(state: unknown): void {
    const loop = this.#open.pop()!
    loop.state = state
    this.#saved.set(loop.key, loop)
  }

  /** The innermost loop is complete. */
  leave(count: number): void {
    const loop = this.#open.pop()!
    if (count >= worthKeeping) this.#saved.set(loop.key, loop)
    else this.#saved.delete(loop.key)
  }
}
