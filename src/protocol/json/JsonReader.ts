import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { insideOf } from "../../scheduling/ResumableDescent.ts"
import { ProtocolError } from "../ProtocolError.ts"
import type { ResumableRead } from "../ResumableRead.ts"
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  isBlank,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE
} from "./JsonCharacters.ts"
import { type NumberSource, scanNumber } from "./JsonNumbers.ts"
import { STRING_CHUNK_CHARS } from "./JsonStrings.ts"
import { closingQuote, readLongString, readString, type StringSource } from "./StringReader.ts"

/** The default limit of the nesting depth of objects and arrays. Each level uses stack of the reader of values. */
const DEFAULT_DEPTH_LEVELS = 1000

/** An error after this many characters names its offset. Other errors name the line and the column. */
const COUNTED_LINES_CHARS = 1_000_000

/** Estimated memory of one more element, of a member, and of an object or array, in bytes. */
const ELEMENT_BYTES = 32
const MEMBER_BYTES = 80
const CONTAINER_BYTES = 160

/**
 * Reads a JSON text token by token, without building a tree, so that the reader of values decides what each token becomes.
 * Numbers keep every digit and the difference between 1 and 1.0; members keep their order. On messages of drivers this
 * is faster than JSON.parse followed by a walk over its result.
 */
export class JsonReader implements StringSource, NumberSource {
  readonly text: string
  /** Not null when the text is long and read in time slices. */
  readonly slices: ResumableDescent | null
  /** Estimated memory of the text and of the values read so far, in bytes. */
  heldBytes: number
  position = 0
  readonly #maximumDepth: number
  #depth = 0
  /** See {@link StringSource}. */
  nextBackslash = -1
  searchedTo = 0
  isSkipping = false
  /** Ends of skipped objects and arrays by their start, so that skipping nested ones again takes linear time. */
  skippedEnds: Map<number, number> | undefined = undefined
  /** See {@link NumberSource}. */
  numberStart = 0
  numberIntegral = false
  numberValue = 0

  /**
   * @param maximumDepth levels that the text may nest: the server's maxNestingDepth
   * @param long the read in slices that this reader belongs to
   */
  constructor(text: string, maximumDepth = DEFAULT_DEPTH_LEVELS, long?: ResumableRead) {
    this.text = text
    this.heldBytes = text.length
    this.slices = long?.slices ?? null
    long?.weigh(this)
    this.#maximumDepth = maximumDepth
    if (text.charCodeAt(0) === 0xfeff) this.position = 1
  }

  /** Throws a ProtocolError with the place of the problem. */
  fail(problem: string, at = this.position): never {
    const end = Math.min(at, this.text.length)
    if (end > COUNTED_LINES_CHARS) throw new ProtocolError(`${problem} after ${end} characters of the JSON text.`)
    let line = 1
    let lineStart = 0
    for (let i = 0; i < end; i++) {
      if (this.text.charCodeAt(i) !== LINE_FEED) continue
      line++
      lineStart = i + 1
    }
    const column = end - lineStart + 1
    throw new ProtocolError(`${problem} at line ${line}, column ${column} of the JSON text.`)
  }

  /** Throws the ProtocolError for a character at the position that is not the expected one. */
  unexpected(expected: string): never {
    if (this.position >= this.text.length) this.fail(`The text ends where ${expected} should follow,`)
    this.fail(`Expected ${expected}, found '${String.fromCodePoint(this.text.codePointAt(this.position)!)}'`)
  }

  /** Skips white space. Returns the code of the next character; NaN at the end. */
  peek(): number {
    const text = this.text
    let at = this.position
    let code = text.charCodeAt(at)
    if (code > 32) return code
    const limit = this.slices === null ? Number.POSITIVE_INFINITY : at + STRING_CHUNK_CHARS
    while (isBlank(code) && at < limit) code = text.charCodeAt(++at)
    if (at === limit) return this.#peekInSlices()
    this.position = at
    return code
  }

  /** As {@link peek}, for white space of any length. */
  #peekInSlices(): number {
    const { slices, text } = this
    const from = this.position
    let at = slices!.enter(insideOf(from, this.isSkipping), null, from, from).state as number
    for (let end = at + STRING_CHUNK_CHARS; ; end = at + STRING_CHUNK_CHARS) {
      while (at < end && isBlank(text.charCodeAt(at))) at++
      if (at < end) break
      slices!.part(at, at)
    }
    slices!.done(at)
    this.position = at
    return text.charCodeAt(at)
  }

  /** Fails unless only white space is left. */
  end(): void {
    if (!Number.isNaN(this.peek())) this.unexpected("the end")
  }

  #enter(): void {
    this.position++
    this.heldBytes += CONTAINER_BYTES
    if (++this.#depth > this.#maximumDepth) {
      this.fail(`The JSON text nests deeper than ${this.#maximumDepth} levels, which is the server's maxNestingDepth,`)
    }
  }

  /** Subtracts brackets that are not levels of data, such as those around a type and its value, from the depth. */
  uncount(levels: number): void {
    this.#depth -= levels
  }

  /** Subtracts an object that only held a type and its value from the estimate of memory. */
  unweighTyped(): void {
    this.heldBytes -= CONTAINER_BYTES + MEMBER_BYTES
  }

  /** Opens an object: true when a member name comes next. An empty object is closed, too. */
  openObject(): boolean {
    if (this.peek() !== OPEN_BRACE) this.unexpected("an object")
    this.#enter()
    if (this.peek() !== CLOSE_BRACE) return true
    this.#leave()
    return false
  }

  /** Reads the name of a member. Its value comes next. */
  memberName(): string {
    if (this.peek() !== QUOTE) this.unexpected("a member's name in quotes")
    const name = this.string()
    if (this.peek() !== COLON) this.unexpected("':'")
    this.position++
    return name
  }

  /** After a member: true when another one follows. Otherwise the object is closed. */
  moreMembers(): boolean {
    const code = this.peek()
    if (code === COMMA) {
      this.position++
      this.heldBytes += MEMBER_BYTES
      return true
    }
    if (code !== CLOSE_BRACE) this.unexpected("',' or '}'")
    this.#leave()
    return false
  }

  /** Closes an object. Fails when it has another member. */
  closeObject(): void {
    if (this.peek() !== CLOSE_BRACE) this.unexpected("'}'")
    this.#leave()
  }

  /** Opens an array: true when an element comes next. An empty array is closed, too. */
  openArray(): boolean {
    if (this.peek() !== OPEN_BRACKET) this.unexpected("an array")
    this.#enter()
    if (this.peek() !== CLOSE_BRACKET) return true
    this.#leave()
    return false
  }

  /** After an element: true when another one follows. Otherwise the array is closed. */
  moreElements(): boolean {
    const code = this.peek()
    if (code === COMMA) {
      this.position++
      this.heldBytes += ELEMENT_BYTES
      return true
    }
    if (code !== CLOSE_BRACKET) this.unexpected("',' or ']'")
    this.#leave()
    return false
  }

  #leave(): void {
    this.position++
    this.#depth--
  }

  /** Reads the string that begins here. The result does not keep the text in memory. */
  string(): string {
    const from = this.#stringStart()
    const end = closingQuote(this, from)
    return end < 0 ? readLongString(this, from) : readString(this, from, end)
  }

  /** Reads a string that does not outlive the message: it may share the memory of the text. */
  passingString(): string {
    const from = this.#stringStart()
    const end = closingQuote(this, from)
    if (end < 0) return readLongString(this, from)
    return this.nextBackslash < end ? readString(this, from, end) : this.text.slice(from, end)
  }

  #stringStart(): number {
    if (this.peek() !== QUOTE) this.unexpected("a string")
    return this.position + 1
  }

  /** Scans the number that begins here; the result is in the fields of {@link NumberSource}. */
  scanNumber(): void {
    scanNumber(this)
  }

  /** The text of the number that was scanned last. */
  numberText(): string {
    return this.text.slice(this.numberStart, this.position)
  }

  /** Reads one of the words true, false and null. If other text follows, returns false and leaves the position unchanged. */
  word(word: "true" | "false" | "null"): boolean {
    if (!this.text.startsWith(word, this.position)) return false
    this.position += word.length
    return true
  }
}
