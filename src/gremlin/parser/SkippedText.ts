import { wordsBeforeValue } from "./BraceScans.ts"
import { endOfLine } from "./Characters.ts"

/** What may hold the text of a function without defining it, a comment or a string, and brackets, in which a line goes on. */
const BEGINNING = /\/\/|\/\*|\/|"""|'''|["']|[()[\]{}]/g

/** What ends a string after its quote, or a part of it: escaped characters and what is between them, and the end of its line. */
const ENDS_OF_STRINGS: { readonly [quote: string]: RegExp } = {
  "'": /(?:\\[^\n][^'\\\n]{0,100}){1,100}|[\n']/g,
  '"': /(?:\\[^\n][^"\\\n]{0,100}){1,100}|[\n"]/g
}

/** What ends a string in slashes, or a part of it: an escaped character, and an empty line, which it may not contain. */
const END_OF_SLASHY = /\\[\s\S]|\n\n|\//g

/** The end of a value, after which a slash divides. A word ends one, except those before a value. */
const END_OF_VALUE = /[\p{L}\p{N}_$)\]}"'\\]/u

/** Operators after a value, after which a slash divides. */
const AFTER_VALUE = /(?:\+\+|--)$/

const BEFORE_VALUE = new RegExp(`(?:^|[^\\w$.])(?:${[...wordsBeforeValue].join("|")})$`)

/** Characters before a slash in which such a word, and the character before it, are looked for. */
const WORD_CHARS = 11

/** The comments and strings of a script, for questions in the order of their offsets. Its time is linear in the text. */
export class SkippedText {
  readonly #text: string
  /** All comments and strings that begin before this offset have ended at it. */
  #to = 0
  #hasUnclosedComment = false
  /** Where the last comment begins and ends. Comments with only white space between them are one. */
  #commentFrom = 0
  #commentTo = 0
  /** The opening brackets that nothing has closed yet. */
  readonly #open: Array<string> = []

  constructor(text: string) {
    this.#text = text
  }

  /** Whether a comment or a string begins before an offset and ends after it. Later questions have greater offsets. */
  covers(end: number): boolean {
    while (this.#to < end) {
      BEGINNING.lastIndex = this.#to
      const found = BEGINNING.exec(this.#text)
      this.#to = found === null || found.index >= end ? end : this.#afterOne(found[0], BEGINNING.lastIndex)
    }
    return this.#to > end
  }

  /** The end of a comment or a string whose beginning ends at an offset. The end of a bracket, which it notes. */
  #afterOne(opening: string, at: number): number {
    if (opening === "/") return this.#afterSlash(at)
    if ("([{".includes(opening)) this.#open.push(opening)
    else if (")]}".includes(opening)) this.#open.pop()
    else return this.#afterText(opening, at)
    return at
  }

  #afterText(opening: string, at: number): number {
    const ends = ENDS_OF_STRINGS[opening]
    if (ends !== undefined) return this.#afterString(ends, at)
    if (opening === "/*") return this.#afterComment(at)
    if (opening === "//") return this.#commented(at, endOfLine(this.#text, at, this.#text.length))
    return this.#endOf(opening, at) + opening.length
  }

  #endOf(closing: string, at: number): number {
    const end = this.#text.indexOf(closing, at)
    return end < 0 ? this.#text.length : end
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

  /** The end of a string, or of its line if no quote closes it. A loop, because one pattern for a string of megabytes has no stack. */
  #afterString(ends: RegExp, at: number): number {
    ends.lastIndex = at
    for (let found = ends.exec(this.#text); found !== null; found = ends.exec(this.#text)) {
      if (found[0] === "\n") return found.index
      if (found[0].length === 1) return ends.lastIndex
    }
    return this.#text.length
  }

  /** One that is not closed is none: it may be a part of a string that begins where a slash seems to divide. */
  #afterComment(at: number): number {
    const end = this.#hasUnclosedComment ? -1 : this.#text.indexOf("*/", at)
    this.#hasUnclosedComment = end < 0
    return end < 0 ? at : this.#commented(at, end + 2)
  }

  /** True if a line ends between two offsets, and a statement with it: not in parentheses and brackets. */
  #isNewStatement(from: number, to: number): boolean {
    const innermost = this.#open.at(-1)
    return innermost !== "(" && innermost !== "[" && this.#text.slice(from, to).includes("\n")
  }

  /** The end of a string in slashes. That of the slash itself if it divides, or if no slash closes it. */
  #afterSlash(at: number): number {
    let before = this.#lastOf(at - 1)
    if (before < this.#commentTo) before = this.#lastOf(this.#commentFrom)
    const word = this.#text.slice(Math.max(0, before + 1 - WORD_CHARS), before + 1)
    const isAfterValue = (END_OF_VALUE.test(word.slice(-1)) && !BEFORE_VALUE.test(word)) || AFTER_VALUE.test(word)
    if (isAfterValue && !this.#isNewStatement(before + 1, at - 1)) return at
    END_OF_SLASHY.lastIndex = at
    for (let found = END_OF_SLASHY.exec(this.#text); found !== null; found = END_OF_SLASHY.exec(this.#text)) {
      if (found[0] === "/") return END_OF_SLASHY.lastIndex
      if (found[0] === "\n\n") return at
    }
    return at
  }
}
