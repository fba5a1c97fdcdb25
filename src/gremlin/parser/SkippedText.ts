import type { Clock } from "../../scheduling/ResumableDescent.ts"
import { wordsBeforeValue } from "./BraceScans.ts"
import {
  ASTERISK,
  BACKSLASH,
  DOLLAR,
  DOUBLE_QUOTE,
  endOfLine,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  LINE_FEED,
  RIGHT_BRACE,
  SINGLE_QUOTE,
  SLASH
} from "./Characters.ts"

/** Which characters begin or end something: a comment, a string or brackets. By their codes. */
const isMark = new Uint8Array(128)
for (const mark of "/\"'()[]{}") isMark[mark.charCodeAt(0)] = 1

/** The end of a value, after which a slash divides. A word ends one, except those before a value. */
const END_OF_VALUE = /[\p{L}\p{N}_$)\]}"'\\]/u

/** Operators after a value, after which a slash divides. */
const AFTER_VALUE = /(?:\+\+|--)$/

const BEFORE_VALUE = new RegExp(`(?:^|[^\\w$.])(?:${[...wordsBeforeValue].join("|")})$`)

/** Characters before a slash in which such a word, and the character before it, are looked for. */
const WORD_CHARS = 11

/** Characters between two readings of the clock. */
const CHARS_PER_CLOCK_READING = 8_192

/** A string in three double quotes, as what is open in a hole. Other strings are their first character. */
const TRIPLE_QUOTE = -DOUBLE_QUOTE

/**
 * The comments and strings of a script, for questions in the order of their offsets. What is in a hole of a string, as in
 * `"${f("a")}"`, is no part of the string. The time is linear in the text.
 */
export class SkippedText {
  readonly #text: string
  /** Everything before this offset has been read. Greater than the offset of a question inside of a comment or string. */
  #to = 0
  #hasUnclosedComment = false
  /** No string in slashes that begins, or goes on after a hole, before this offset is closed. */
  #noSlashBefore = 0
  /** Where the last comment begins and ends. Comments with only white space between them are one. */
  #commentFrom = 0
  #commentTo = 0
  /** What is open, the innermost last, by its character: brackets, and the strings of holes. */
  readonly #open: Array<number> = []

  constructor(text: string) {
    this.#text = text
  }

  /** Reads on until the slice is over, and at most to an offset. Returns whether it has reached the offset. */
  reads(end: number, slice: Clock): boolean {
    while (this.#to < end) {
      this.#readTo(Math.min(end, this.#to + CHARS_PER_CLOCK_READING))
      if (slice.isOverNow()) break
    }
    return this.#to >= end
  }

  /** Whether a comment or a string begins before an offset and ends after it. Later questions have greater offsets. */
  covers(end: number): boolean {
    this.#readTo(end)
    return this.#to > end
  }

  #readTo(end: number): void {
    const text = this.#text
    let at = this.#to
    while (at < end) at = isMark[text.charCodeAt(at)] === 1 ? this.#after(at) : at + 1
    this.#to = at
  }

  /** The end of the comment, string or bracket that begins at an offset. */
  #after(at: number): number {
    const code = this.#text.charCodeAt(at)
    switch (code) {
      case LEFT_PAREN:
      case LEFT_BRACKET:
      case LEFT_BRACE:
        this.#open.push(code)
        return at + 1
      case SINGLE_QUOTE:
      case DOUBLE_QUOTE: {
        const isTriple = this.#text.charCodeAt(at + 1) === code && this.#text.charCodeAt(at + 2) === code
        return isTriple ? this.#afterText(-code, at + 3) : this.#afterText(code, at + 1)
      }
      case SLASH: {
        const next = this.#text.charCodeAt(at + 1)
        if (next === SLASH) return this.#afterLine(at)
        return next === ASTERISK ? this.#afterComment(at + 2) : this.#afterSlash(at + 1)
      }
      default:
        return this.#afterClosing(code, at + 1)
    }
  }

  /** Closes a bracket that ends at an offset. The end of the string that goes on there, after a hole. */
  #afterClosing(closing: number, at: number): number {
    const innermost = this.#open.at(-1)
    const isHole = innermost === DOUBLE_QUOTE || innermost === TRIPLE_QUOTE || innermost === SLASH
    // Another bracket than a brace closes no hole: the script is wrong.
    if (isHole && closing !== RIGHT_BRACE) return at
    this.#open.pop()
    return isHole ? this.#afterText(innermost, at) : at
  }

  /**
   * The end of a string, or of the part of it before a hole, which it opens. `begin` is in the string. A string that nothing closes ends
   * with its line or the text. If it is in slashes, it is none, and ends at `begin`.
   *
   * @param quote the character that ends the string; negative: three of them end it
   */
  #afterText(quote: number, begin: number): number {
    const text = this.#text
    const first = Math.abs(quote)
    const isOfLine = quote === SINGLE_QUOTE || quote === DOUBLE_QUOTE
    if (quote === SLASH && begin < this.#noSlashBefore) return begin
    for (let at = begin; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === first) {
        if (quote > 0) return at + 1
        if (text.charCodeAt(at + 1) === first && text.charCodeAt(at + 2) === first) return at + 3
      } else if (code === BACKSLASH && !(isOfLine && text.charCodeAt(at + 1) === LINE_FEED)) at++
      else if (code === LINE_FEED && isOfLine) return at
      else if (code === LINE_FEED && first === SLASH && text.charCodeAt(at + 1) === LINE_FEED)
        return this.#unclosed(begin, at)
      else if (code === DOLLAR && first !== SINGLE_QUOTE && text.charCodeAt(at + 1) === LEFT_BRACE) {
        this.#open.push(quote)
        return at + 2
      }
    }
    return first === SLASH ? this.#unclosed(begin, text.length) : text.length
  }

  /** Notes that nothing up to an offset closes a string in slashes from `begin`, which it returns. */
  #unclosed(begin: number, end: number): number {
    this.#noSlashBefore = end
    return begin
  }

  #afterLine(at: number): number {
    return this.#commented(at + 2, endOfLine(this.#text, at, this.#text.length))
  }

  /** Notes the comment whose beginning ends at an offset. Returns its end. */
  #commented(at: number, end: number): number {
    const from = at - "//".length
    if (this.#lastOf(from) >= this.#commentTo) this.#commentFrom = from
    this.#commentTo = end
    return end
  }

  /** The offset of the last character before `at` that is no white space; -1 if there is none. */
  #lastOf(at: number): number {
    let last = at - 1
    while (last >= 0 && /\s/.test(this.#text[last]!)) last--
    return last
  }

  /**
   * The end of a comment whose beginning ends at an offset. One that nothing closes is none: it may be a part of a string that begins
   * where a slash seems to divide.
   */
  #afterComment(at: number): number {
    const end = this.#hasUnclosedComment ? -1 : this.#text.indexOf("*/", at)
    this.#hasUnclosedComment = end < 0
    return end < 0 ? at : this.#commented(at, end + 2)
  }

  /** True if a line ends between two offsets, and a statement with it: not in parentheses and brackets. */
  #isNewStatement(from: number, to: number): boolean {
    const innermost = this.#open.at(-1)
    return innermost !== LEFT_PAREN && innermost !== LEFT_BRACKET && this.#text.slice(from, to).includes("\n")
  }

  /** The end of a string in slashes. That of its first slash, which ends at an offset, if this divides or if nothing closes the string. */
  #afterSlash(at: number): number {
    let before = this.#lastOf(at - 1)
    if (before < this.#commentTo) before = this.#lastOf(this.#commentFrom)
    const word = this.#text.slice(Math.max(0, before + 1 - WORD_CHARS), before + 1)
    const isAfterValue = (END_OF_VALUE.test(word.slice(-1)) && !BEFORE_VALUE.test(word)) || AFTER_VALUE.test(word)
    if (isAfterValue && !this.#isNewStatement(before + 1, at - 1)) return at
    return this.#afterText(SLASH, at)
  }
}
