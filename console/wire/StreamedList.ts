import { decode, parseJson } from "./Decode.ts"
import type { Value } from "./Values.ts"

/** The text before the results in an answer over HTTP. */
const BEGIN = /"data"\s*:\s*\{\s*"@type"\s*:\s*"g:List"\s*,\s*"@value"\s*:\s*\[/

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125

/** Reads the results of an answer over HTTP while it arrives. */
export class StreamedList {
  #text = ""
  /** Position in the text, and where the present result begins. */
  #at = 0
  #start = -1
  #depth = 0
  #isInText = false
  #isComplete = false

  /** All results have arrived. An answer that ends before is cut. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Takes the next part of the answer. Returns the results that are complete with it. */
  push(part: string): ReadonlyArray<Value> {
    if (this.#isComplete) return []
    this.#text += part
    if (this.#start < 0) {
      const begin = BEGIN.exec(this.#text)
      if (begin === null) return []
      this.#start = begin.index + begin[0].length
      this.#at = this.#start
    }
    const values: Array<Value> = []
    for (; this.#at < this.#text.length && !this.#isComplete; this.#at++) {
      // A backslash at the end of the text waits for the character that it escapes.
      if (this.#isInText && this.#text.charCodeAt(this.#at) === BACKSLASH) {
        if (this.#at + 1 === this.#text.length) break
        this.#at++
      } else if (this.#endsResult(this.#text.charCodeAt(this.#at))) this.#take(values)
    }
    this.#text = this.#text.slice(this.#start)
    this.#at -= this.#start
    this.#start = 0
    return values
  }

  /** Whether the character ends a result. Counts brackets outside of texts. */
  #endsResult(code: number): boolean {
    if (code === QUOTE) this.#isInText = !this.#isInText
    else if (!this.#isInText) {
      if (code === OPEN_BRACKET || code === OPEN_BRACE) this.#depth++
      else if (this.#depth === 0 && code === CLOSE_BRACKET) this.#isComplete = true
      else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) this.#depth--
      return this.#isComplete || (this.#depth === 0 && code === COMMA)
    }
    return false
  }

  #take(values: Array<Value>): void {
    const result = this.#text.slice(this.#start, this.#at)
    this.#start = this.#at + 1
    if (result.trim() !== "") values.push(decode(parseJson(result)))
  }
}
