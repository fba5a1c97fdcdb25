import { ValueTooLarge } from "../errors/ValueErrors.ts"

/**
 * Searches for a text in another text in linear time. V8 uses the last 250 characters of a pattern to skip ahead. A longer pattern
 * can cost the product of both lengths: minutes if each has some megabytes.
 */

/** Maximum length of a pattern for which V8 always searches fast. */
const MAX_SHORT_PATTERN_CHARS = 250
/** If the product of both lengths is at most this, V8 needs at most 2 ms for any pattern. */
const MAX_SHORT_CHAR_PAIRS = 1_000_000
/** Estimated time of one comparison without its characters. */
const COMPARISON_NS = 200
/** Estimated time of one comparison for each character of the pattern. */
const CHAR_COMPARISON_NS = 0.06
/** After comparisons of this estimated time, the linear search continues. */
const MAX_COMPARISONS_NS = 3_000_000
/** Maximum length of both texts together in the linear search, which visits as many characters in about 10 ms. */
const MAX_LINEAR_CHARS = 1_572_864

/** Searches for one text in others, any number of times. */
export class TextSearch {
  readonly #wanted: string
  #compared = 0
  /** The UTF-16 units of the text, for the linear search; created on demand. */
  #units: Uint16Array | null = null
  /** The failure table: for each prefix of the text, the length of its longest proper prefix that is also its suffix. */
  #borders: Int32Array | null = null

  constructor(wanted: string) {
    this.#wanted = wanted
  }

  /**
   * The first index of the text in another, not before `from`; -1 if it is not found. Throws ValueTooLarge if the search would take
   * too long.
   */
  indexIn(text: string, from = 0): number {
    const wanted = this.#wanted
    const length = text.length - from
    if (wanted.length <= MAX_SHORT_PATTERN_CHARS || length * wanted.length <= MAX_SHORT_CHAR_PAIRS)
      return text.indexOf(wanted, from)
    return this.#units === null ? this.#byBeginning(text, from) : this.#withoutLookingBack(text, from)
  }

  /** V8 finds the places where the text may begin, and each place is compared. */
  #byBeginning(text: string, from: number): number {
    const wanted = this.#wanted
    const beginning = wanted.slice(0, MAX_SHORT_PATTERN_CHARS)
    const last = text.length - wanted.length
    for (let at = text.indexOf(beginning, from); at >= 0 && at <= last; at = text.indexOf(beginning, at + 1)) {
      if (text.slice(at, at + wanted.length) === wanted) return at
      this.#compared += COMPARISON_NS + wanted.length * CHAR_COMPARISON_NS
      if (this.#compared > MAX_COMPARISONS_NS) return this.#withoutLookingBack(text, at)
    }
    return -1
  }

  /** The search of Knuth, Morris and Pratt. */
  #withoutLookingBack(text: string, from: number): number {
    const { length } = this.#wanted
    if (text.length - from + length > MAX_LINEAR_CHARS) {
      throw new ValueTooLarge(
        `The search for a periodic text of ${length} characters is limited to ${Math.max(0, MAX_LINEAR_CHARS - length)} ` +
          `characters, but this text has ${text.length - from}. Search for a shorter text, or in a part of this one.`
      )
    }
    const wanted = (this.#units ??= unitsOf(this.#wanted))
    const borders = (this.#borders ??= bordersOf(wanted))
    // A caller may search again after each match. The rest of the text is therefore copied in chunks, only as far as needed.
    let at = from
    let fit = 0
    while (at < text.length) {
      const piece = unitsOf(text.slice(at, at + CHUNK_CHARS))
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

/** Number of characters that are copied at a time. */
const CHUNK_CHARS = 16_384

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

/** The first index of a text in another, not before `from`; -1 if it is not found. Throws as {@link TextSearch} does. */
export const indexIn = (text: string, wanted: string, from = 0): number =>
  wanted.length <= MAX_SHORT_PATTERN_CHARS ? text.indexOf(wanted, from) : new TextSearch(wanted).indexIn(text, from)

/** The last index of a text in another; -1 when it is not found. Throws as {@link TextSearch} does. */
export const lastIndexIn = (text: string, wanted: string): number => {
  if (text.length * wanted.length <= MAX_SHORT_CHAR_PAIRS) return text.lastIndexOf(wanted)
  // V8 compares at every position from the end.
  const search = new TextSearch(wanted)
  const width = Math.max(WINDOW_CHARS, wanted.length)
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

/** Number of positions that are searched in one window. The windows are searched from the end of the text. */
const WINDOW_CHARS = 65_536
