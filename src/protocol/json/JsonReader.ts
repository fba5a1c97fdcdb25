import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { insideOf } from "../../scheduling/ResumableDescent.ts"
import type { LongRead } from "../LongReads.ts"
import { ProtocolError } from "../ProtocolError.ts"
import { longString, PIECE, parsedPart } from "./JsonStrings.ts"

const QUOTE = 34
const PLUS = 43
const COMMA = 44
const MINUS = 45
const DOT = 46
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Levels of objects and arrays a text may nest where nobody says less; each level of the reader above takes some stack. */
const deepest = 1000

/** Characters of one number: more would let a short text buy long arithmetic. */
export const maximumNumberLength = 10_000

/** Lines are counted up to here; an error further on tells how many characters are before it. */
const countedLines = 1_000_000

/** Bytes that one more element, member, and object or array take in memory, about. */
const ELEMENT = 32
const MEMBER = 80
const CONTAINER = 160

/** Characters in which a backslash is looked for at once, where a text is read slice by slice. */
const LOOKED_AT = 8 * PIECE
/** Characters of a string that are looked at one by one. */
const SOON = 64

/** Characters of an object or array whose end is remembered within a slice, and from slice to slice. */
const worthRemembering = 64
const worthSaving = 4096

/**
 * Reads a JSON text piece by piece, without building a tree: what stands in it decides what it becomes, numbers keep
 * every digit and the difference of 1 and 1.0, members keep their order whatever their names. (On the messages of
 * drivers this is faster than JSON.parse and a walk over its result.)
 */
export class JsonReader {
  readonly text: string
  /** Not null when the text is long and read slice by slice. */
  readonly slices: ResumableDescent | null
  /** Bytes that hold what was read, and the text, about. */
  heldBytes: number
  position = 0
  readonly #maximumDepth: number
  #depth = 0
  /** Where the next backslash stands, at or after the position of the last string; Infinity when there is none up to the other place. */
  #backslash = -1
  #looked = 0
  /** Ends of objects and arrays that were skipped, by start: skipping nested ones again stays linear. */
  #skipped: Map<number, number> | undefined
  /** Whether what is read is only looked over. */
  #looks = false
  /** The number that {@link scanNumber} found last. */
  numberStart = 0
  numberIntegral = false
  /** Its value when it is integral and has at most 15 digits, else NaN. */
  numberValue = 0

  /**
   * @param maximumDepth levels the text may nest: a server's maxNestingDepth
   * @param long the read in slices that this reader is for
   */
  constructor(text: string, maximumDepth = deepest, long?: LongRead) {
    this.text = text
    this.heldBytes = text.length
    this.slices = long?.slices ?? null
    long?.weigh(this)
    this.#maximumDepth = maximumDepth
    if (text.charCodeAt(0) === 0xfeff) this.position = 1
  }

  /** Ends reading with a ProtocolError that names the place. */
  fail(problem: string, at = this.position): never {
    const end = Math.min(at, this.text.length)
    if (end > countedLines) throw new ProtocolError(`${problem} behind ${end} characters of the JSON text.`)
    let line = 1
    let lineStart = 0
    for (let i = 0; i < end; i++) {
      if (this.text.charCodeAt(i) !== 10) continue
      line++
      lineStart = i + 1
    }
    const column = end - lineStart + 1
    throw new ProtocolError(`${problem} at line ${line}, column ${column} of the JSON text.`)
  }

  #unexpected(expected: string): never {
    if (this.position >= this.text.length) this.fail(`The text ends where ${expected} should follow,`)
    this.fail(`Expected ${expected}, found '${String.fromCodePoint(this.text.codePointAt(this.position)!)}'`)
  }

  /** Skips white space; the code of the character that follows, NaN at the end. */
  peek(): number {
    const text = this.text
    let at = this.position
    let code = text.charCodeAt(at)
    if (code > 32) return code
    const enough = this.slices === null ? Number.POSITIVE_INFINITY : at + PIECE
    while (isBlank(code) && at < enough) code = text.charCodeAt(++at)
    if (at === enough) return this.#overManyBlanks()
    this.position = at
    return code
  }

  /** As peek(), piece by piece. */
  #overManyBlanks(): number {
    const { slices, text } = this
    const from = this.position
    let at = slices!.enter(insideOf(from, this.#looks), null, from, from).state as number
    for (let end = at + PIECE; ; end = at + PIECE) {
      while (at < end && isBlank(text.charCodeAt(at))) at++
      if (at < end) break
      slices!.part(at, at)
    }
    slices!.done(at)
    this.position = at
    return text.charCodeAt(at)
  }

  /** Fails unless nothing but white space is left. */
  end(): void {
    if (!Number.isNaN(this.peek())) this.#unexpected("the end")
  }

  #enter(): void {
    this.position++
    this.heldBytes += CONTAINER
    if (++this.#depth > this.#maximumDepth) {
      this.fail(`The JSON text nests deeper than ${this.#maximumDepth} levels, which is the maxNestingDepth here,`)
    }
  }

  /** Takes back what brackets count that are no level of their own, such as those around a type and its value. */
  uncount(levels: number): void {
    this.#depth -= levels
  }

  /** An object was only the type around a value: it takes no memory. */
  unweighTyped(): void {
    this.heldBytes -= CONTAINER + MEMBER
  }

  /** Opens an object: true when it has a member, whose name comes next; an empty one is closed already. */
  openObject(): boolean {
    if (this.peek() !== OPEN_BRACE) this.#unexpected("an object")
    this.#enter()
    if (this.peek() !== CLOSE_BRACE) return true
    this.#leave()
    return false
  }

  /** The name of a member; its value comes next. */
  memberName(): string {
    if (this.peek() !== QUOTE) this.#unexpected("a member's name in quotes")
    const name = this.string()
    if (this.peek() !== COLON) this.#unexpected("':'")
    this.position++
    return name
  }

  /** After a member: true when another follows, false when the object ended. */
  moreMembers(): boolean {
    const code = this.peek()
    if (code === COMMA) {
      this.position++
      this.heldBytes += MEMBER
      return true
    }
    if (code !== CLOSE_BRACE) this.#unexpected("',' or '}'")
    this.#leave()
    return false
  }

  /** Closes an object that may have no further member. */
  closeObject(): void {
    if (this.peek() !== CLOSE_BRACE) this.#unexpected("'}'")
    this.#leave()
  }

  /** Opens an array: true when it has an element, which comes next; an empty one is closed already. */
  openArray(): boolean {
    if (this.peek() !== OPEN_BRACKET) this.#unexpected("an array")
    this.#enter()
    if (this.peek() !== CLOSE_BRACKET) return true
    this.#leave()
    return false
  }

  /** After an element: true when another follows, false when the array ended. */
  moreElements(): boolean {
    const code = this.peek()
    if (code === COMMA) {
      this.position++
      this.heldBytes += ELEMENT
      return true
    }
    if (code !== CLOSE_BRACKET) this.#unexpected("',' or ']'")
    this.#leave()
    return false
  }

  #leave(): void {
    this.position++
    this.#depth--
  }

  /**
   * Reads the string that begins here. Line ends and other control characters inside it are taken as they are: JSON
   * wants them escaped, but people post scripts of several lines with curl.
   */
  string(): string {
    const from = this.#stringStart()
    const end = this.#stringEnd(from)
    if (end < 0) return this.#longString(from)
    // A slice of 13 characters or more would keep the whole message alive as long as the value lives.
    return this.#backslash < end || end - from > 12 ? this.#parsed(from, end) : this.text.slice(from, end)
  }

  /** Reads a string that does not outlive the message. */
  passingString(): string {
    const from = this.#stringStart()
    const end = this.#stringEnd(from)
    if (end < 0) return this.#longString(from)
    return this.#backslash < end ? this.#parsed(from, end) : this.text.slice(from, end)
  }

  #stringStart(): number {
    if (this.peek() !== QUOTE) this.#unexpected("a string")
    return this.position + 1
  }

  /** Where the string ends; -1 where it is so long that it has to be read piece by piece. */
  #stringEnd(from: number): number {
    const enough = this.slices === null ? Number.POSITIVE_INFINITY : from + PIECE
    if (this.#backslash < from || this.#looked < enough) this.#findBackslash(from)
    let end = this.slices === null ? this.text.indexOf('"', from) : quoteWithin(this.text, from, enough)
    if (end < 0 && this.slices !== null) return -1
    if (this.#backslash < end) {
      end = this.#endOfEscaped(from, enough)
      if (end > enough) return -1
    }
    if (end < 0) this.fail("A string without end begins")
    this.position = end + 1
    return end
  }

  #findBackslash(from: number): void {
    if (this.slices === null) {
      this.#backslash = find(this.text, from)
      this.#looked = Number.POSITIVE_INFINITY
      return
    }
    // Every slice begins anew: to look through all of a text of megabytes each time would take longer than to read it.
    const at = this.text.slice(from, from + LOOKED_AT).indexOf("\\")
    this.#backslash = at < 0 ? Number.POSITIVE_INFINITY : from + at
    this.#looked = at < 0 ? from + LOOKED_AT : Number.POSITIVE_INFINITY
  }

  #longString(from: number): string {
    const { at, text } = longString(this.text, from, this.slices!, this.#looks)
    if (at === -1) this.fail("A string without end begins")
    if (at === -2) this.fail(malformedEscape, from)
    this.position = at + 1
    return text
  }

  /** The end of a string with escapes; a place behind `enough` where it is further on. */
  #endOfEscaped(from: number, enough: number): number {
    const text = this.text
    for (let at = from; at < text.length; at++) {
      if (at > enough) return at
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at
      if (code === BACKSLASH) at++
    }
    return -1
  }

  /** The string between two quotes as a string of its own. */
  #parsed(from: number, end: number): string {
    return parsedPart(this.text, from, end) ?? this.fail(malformedEscape, from)
  }

  /** Reads over the number that begins here and leaves what it is in the fields. */
  scanNumber(): void {
    const text = this.text
    const start = this.position
    let at = start
    let code = text.charCodeAt(at)
    const negative = code === MINUS
    if (negative) code = text.charCodeAt(++at)
    const first = at
    const enough = start + maximumNumberLength
    let value = 0
    while (code >= 48 && code <= 57 && at <= enough) {
      value = value * 10 + (code - 48)
      code = text.charCodeAt(++at)
    }
    const digits = at - first
    if (digits === 0) this.#unexpected("a value")
    if (digits > 1 && text.charCodeAt(first) === 48) this.fail("A number begins with a needless 0")
    this.numberStart = start
    this.numberIntegral = true
    if (code === DOT) {
      this.numberIntegral = false
      at = this.#digits(at + 1)
      code = text.charCodeAt(at)
    }
    if (code === 101 || code === 69) {
      this.numberIntegral = false
      code = text.charCodeAt(++at)
      at = this.#digits(code === PLUS || code === MINUS ? at + 1 : at)
    }
    if (at - start > maximumNumberLength) this.fail(`A number has more than ${maximumNumberLength} characters`)
    this.numberValue = this.numberIntegral && digits <= 15 ? (negative ? 0 - value : value) : Number.NaN
    this.position = at
  }

  #digits(from: number): number {
    let at = from
    const enough = from + maximumNumberLength
    let code = this.text.charCodeAt(at)
    while (code >= 48 && code <= 57 && at <= enough) code = this.text.charCodeAt(++at)
    if (at === from) this.fail("A digit is missing in a number", from)
    return at
  }

  /** The text of the number that was scanned last. */
  numberText(): string {
    return this.text.slice(this.numberStart, this.position)
  }

  /** Reads over one of the words true, false, null when it stands here. */
  word(word: "true" | "false" | "null"): boolean {
    if (!this.text.startsWith(word, this.position)) return false
    this.position += word.length
    return true
  }

  /** Reads over one value of any kind. What is skipped takes no memory. */
  skip(): void {
    const held = this.heldBytes
    const looks = this.#looks
    this.#looks = true
    this.#skipValue()
    this.#looks = looks
    this.heldBytes = held
  }

  #skipValue(): void {
    switch (this.peek()) {
      case QUOTE:
        this.string()
        return
      case OPEN_BRACE:
      case OPEN_BRACKET:
        this.#skipNested()
        return
      default:
        if (!this.word("true") && !this.word("false") && !this.word("null")) this.scanNumber()
    }
  }

  #skipNested(): void {
    const start = this.position
    const known = this.#skipped?.get(start)
    if (known !== undefined) {
      this.position = known
      return
    }
    const isObject = this.text.charCodeAt(start) === OPEN_BRACE
    if (isObject ? this.openObject() : this.openArray()) this.#skipItems(isObject)
    if (this.position - start < worthRemembering) return
    this.#skipped ??= new Map()
    this.#skipped.set(start, this.position)
  }

  #skipItems(isObject: boolean): void {
    const start = this.position
    const loop = this.slices?.enter(~start, null, start, false)
    if (loop !== undefined) this.position = loop.position
    if (loop?.state !== true || (isObject ? this.moreMembers() : this.moreElements())) {
      do {
        if (isObject) this.memberName()
        this.#skipValue()
        this.slices?.step(this.position, true)
      } while (isObject ? this.moreMembers() : this.moreElements())
    }
    this.slices?.leave(this.position - start < worthSaving ? 0 : worthSaving)
  }
}

const malformedEscape = "A string has a malformed escape"

const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

const find = (text: string, from: number): number => {
  const at = text.indexOf("\\", from)
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

/** The next quotation mark, or -1 where there is none up to a place. */
const quoteWithin = (text: string, from: number, end: number): number => {
  const soon = Math.min(from + SOON, end)
  for (let at = from; at < soon; at++) if (text.charCodeAt(at) === QUOTE) return at
  const found = text.slice(soon, end + 1).indexOf('"')
  return found < 0 ? -1 : soon + found
}
