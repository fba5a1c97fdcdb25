import { GremlinSyntaxError } from "../SyntaxErrors.ts"
import {
  ASTERISK,
  BACKSLASH,
  BYTE_ORDER_MARK,
  CARRIAGE_RETURN,
  DIGIT_0,
  DOUBLE_QUOTE,
  FORM_FEED,
  isDigit,
  isNamePart,
  isNameStart,
  LINE_FEED,
  NO_BREAK_SPACE,
  SLASH,
  SPACE,
  TAB
} from "./Characters.ts"
import { Kind } from "./Kinds.ts"
import { readNumeral } from "./Numerals.ts"

/** What a character means after a backslash; 0 for those that mean nothing or need more characters. */
const escapes = new Uint16Array(128)
for (const [character, meaning] of ["b\b", "t\t", "n\n", "f\f", "r\r", '""', "''", "\\\\", "$$"]) {
  escapes[character!.charCodeAt(0)] = meaning!.charCodeAt(0)
}

const isBlank = (code: number): boolean =>
  code === SPACE ||
  (code <= CARRIAGE_RETURN && (code === TAB || code === CARRIAGE_RETURN || code === FORM_FEED)) ||
  code === NO_BREAK_SPACE ||
  code === BYTE_ORDER_MARK

/** The string of these code units, made in parts because a function takes only so many arguments. */
const textOf = (units: Uint16Array, length: number): string => {
  let result = ""
  for (let at = 0; at < length; at += 4096) {
    result += String.fromCharCode(...units.subarray(at, Math.min(at + 4096, length)))
  }
  return result
}

/** Characters of a name: each is looked at several times. */
const LONGEST_NAME = 10_000

/** Reads the characters of a script: white space, names, strings, numbers. The parser is built on it. */
export class Scanner {
  protected text = ""
  #end = 0
  /** Offset of the next character. */
  protected position = 0
  /** Where the last {@link skip} that went over a line break stopped. */
  protected brokenAt = -1
  /** Kind of the operand read last (see Kinds.ts). */
  protected kind = 0

  /** Begins another script. */
  protected begin(text: string): void {
    this.text = text
    this.#end = text.length
    this.position = 0
    this.brokenAt = -1
  }

  /** Goes over white space and comments; the character that follows, or -1 at the end. */
  protected skip(): number {
    const at = this.position
    if (at >= this.#end) return -1
    const code = this.text.charCodeAt(at)
    if (code > SLASH ? code < NO_BREAK_SPACE : code > SPACE && code !== SLASH) return code
    return this.#skipBlanks()
  }

  #skipBlanks(): number {
    const text = this.text
    let at = this.position
    let broken = false
    let code = 0
    for (;;) {
      code = at < this.#end ? text.charCodeAt(at) : -1
      if (code === LINE_FEED) {
        broken = true
        at++
      } else if (isBlank(code)) at++
      else if (code === SLASH && this.#isComment(at)) {
        const end = this.#afterComment(at)
        broken ||= text.slice(at, end).includes("\n")
        at = end
      } else break
    }
    if (broken) this.brokenAt = at
    this.position = at
    return code
  }

  /** True when a line break lies before the position, with nothing but blanks between. */
  protected get crossedLine(): boolean {
    return this.brokenAt === this.position
  }

  #isComment(at: number): boolean {
    const next = this.text.charCodeAt(at + 1)
    return next === SLASH || next === ASTERISK
  }

  #afterComment(at: number): number {
    if (this.text.charCodeAt(at + 1) === SLASH) {
      const end = this.text.indexOf("\n", at)
      return end < 0 ? this.#end : end
    }
    const end = this.text.indexOf("*/", at + 2)
    if (end < 0) throw this.failAt(at, "a comment begins here and never ends: close it with */")
    return end + 2
  }

  /** The character at an offset from the position, or NaN behind the end. */
  protected peek(offset = 0): number {
    return this.text.charCodeAt(this.position + offset)
  }

  /** The name at the position, or "" when there is none. */
  protected name(): string {
    const text = this.text
    const start = this.position
    if (start >= this.#end || !isNameStart(text.charCodeAt(start))) return ""
    const end = Math.min(this.#end, start + LONGEST_NAME)
    let at = start + 1
    while (at < end && isNamePart(text.charCodeAt(at))) at++
    if (at - start === LONGEST_NAME) throw this.failAt(start, `a name has less than ${LONGEST_NAME} characters`)
    this.position = at
    return text.slice(start, at)
  }

  /** The name that comes next, without going there. */
  protected peekName(): string {
    const before = this.position
    const broken = this.brokenAt
    this.skip()
    const name = this.name()
    this.position = before
    this.brokenAt = broken
    return name
  }

  /** Goes over a character that has to be there. */
  protected expect(code: number, what: string): void {
    if (this.skip() !== code) throw this.unexpected(what)
    this.position++
  }

  /** The string literal at the position, where a quote stands. Three quotes begin and end a string of several lines. */
  protected string(quote: number): string {
    const text = this.text
    const start = this.position
    const triple = text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote
    const first = start + (triple ? 3 : 1)
    this.kind = Kind.string
    for (let at = first; at < this.#end; at++) {
      const code = text.charCodeAt(at)
      if (code === BACKSLASH) return this.#escaped(start, first, quote, triple)
      if (code === quote && (!triple || this.#isTriple(at, quote))) {
        this.position = at + (triple ? 3 : 1)
        return text.slice(first, at)
      }
    }
    throw this.#unterminated(start, quote)
  }

  #isTriple(at: number, quote: number): boolean {
    return this.text.charCodeAt(at + 1) === quote && this.text.charCodeAt(at + 2) === quote
  }

  #unterminated(start: number, quote: number): GremlinSyntaxError {
    const mark = quote === DOUBLE_QUOTE ? '"' : "'"
    return this.failAt(start, `a string begins here and never ends: close it with ${mark}`)
  }

  #escaped(start: number, first: number, quote: number, triple: boolean): string {
    const text = this.text
    let last = first
    while (last < this.#end && !(text.charCodeAt(last) === quote && (!triple || this.#isTriple(last, quote)))) {
      last += text.charCodeAt(last) === BACKSLASH ? 2 : 1
    }
    if (last >= this.#end) throw this.#unterminated(start, quote)
    const units = new Uint16Array(last - first)
    let length = 0
    for (let at = first; at < last; ) {
      const code = text.charCodeAt(at)
      if (code !== BACKSLASH) {
        units[length++] = code
        at++
        continue
      }
      const meaning = escapes[text.charCodeAt(at + 1)] ?? 0
      if (meaning !== 0) {
        units[length++] = meaning
        at += 2
      } else {
        const { unit, end } = this.#longEscape(at)
        if (unit >= 0) units[length++] = unit
        at = end
      }
    }
    this.position = last + (triple ? 3 : 1)
    return textOf(units, length)
  }

  /** An escape sequence of more characters: its code unit, or -1 for a line that is joined to the next, and where it ends. */
  #longEscape(at: number): { readonly unit: number; readonly end: number } {
    const text = this.text
    const next = text[at + 1] ?? ""
    if (next === "u") {
      let from = at + 2
      while (text[from] === "u") from++
      const digits = text.slice(from, from + 4)
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.failAt(at, "\\u needs four hexadecimal digits, as in \\u00e9")
      return { unit: Number.parseInt(digits, 16), end: from + 4 }
    }
    if (next >= "0" && next <= "7") {
      const digits = /^(?:[0-3][0-7]{0,2}|[0-7]{1,2})/.exec(text.slice(at + 1, at + 4))![0]
      return { unit: Number.parseInt(digits, 8), end: at + 1 + digits.length }
    }
    if (next === "\n") return { unit: -1, end: at + 2 }
    if (next === "\r" && text[at + 2] === "\n") return { unit: -1, end: at + 3 }
    throw this.failAt(at, `\\${next} is not an escape sequence; write \\\\ for a backslash itself`)
  }

  /** The number literal at the position, where a sign, a digit or a point stands. */
  protected number(): unknown {
    const text = this.text
    const start = this.position
    // Short integers without sign and suffix are nearly all numbers there are.
    let at = start
    let value = 0
    for (; at - start < 9; at++) {
      const digit = text.charCodeAt(at) - DIGIT_0
      if (!(digit >= 0 && digit <= 9)) break
      value = value * 10 + digit
    }
    const code = text.charCodeAt(at)
    const plain = at > start && (at === start + 1 || text.charCodeAt(start) !== DIGIT_0)
    if (plain && !isNamePart(code) && !isDigit(text.charCodeAt(code === 46 ? at + 1 : at))) {
      this.position = at
      this.kind = Kind.integer
      return value
    }
    const read = readNumeral(text, start)
    if ("problem" in read) throw this.failAt(start, read.problem)
    if (isNamePart(text.charCodeAt(read.end))) {
      throw this.failAt(start, `${JSON.stringify(this.word(start))} is not a number`)
    }
    this.position = read.end
    this.kind = read.integral ? Kind.integer : Kind.decimal
    return read.value
  }

  /** An error at the position: what stands there, and what was expected. */
  protected unexpected(expected: string): GremlinSyntaxError {
    this.skip()
    return this.failAt(this.position, `${this.found()} where ${expected} was expected`)
  }

  /** What stands at the position, quoted for a message. */
  protected found(): string {
    if (this.position >= this.#end) return "the script ends"
    return `there is ${JSON.stringify(this.word(this.position))}`
  }

  /** The name, number or character at an offset, cut to 40 characters. */
  protected word(start: number): string {
    let at = start
    while (at < this.#end && at - start < 40 && isNamePart(this.text.charCodeAt(at))) at++
    return this.text.slice(start, Math.max(at, start + 1))
  }

  protected failAt(position: number, problem: string): GremlinSyntaxError {
    return new GremlinSyntaxError(problem, this.text, position)
  }
}
