import { ValueTooLarge } from "./ValueErrors.ts"

/**
 * Searches for a text in another in linear time. V8 uses the last 250 characters of a pattern to skip ahead; a longer pattern can
 * cost the product of both lengths: minutes where each has some megabytes.
 */

/** Characters of a pattern that V8 searches for, at most. */
const SHORT = 250
/** Pairs of characters that are compared in 2 ms at most. */
const FEW = 1_000_000
/** Costs of a comparison, and of each of its characters, in ns; and the cost of all comparisons after which the linear search takes over. */
const COMPARISON = 200
const CHARACTER = 0.06
const MOST_COMPARED = 3_000_000
/** Characters of both texts together that the linear search visits in some 10 ms. */
const LONGEST = 1_572_864

/** Searches for one text in others, any number of times. */
export class TextSearch {
  readonly #wanted: string
  #compared = 0
  /** The failure table of the linear search; created on demand. */
  #units: Uint16Array | null = null
  /** For each place of the text, how many characters up to there are its beginning again. */
  #borders: Int32Array | null = null

  constructor(wanted: string) {
    this.#wanted = wanted
  }

  /** The index of the text in another, from a position on; -1 when it is not found. Throws ValueTooLarge where the search would take too long. */
  indexIn(text: string, from = 0): number {
    const wanted = this.#wanted
    const length = text.length - from
    if (wanted.length <= SHORT || length * wanted.length <= FEW) return text.indexOf(wanted, from)
    return this.#units === null ? this.#byBeginning(text, from) : this.#withoutLookingBack(text, from)
  }

  /** Lets V8 find where the text may begin. */
  #byBeginning(text: string, from: number): number {
    const wanted = this.#wanted
    const beginning = wanted.slice(0, SHORT)
    const last = text.length - wanted.length
    for (let at = text.indexOf(beginning, from); at >= 0 && at <= last; at = text.indexOf(beginning, at + 1)) {
      if (text.slice(at, at + wanted.length) === wanted) return at
      this.#compared += COMPARISON + wanted.length * CHARACTER
      if (this.#compared > MOST_COMPARED) return this.#withoutLookingBack(text, at)
    }
    return -1
  }

  /** The search of Knuth, Morris and Pratt. */
  #withoutLookingBack(text: string, from: number): number {
    const { length } = this.#wanted
    if (text.length - from + length > LONGEST) {
      throw new ValueTooLarge(
        `A text of ${length} characters that repeats itself is looked for in at most ${Math.max(0, LONGEST - length)} ` +
          `characters, and here are ${text.length - from}. Look for a shorter text, or in a part of this one.`
      )
    }
    const wanted = (this.#units ??= unitsOf(this.#wanted))
    const borders = (this.#borders ??= bordersOf(wanted))
    // A caller may search again after each match: do not copy the whole rest each time.
    let at = from
    let fit = 0
    while (at < text.length) {
      const piece = unitsOf(text.slice(at, at + PIECE))
      for (let i = 0; i < piece.length; i++) {
        const unit = piece[i]!
        while (fit > 0 && wanted[fit] !== unit) fit = borders[fit - 1]!
        if (wanted[fit] === unit) fit++
        if (fit < length) continue
        return at + i + 1 - length
      }
      at += piece.length
    }
    return -1
  }
}

/** Characters that are copied at once. */
const PIECE = 16_384

const unitsOf = (text: string): Uint16Array => {
  const units = new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, "utf16le")
  return units
}

const bordersOf = (units: Uint16Array): Int32Array => {
  const borders = new Int32Array(units.length)
  let fit = 0
  for (let at = 1; at < units.length; at++) {
    const unit = units[at]!
    while (fit > 0 && units[fit] !== unit) fit = borders[fit - 1]!
    if (units[fit] === unit) fit++
    borders[at] = fit
  }
  return borders
}

/** The index of a text in another, from a position on; -1 when it is not found. Throws as {@link TextSearch} does. */
export const indexIn = (text: string, wanted: string, from = 0): number =>
  wanted.length <= SHORT ? text.indexOf(wanted, from) : new TextSearch(wanted).indexIn(text, from)

/** The last index of a text in another; -1 when it is not found. Throws as {@link TextSearch} does. */
export const lastIndexIn = (text: string, wanted: string): number => {
  if (text.length * wanted.length <= FEW) return text.lastIndexOf(wanted)
  // V8 compares at every position from the end.
  const search = new TextSearch(wanted)
  const width = Math.max(WINDOW, wanted.length)
  for (let from = text.length - wanted.length; from >= 0; ) {
    const begin = Math.max(0, from - width)
    const window = text.slice(begin, from + wanted.length)
    let last = -1
    for (let at = search.indexIn(window); at >= 0; at = search.indexIn(window, at + 1)) last = at
    if (last >= 0) return begin + last
    from = begin - 1
  }
  return -1
}

/** Positions from the end that are searched in one chunk. */
const WINDOW = 65_536
