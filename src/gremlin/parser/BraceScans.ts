import {
  ASTERISK,
  BACKSLASH,
  COMMA,
  DOLLAR,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  EXCLAMATION,
  endOfLine,
  GREATER,
  isBlank,
  isDigit,
  isNamePart,
  isNameStart,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  LESS,
  LINE_FEED,
  MINUS,
  PLUS,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH,
  TILDE
} from "./Characters.ts"

/** Maximum number of characters that one look at a brace reads. An outermost block has no more. */
const SCANNED_CHARS = 65_536

/** Maximum number of characters that a look reads at a brace that an earlier look took for a part of a string or comment. */
const DOUBTED_CHARS = 4096

/** What a pair of braces holds outside of all brackets, strings and comments in it. */
export interface Braced {
  /** Whether there is a comma. */
  hasComma: boolean
  /** Whether there is a separator of statements, an assignment, or a keyword that begins a statement. */
  hasStatement: boolean
  /** Whether the word `it` is in the braces, at any depth. */
  hasIt: boolean
  /** Offset of the closing brace, or where the look ended. */
  end: number
}

/** A bracket that is open. `quote` is the quote of the string that goes on after a hole, and empty for other brackets. */
interface Open extends Braced {
  readonly isBrace: boolean
  readonly quote: string
  isEmpty: boolean
}

/** Keywords that begin a statement, and make braces a closure. */
const statementWords: ReadonlySet<string> = new Set(
  "println print return if for while try def var final throw switch assert".split(" ")
)

/** Words between two operands: a line that begins with one goes on with the line before. */
const goingOn = /(?:as|in|instanceof)(?![\w$])/y

/** Words after which a slash begins a string. After any other word it divides. */
export const wordsBeforeValue: ReadonlySet<string> = new Set(
  "println print return case in assert throw else instanceof as do yield".split(" ")
)

/**
 * Tells what the braces of one script hold. A look at a brace reads the text up to its end and notes all braces in between, so
 * that the looks at nested braces together read each character once.
 */
export class BraceScans {
  readonly #text: string
  readonly #known = new Map<number, Braced>()
  #scannedTo = 0

  constructor(text: string) {
    this.#text = text
  }

  /** What the braces hold that open at an offset. */
  at(start: number): Braced {
    const known = this.#known.get(start)
    if (known !== undefined) return known
    const chars = start < this.#scannedTo ? DOUBTED_CHARS : SCANNED_CHARS
    const limit = Math.min(this.#text.length, start + chars)
    new BraceScan(this.#text, limit, this.#known).run(start)
    this.#scannedTo = Math.max(this.#scannedTo, this.#known.get(start)!.end)
    return this.#known.get(start)!
  }
}

const isQuote = (code: number): boolean => code === SINGLE_QUOTE || code === DOUBLE_QUOTE

const opensBracket = (code: number): boolean => code === LEFT_BRACE || code === LEFT_PAREN || code === LEFT_BRACKET

const closesBracket = (code: number): boolean => code === RIGHT_BRACE || code === RIGHT_PAREN || code === RIGHT_BRACKET

/** One pass over the text from a brace to its end. */
class BraceScan {
  readonly #text: string
  readonly #limit: number
  readonly #known: Map<number, Braced>
  readonly #open: Array<Open> = []
  #at = 0
  /** Offset of the last character that is neither blank nor in a comment; -1 directly after the first brace. */
  #last = -1
  /** True when a line break follows that character. */
  #isBroken = false

  constructor(text: string, limit: number, known: Map<number, Braced>) {
    this.#text = text
    this.#limit = limit
    this.#known = known
  }

  run(start: number): void {
    this.#at = start
    do this.#token()
    while (this.#open.length > 0 && this.#at < this.#limit)
    for (const open of this.#open) open.end = this.#limit
  }

  #token(): void {
    const at = this.#at
    const code = this.#text.charCodeAt(at)
    if (code === LINE_FEED) this.#isBroken = true
    if (code === LINE_FEED || isBlank(code)) this.#at++
    else if (code === SLASH && this.#skipsComment()) return
    else {
      if (opensBracket(code)) this.#enter(code === LEFT_BRACE, "")
      else if (closesBracket(code)) this.#leave()
      else this.#read(code)
      this.#last = this.#at - 1
      this.#isBroken = false
    }
  }

  /** Reads a token that is no bracket. */
  #read(code: number): void {
    const inner = this.#open.at(-1)!
    if (this.#beginsLine(code, inner)) inner.hasStatement = true
    if (isNameStart(code)) this.#readWord(inner)
    else if (isQuote(code)) this.#readString(code)
    else if (code === SLASH && this.#beginsValue()) {
      this.#at++
      this.#readText("/")
    } else {
      if (code === COMMA) inner.hasComma = true
      else if (code === SEMICOLON || (code === EQUALS && this.#assigns())) inner.hasStatement = true
      this.#at++
    }
    inner.isEmpty = false
  }

  /** True when a token begins a line although the line before it is complete, so that another statement begins. */
  #beginsLine(code: number, inner: Open): boolean {
    if (!this.#isBroken || inner.isEmpty || inner.hasStatement) return false
    if (!isNameStart(code) && !isQuote(code) && !isDigit(code)) return false
    goingOn.lastIndex = this.#at
    if (goingOn.test(this.#text)) return false
    const before = this.#text.charCodeAt(this.#last)
    return isNamePart(before) || isQuote(before) || closesBracket(before)
  }

  #readWord(inner: Open): void {
    const text = this.#text
    const start = this.#at
    let end = start + 1
    while (end < this.#limit && isNamePart(text.charCodeAt(end))) end++
    this.#at = end
    if (end - start > LONGEST_KEYWORD_CHARS) return
    const word = text.slice(start, end)
    if (word === "it" && text.charCodeAt(this.#last) !== DOT) inner.hasIt = true
    if (inner.isEmpty && statementWords.has(word)) inner.hasStatement = true
  }

  /** True for a single `=` at the position, not that of `==`, `=~`, `<=` and the like. */
  #assigns(): boolean {
    const before = this.#text.charCodeAt(this.#at - 1)
    const after = this.#text.charCodeAt(this.#at + 1)
    if (after === EQUALS || after === TILDE) return false
    return before !== EQUALS && before !== EXCLAMATION && before !== LESS && before !== GREATER
  }

  /** True when a slash begins a string, not a division: it follows an operator, an opening bracket or a keyword. */
  #beginsValue(): boolean {
    const text = this.#text
    const last = this.#last
    const code = text.charCodeAt(last)
    if (closesBracket(code) || isQuote(code) || code === DOT) return false
    if ((code === PLUS || code === MINUS) && text.charCodeAt(last - 1) === code) return false
    if (!isNamePart(code)) return code !== SLASH
    let start = last
    while (start > 0 && last - start < LONGEST_KEYWORD_CHARS && isNamePart(text.charCodeAt(start - 1))) start--
    return wordsBeforeValue.has(text.slice(start, last + 1))
  }

  #enter(isBrace: boolean, quote: string): void {
    const inner = this.#open.at(-1)
    if (inner !== undefined) inner.isEmpty = false
    const open: Open = {
      hasComma: false,
      hasStatement: false,
      hasIt: false,
      end: this.#limit,
      isBrace,
      quote,
      isEmpty: true
    }
    if (isBrace && quote === "") this.#known.set(this.#at, open)
    this.#open.push(open)
    this.#at++
  }

  #leave(): void {
    const closed = this.#open.pop()!
    closed.end = this.#at++
    const outer = this.#open.at(-1)
    if (outer === undefined) return
    if (closed.hasIt) outer.hasIt = true
    if (closed.quote !== "") this.#readText(closed.quote)
  }

  #skipsComment(): boolean {
    const text = this.#text
    const next = text.charCodeAt(this.#at + 1)
    if (next !== SLASH && next !== ASTERISK) return false
    if (next === SLASH) {
      this.#at = endOfLine(text, this.#at, this.#limit)
      return true
    }
    const end = text.indexOf("*/", this.#at + 2)
    const after = end < 0 ? this.#limit : end + 2
    if (text.slice(this.#at, after).includes("\n")) this.#isBroken = true
    this.#at = Math.min(after, this.#limit)
    return true
  }

  #readString(quote: number): void {
    const mark = quote === DOUBLE_QUOTE ? '"' : "'"
    const isTriple = this.#text.startsWith(mark.repeat(3), this.#at)
    this.#at += isTriple ? 3 : 1
    this.#readText(isTriple ? mark.repeat(3) : mark)
  }

  /** Reads the rest of a string up to its end, or up to a hole: what is in a hole is read as a bracket. */
  #readText(mark: string): void {
    const text = this.#text
    const first = mark.charCodeAt(0)
    for (; this.#at < this.#limit; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === BACKSLASH) this.#at++
      else if (code === first && text.startsWith(mark, this.#at)) {
        this.#at += mark.length
        return
      } else if (code === DOLLAR && first !== SINGLE_QUOTE && text.charCodeAt(this.#at + 1) === LEFT_BRACE) {
        this.#at++
        this.#enter(true, mark)
        return
      }
    }
    this.#at = this.#limit
  }
}

/** No keyword is longer. */
const LONGEST_KEYWORD_CHARS = 10
