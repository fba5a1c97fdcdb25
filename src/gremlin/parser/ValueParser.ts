import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { parseDate } from "../../structure/Dates.ts"
import { Detached } from "../../structure/Element.ts"
import { Uuid } from "../../structure/Temporal.ts"
import { MalformedText } from "../../structure/ValueErrors.ts"
import {
  Expression,
  FreshExpression,
  MapExpression,
  type Operand,
  RangeExpression,
  SetExpression,
  VertexExpression
} from "../Script.ts"
import { noCode } from "../SyntaxErrors.ts"
import { holdsVariable } from "../script/Data.ts"
import { COLON, COMMA, LEFT_PAREN, MINUS, RIGHT_BRACE, RIGHT_BRACKET, RIGHT_PAREN } from "./Characters.ts"
import { anything, Kind } from "./Kinds.ts"
import { LoopKind, ParserBase } from "./ParserBase.ts"

/** Items all ranges of a script may have together; a range of a few characters could otherwise fill the memory. */
const maximumRangeItems = 1_000_000

/** The integers from one to another, both included. */
export const numbersBetween = (from: number, to: number): Array<number> => {
  const numbers: Array<number> = []
  if (from <= to) for (let at = from; at <= to; at++) numbers.push(at)
  else for (let at = from; at >= to; at--) numbers.push(at)
  return numbers
}

/** A collection while it is read. */
interface Collected {
  type: "undecided" | "list" | "map"
  readonly list: Array<unknown>
  map: GremlinMap
  /** Takes the map's place once a key is a variable. */
  entries: Array<[Operand, Operand]> | undefined
}

/** Values: lists, maps, sets, ranges, dates, UUIDs, vertices. */
export abstract class ValueParser extends ParserBase {
  #rangeItems = 0

  /** `[1, 2]`, `[a: 1]`, `[]` or `[:]`. The position is at the bracket. */
  protected bracket(): Operand {
    const start = this.position
    this.position++
    const first = this.skip()
    if (first === RIGHT_BRACKET) {
      this.position++
      this.kind = Kind.list
      return []
    }
    if (first === COLON) {
      this.position++
      this.expect(RIGHT_BRACKET, "']' of an empty map [:]")
      this.kind = Kind.map
      return new GremlinMap()
    }
    this.enter()
    const slices = this.slices
    let collected: Collected = { type: "undecided", list: [], map: new GremlinMap(), entries: undefined }
    let count = 0
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.collection), collected, this.position, 0)
      collected = loop.items as Collected
      count = loop.state as number
      this.position = loop.position
    }
    for (;;) {
      if (count > 0) {
        const code = this.skip()
        if (code === RIGHT_BRACKET) break
        if (code !== COMMA) throw this.unexpected(`',' or ']' in a ${collected.type}`)
        this.position++
      }
      this.#item(collected)
      count++
      slices?.step(this.position, count)
    }
    slices?.leave(count)
    this.position++
    this.leave()
    this.kind = collected.type === "map" ? Kind.map : Kind.list
    if (collected.type === "list") return collected.list
    return collected.entries === undefined ? collected.map : new MapExpression(start, collected.entries)
  }

  #item(collected: Collected): void {
    const naked = collected.type === "list" ? undefined : this.#nakedKey()
    const key = naked ?? this.expression(anything, 0)
    if (collected.type === "undecided") collected.type = naked !== undefined || this.skip() === COLON ? "map" : "list"
    if (collected.type === "list") collected.list.push(this.asData(key))
    else {
      this.expect(COLON, "':' between key and value of a map")
      this.#entry(collected, key, this.asData(this.expression(anything, 0)))
    }
  }

  #entry(collected: Collected, key: Operand, value: unknown): void {
    if (collected.entries === undefined && (key instanceof Expression || holdsVariable(key))) {
      collected.entries = [...collected.map]
    }
    if (collected.entries === undefined) collected.map.set(key, value)
    else collected.entries.push([key, value])
  }

  /** A word before a colon, which is a string; or `(word)` before one: a constant of T or Direction, or a variable. */
  #nakedKey(): unknown {
    const start = this.position
    const parenthesised = this.skip() === LEFT_PAREN
    if (parenthesised) {
      this.position++
      this.skip()
    }
    const at = this.position
    const name = this.name()
    if (name !== "" && (!parenthesised || this.skip() === RIGHT_PAREN)) {
      if (parenthesised) this.position++
      if (this.skip() === COLON) return parenthesised ? this.bareName(name, at, 0, Kind.T | Kind.Direction) : name
    }
    this.position = start
    return undefined
  }

  /** `{1, 2}`. The position is at the brace. */
  protected brace(): Operand {
    const start = this.position
    this.position++
    this.#refuseClosure(start)
    this.enter()
    const slices = this.slices
    let items: Array<unknown> = []
    let calculated = 0
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.collection), items, this.position, 0)
      items = loop.items as Array<unknown>
      calculated = loop.state as number
      this.position = loop.position
    }
    for (;;) {
      const code = this.skip()
      if (code === RIGHT_BRACE) break
      if (items.length > 0) {
        if (code !== COMMA) throw this.failAt(start, noCode("a set {1, 2} or a closure begins here"))
        this.position++
      }
      const item = this.asData(this.expression(anything, 0))
      if (holdsVariable(item)) calculated = 1
      items.push(item)
      slices?.step(this.position, calculated)
    }
    slices?.leave(items.length)
    this.position++
    this.leave()
    this.kind = Kind.set
    return calculated === 1 ? new SetExpression(start, items) : new GremlinSet(items)
  }

  #refuseClosure(start: number): void {
    const text = this.text
    const head = /^\s*(?:->|it\b|(?:def\s+)?[A-Za-z_$][\w$]*\s*(?:,\s*[A-Za-z_$][\w$]*\s*)*->)/
    if (head.test(text.slice(this.position, this.position + 200)))
      throw this.failAt(start, noCode("a closure begins here"))
  }

  /** `from..to`, both included; the position is behind the two points. */
  protected range(from: Operand, fromKind: number, start: number): Operand {
    const to = this.rangeEnd()
    const kind = this.kind
    this.kind = Kind.list
    if (typeof from === "number" && typeof to === "number" && (fromKind & kind & Kind.integer) !== 0) {
      this.#countRange(Math.abs(to - from) + 1, start)
      return numbersBetween(from, to)
    }
    if (typeof from === "string" && typeof to === "string") return this.#textRange(from, to, start)
    return new RangeExpression(start, from, to)
  }

  /** The end of a range: an operand. */
  protected abstract rangeEnd(): Operand

  #countRange(items: number, start: number): void {
    this.#rangeItems += items
    if (this.#rangeItems > maximumRangeItems) {
      throw this.failAt(start, `this range is too wide: the ranges of a script have ${maximumRangeItems} items at most`)
    }
  }

  #textRange(from: string, to: string, start: number): Array<string> {
    const prefix = from.slice(0, -1)
    if (from.length !== to.length || to.slice(0, -1) !== prefix) {
      throw this.failAt(start, "the two ends of a range of strings may differ in their last character only")
    }
    if (from === "") return []
    const first = from.charCodeAt(from.length - 1)
    const last = to.charCodeAt(to.length - 1)
    this.#countRange(Math.abs(last - first) + 1, start)
    const step = first <= last ? 1 : -1
    const length = Math.abs(last - first) + 1
    return Array.from({ length }, (_, index) => prefix + String.fromCharCode(first + step * index))
  }

  /** `datetime('2024-01-01T00:00:00Z')` or `datetime()`; the position is at the parenthesis. */
  protected datetime(start: number): Operand {
    const text = this.#textArgument("datetime()")
    this.kind = Kind.date
    if (text === undefined) return new FreshExpression(start, "datetime")
    try {
      return parseDate(text)
    } catch (error) {
      if (error instanceof MalformedText) throw this.failAt(start, error.message)
      throw error
    }
  }

  /** `UUID('...')` or `UUID()`; the position is at the parenthesis. */
  protected uuid(start: number): Operand {
    const text = this.#textArgument("UUID()")
    this.kind = Kind.uuid
    if (text === undefined) return new FreshExpression(start, "uuid")
    if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text)) {
      throw this.failAt(start, `${JSON.stringify(text.slice(0, 60))} is not a UUID: 8-4-4-4-12 hexadecimal digits`)
    }
    return new Uuid(text)
  }

  #textArgument(what: string): string | undefined {
    this.position++
    const quote = this.skip()
    if (quote === RIGHT_PAREN) {
      this.position++
      return undefined
    }
    if (quote !== 34 && quote !== 39) throw this.unexpected(`a string in ${what}`)
    const text = this.string(quote)
    this.expect(RIGHT_PAREN, `')' of ${what}`)
    return text
  }

  /** `new ReferenceVertex(id, label)`; the position is at the parenthesis. */
  protected vertex(start: number, name: string): Operand {
    const args = this.anyArguments(name)
    if (args.length < 1 || args.length > 2) {
      throw this.failAt(start, `${name}() takes an id and a label, such as ${name}(1, 'person')`)
    }
    const [id, label = "vertex"] = args
    this.kind = Kind.element
    if (id instanceof Expression || holdsVariable(id) || typeof label !== "string") {
      return new VertexExpression(start, id, label)
    }
    return new Detached().addVertex(id, label)
  }

  /** `Infinity` and `-Infinity`; the position is at a sign or the word. Undefined when it is not there. */
  protected infinity(): number | undefined {
    const negative = this.peek() === MINUS
    const start = this.position
    if (negative || this.peek() === 43) this.position++
    if (this.name() === "Infinity") {
      this.kind = Kind.decimal
      return negative ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    }
    this.position = start
    return undefined
  }
}
