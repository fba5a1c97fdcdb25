import { GremlinMap, isListOrSet } from "../../../structure/collections/Collections.ts"
import { toDouble } from "../../../structure/numbers/Arithmetic.ts"
import { type GremlinNumber, isNumber, numberKind } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { EnumValue } from "../../../structure/scalars/Enums.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { dateOfTimestamp } from "../../../structure/times/Dates.ts"
import { Timestamp } from "../../../structure/times/Temporal.ts"
import type { Budget } from "../budget/Budget.ts"
import { addItems, MAX_NESTING_LEVELS, MAX_OPERATION_ITEMS } from "../budget/ValueItems.ts"
import { asText } from "../methods/MethodTable.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { jsonEscapes } from "./JsonEscapes.ts"

type Static = readonly [count: number, run: (args: readonly unknown[], budget: Budget) => unknown]

/** Methods of Groovy's JsonOutput. */
export const jsonOutput: { readonly [name: string]: Static } = {
  toJson: [1, ([value], budget) => new Output(budget).json(value)],
  prettyPrint: [1, ([text], budget) => new Output(budget).indented(asText(text))]
}

/** Characters that JsonOutput escapes: it writes ASCII only. */
const ESCAPED = /["\\]|[^ -~]/g

/** The short escapes by what they stand for. A slash needs none. */
const shortEscapes: ReadonlyMap<string, string> = new Map(
  Array.from(jsonEscapes, ([code, character]) => [character, `\\${code}`] as const).filter(
    ([character]) => character !== "/"
  )
)

/** Characters that are escaped at once, before the length of the text is checked again. */
const PIECE_CHARS = 65_536

const escaped = (text: string): string =>
  text.replace(ESCAPED, (found) => shortEscapes.get(found) ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A part of a text in JSON: a string, a bracket, a comma, a colon, a number or a word. */
const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}[\],:])|([-+\d.eE]+|true|false|null))\s*/suy

/** Work of a value or a token, in items: one takes about as long as a member of a sum. */
const VALUE_ITEMS = 2
/** Maximum number of tokens that are indented in one operation. */
const MAX_TOKENS = MAX_OPERATION_ITEMS / VALUE_ITEMS

/** Builds one text. */
class Output {
  readonly #budget: Budget
  #text = ""

  constructor(budget: Budget) {
    this.#budget = budget
  }

  /** The text of a value. */
  json(value: unknown): string {
    // A collection may occur several times in the value, so its members are counted before the text is built.
    this.#budget.spend(VALUE_ITEMS * addItems(value, 0, 0), "toJson()")
    this.#write(value)
    return this.#budget.string(this.#text)
  }

  #add(text: string): void {
    this.#text += text
    this.#budget.growing(this.#text.length)
  }

  #quote(text: string): void {
    this.#add('"')
    for (let at = 0; at < text.length; at += PIECE_CHARS) this.#add(escaped(text.slice(at, at + PIECE_CHARS)))
    this.#add('"')
  }

  #write(value: unknown): void {
    if (value instanceof GremlinMap) this.#map(value)
    else if (isListOrSet(value)) this.#list(membersOf(value, "toJson()"))
    else this.#scalar(value)
  }

  #map(map: GremlinMap): void {
    let before = "{"
    for (const [key, value] of map) {
      if (key === null) throw failure("Maps with null keys can't be converted to JSON")
      this.#add(before)
      this.#quote(this.#budget.text(key))
      this.#add(":")
      this.#write(value)
      before = ","
    }
    this.#add(map.size === 0 ? "{}" : "}")
  }

  #list(members: readonly unknown[]): void {
    this.#add("[")
    for (const [at, member] of members.entries()) {
      if (at > 0) this.#add(",")
      this.#write(member)
    }
    this.#add("]")
  }

  #scalar(value: unknown): void {
    if (value === null || typeof value === "boolean") this.#add(String(value))
    else if (typeof value === "string") this.#quote(value)
    else if (isNumber(value)) this.#number(value)
    else if (value instanceof Timestamp) {
      this.#quote(
        dateOfTimestamp(value)
          .toISOString()
          .replace(/\.\d+Z$/, "+0000")
      )
    } else if (isText(value)) this.#quote(this.#budget.text(value))
    else throw notWritten(value)
  }

  #number(value: GremlinNumber): void {
    const text = this.#budget.text(value)
    const isFloating = /^(?:Double|Float)$/.test(numberKind(value))
    if (isFloating && !Number.isFinite(toDouble(value))) {
      const reason = text === "NaN" ? "NaN are" : "infinite are"
      throw failure(`Number ${text} can't be serialized as JSON: ${reason} not allowed in JSON.`)
    }
    this.#add(text)
  }

  /** The text with its parts in lines of their own, as prettyPrint() writes it. */
  indented(text: string): string {
    this.#budget.whole(text)
    let depth = 0
    let tokens = 0
    let at = 0
    while (at < text.length) {
      TOKEN.lastIndex = at
      const [whole, string, mark, word] = TOKEN.exec(text) ?? []
      if (whole === undefined)
        throw failure(`prettyPrint() takes a text in JSON, not one with ${JSON.stringify(text.slice(at, at + 10))}`)
      at = TOKEN.lastIndex
      if (++tokens > MAX_TOKENS) this.#budget.spend(VALUE_ITEMS * tokens, "prettyPrint()")
      if (string !== undefined) {
        if (string.includes("\\")) this.#budget.spend(string.length, "prettyPrint()")
        this.#quote(unescaped(string))
      } else if (mark === "{" || mark === "[") this.#add(mark + lineAt(++depth))
      else if (mark === "}" || mark === "]") {
        depth = Math.max(0, depth - 1)
        this.#add(lineAt(depth) + mark)
      } else if (mark === ",") this.#add(`,${lineAt(depth)}`)
      else this.#add(mark === ":" ? ": " : word!)
    }
    this.#budget.spend(VALUE_ITEMS * tokens, "prettyPrint()")
    return this.#budget.string(this.#text)
  }
}

const lineAt = (depth: number): string => {
  if (depth > MAX_NESTING_LEVELS) throw failure(`prettyPrint() takes JSON of at most ${MAX_NESTING_LEVELS} levels`)
  return `\n${"    ".repeat(depth)}`
}

/** The characters of a string in JSON. Unknown escapes stay as they are written. */
const unescaped = (string: string): string =>
  string.slice(1, -1).replace(/\\(?:u([\da-fA-F]{4})|(.))/gsu, (whole, hex: string | undefined, code: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    return jsonEscapes.get(code) ?? whole
  })

/** Values that are written as their text. */
const isText = (value: unknown): boolean =>
  value instanceof Char || value instanceof Uuid || value instanceof EnumValue || value instanceof TextBuilder

const notWritten = (value: unknown): OperandError =>
  new OperandError(
    `toJson() takes maps, lists, texts, numbers, booleans, dates and UUIDs, not ${typeName(value)}: ` +
      "valueMap() and elementMap() give the properties of an element, and toString() the text of a value"
  )

const failure = (problem: string): OperandError => new OperandError(problem, "JsonException", problem)
