import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { isInt, LONG_MAX, LONG_MIN } from "../../../structure/numbers/Numbers.ts"
import type { Budget } from "../budget/Budget.ts"
import { MAX_NESTING_LEVELS, MAX_OPERATION_ITEMS } from "../budget/ValueItems.ts"
import { asText, type Methods } from "../methods/MethodTable.ts"
import { toNumber } from "../types/Casts.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { jsonEscapes } from "./JsonEscapes.ts"

/** Groovy's reader of JSON, which has no state. */
export class JsonSlurper {
  get [Symbol.toStringTag](): string {
    return "JsonSlurper"
  }
}

/** Methods of a JsonSlurper. */
export const jsonSlurperMethods: Methods = {
  parseText: [1, 1, (_: JsonSlurper, [text], budget) => valueOfJson(text, budget)]
}

/**
 * The value of a text in JSON: objects are maps, integers are Integer, Long or BigInteger, and other numbers are BigDecimals. Fails with
 * OperandError, as a JsonException, for a text that is no JSON, and for a value that is too large for one operation.
 */
const valueOfJson = (text: unknown, budget: Budget): unknown => {
  if (text === null || text === "") {
    const problem = "Text must not be null or empty"
    throw new OperandError(`parseText(): ${problem}`, "IllegalArgumentException", problem)
  }
  return new JsonText(budget.whole(asText(text)), budget).value()
}

const SPACE = /[ \t\n\r]*/y
const PLAIN = /[^"\\]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y
const WORD = /true|false|null/y

const words: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null]
])

/** Work of a value, and additional work of a map, in items. */
const VALUE_ITEMS = 3
const MAP_ITEMS = 4

/** Reads one text in JSON. */
class JsonText {
  readonly #text: string
  readonly #budget: Budget
  #at = 0
  #items = 0

  constructor(text: string, budget: Budget) {
    this.#text = text
    this.#budget = budget
  }

  /** The value of the whole text. */
  value(): unknown {
    const value = this.#value(0)
    if (this.#next() !== "") throw this.#unexpected("the end of the text")
    return value
  }

  #value(depth: number): unknown {
    this.#count(VALUE_ITEMS)
    if (depth > MAX_NESTING_LEVELS)
      throw this.#failure(`JSON nests at most ${MAX_NESTING_LEVELS} levels deep in scripts`)
    const first = this.#next()
    if (first === "{") return this.#object(depth)
    if (first === "[") return this.#list(depth)
    if (first === '"') return this.#string()
    const word = this.#match(WORD)
    if (word !== "") return words.get(word)
    return this.#number()
  }

  /** Counts work: an item takes about as long as a member of a sum. */
  #count(items: number): void {
    this.#items += items
    if (this.#items > MAX_OPERATION_ITEMS) this.#budget.spend(this.#items, "parseText()")
  }

  #object(depth: number): GremlinMap {
    this.#count(MAP_ITEMS)
    const entries: Array<[unknown, unknown]> = []
    this.#members("}", () => {
      if (this.#next() !== '"') throw this.#unexpected("a key in double quotes")
      const key = this.#string()
      if (this.#next() !== ":") throw this.#unexpected("':' after the key")
      this.#at++
      entries.push([key, this.#value(depth + 1)])
    })
    return new GremlinMap(this.#budget.list(entries) as Array<[unknown, unknown]>)
  }

  #list(depth: number): Array<unknown> {
    const members: Array<unknown> = []
    this.#members("]", () => members.push(this.#value(depth + 1)))
    return this.#budget.list(members)
  }

  /** Reads members with commas between them, up to the bracket that ends them. */
  #members(end: string, read: () => void): void {
    this.#at++
    if (this.#next() !== end) {
      for (;;) {
        read()
        if (this.#next() !== ",") break
        this.#at++
      }
      if (this.#next() !== end) throw this.#unexpected(`',' or '${end}'`)
    }
    this.#at++
  }

  #string(): string {
    const start = ++this.#at
    let read = this.#match(PLAIN)
    for (;;) {
      const next = this.#text[this.#at]
      if (next === '"') break
      if (next !== "\\")
        throw next === undefined ? this.#failure('a text ends without "') : this.#unexpected("an escape such as \\n")
      read += this.#escape()
      read += this.#match(PLAIN)
    }
    this.#at++
    this.#items += (this.#at - start) >> 8
    return this.#budget.string(read)
  }

  #escape(): string {
    this.#count(1)
    const code = this.#text[this.#at + 1] ?? ""
    const known = jsonEscapes.get(code)
    if (known !== undefined) {
      this.#at += 2
      return known
    }
    const hex = this.#text.slice(this.#at + 2, this.#at + 6)
    if (code !== "u" || !/^[\da-fA-F]{4}$/.test(hex)) throw this.#unexpected("an escape such as \\n or \\u00e9")
    this.#at += 6
    return String.fromCharCode(Number.parseInt(hex, 16))
  }

  #number(): unknown {
    NUMBER.lastIndex = this.#at
    const found = NUMBER.exec(this.#text)
    if (found === null) throw this.#unexpected("a value")
    this.#at = NUMBER.lastIndex
    const [whole, fraction, exponent] = found
    if (fraction !== undefined || exponent !== undefined) return toNumber(whole, "BigDecimal")
    // -0 is the Integer 0.
    const number = Number(whole) + 0
    if (isInt(number)) return number
    if (whole.length > LONG_DIGITS) return toNumber(whole, "BigInteger")
    const long = BigInt(whole)
    return long >= LONG_MIN && long <= LONG_MAX ? long : toNumber(whole, "BigInteger")
  }

  /** Skips white space and returns the next character; empty at the end. */
  #next(): string {
    this.#match(SPACE)
    return this.#text[this.#at] ?? ""
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return ""
    this.#at = pattern.lastIndex
    return found[0]
  }

  #unexpected(wanted: string): OperandError {
    const found = this.#text.slice(this.#at, this.#at + 10)
    return this.#failure(
      found === ""
        ? `the text ends where ${wanted} was expected`
        : `found ${JSON.stringify(found)} where ${wanted} was expected`
    )
  }

  #failure(problem: string): OperandError {
    return new OperandError(`this is no JSON at character ${this.#at + 1}: ${problem}`, "JsonException")
  }
}

/** Characters of the longest Long, with its sign. */
const LONG_DIGITS = 20
