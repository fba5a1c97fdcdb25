import type { ResumableDescent } from "../../scheduling/ResumableDescent.ts"
import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { Detached } from "../../structure/Element.ts"
import { BigInteger, type Double, double, Float, LONG_MAX, LONG_MIN } from "../../structure/Numbers.ts"
import { beginning } from "../../structure/StoreErrors.ts"
import { JsonReader, maximumNumberLength } from "../json/JsonReader.ts"
import type { LongRead } from "../LongReads.ts"
import { ClassTypes } from "./ClassTypes.ts"
import type { GraphSONValues } from "./GraphSONValues.ts"
import { strategyReader, typeReaders } from "./TypeReaders.ts"

const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const OPEN_BRACE = 123

/** Characters of a text of the message that an error quotes. */
const QUOTED = 200

/** `{"@type":"g:Bytecode","@value":{"step":[[` are four, for one level of a traversal inside another. */
const BYTECODE_BRACKETS = 3

/** How plain JSON is understood. */
export interface GraphSONOptions {
  /** GraphSON 1 with types: Java class names in "@class" members and in arrays of name and value. */
  readonly classes: boolean
  /** What a JSON integer without a type is: Int when it fits, or always Long (the HTTP body's bindings). */
  readonly integers: "Int" | "Long"
  /** Levels that values may nest. */
  readonly maximumDepth?: number | undefined
  /** The read in slices that the text belongs to. */
  readonly long?: LongRead | undefined
}

/**
 * Reads values of any GraphSON version: a typed value says what it is, so that the versions differ only in what
 * TypeReaders and ClassTypes know. Elements that arrive are detached ones.
 */
export class GraphSONReader extends JsonReader implements GraphSONValues {
  readonly options: GraphSONOptions
  #elements: Detached | undefined

  constructor(text: string, options: GraphSONOptions) {
    super(text, options.maximumDepth, options.long)
    this.options = options
  }

  /** Where the vertices and edges of this text live. */
  get elements(): Detached {
    this.#elements ??= new Detached()
    return this.#elements
  }

  /** Reads the value that begins here, typed or plain. */
  value(): unknown {
    const code = this.peek()
    switch (code) {
      case QUOTE:
        return this.string()
      case OPEN_BRACE:
        return this.#object()
      case OPEN_BRACKET:
        return this.options.classes ? this.#arrayOfClass() : this.list()
      default:
        if (this.word("null")) return null
        if (this.word("true")) return true
        if (this.word("false")) return false
        return this.#plainNumber()
    }
  }

  /** Reads an array of values. */
  list(): Array<unknown> {
    if (this.slices !== null) return this.#listInSlices(this.slices)
    const values: Array<unknown> = []
    if (this.openArray()) {
      do values.push(this.value())
      while (this.moreElements())
    }
    return values
  }

  /** Reads an array of values as a set. */
  set(): GremlinSet {
    const set = new GremlinSet()
    this.peek()
    if (!this.openArray()) return set
    const loop = this.slices?.enter(this.position, set, this.position, 0)
    const found = (loop?.items ?? set) as GremlinSet
    if (loop !== undefined) this.position = loop.position
    let count = (loop?.state ?? 0) as number
    if (count === 0 || this.moreElements()) {
      do {
        found.add(this.value())
        this.slices?.step(this.position, ++count)
      } while (this.moreElements())
    }
    this.slices?.leave(count)
    return found
  }

  #listInSlices(slices: ResumableDescent): Array<unknown> {
    this.peek()
    return this.openArray() ? this.#restInSlices(slices) : []
  }

  /** Reads a map in one of its forms: an object, or an array of keys and values in turn. */
  map(): GremlinMap {
    const map = new GremlinMap()
    if (this.peek() === OPEN_BRACE) return this.openObject() ? this.#members(map) : map
    if (this.slices !== null) return this.#mapInSlices(this.slices)
    if (this.openArray()) {
      do this.#entry(map)
      while (this.moreElements())
    }
    return map
  }

  #entry(map: GremlinMap): void {
    const key = this.value()
    if (!this.moreElements()) this.fail("A g:Map has a key without a value")
    map.set(key, this.value())
  }

  #mapInSlices(slices: ResumableDescent): GremlinMap {
    const key = this.position
    if (!this.openArray()) return new GremlinMap()
    const loop = slices.enter(key, new GremlinMap(), this.position, 0)
    const map = loop.items as GremlinMap
    this.position = loop.position
    let count = loop.state as number
    if (count === 0 || this.moreElements()) {
      do {
        this.#entry(map)
        slices.step(this.position, ++count)
      } while (this.moreElements())
    }
    slices.leave(count)
    return map
  }

  /**
   * Reads the members that follow, of which there is one at least. `read` takes one's value and adds it to `items`; given back
   * are the items, which are those of an earlier slice when one has begun them.
   */
  eachMember<A>(items: A, read: (items: A, name: string) => void): A {
    const loop = this.slices?.enter(this.position, items, this.position, 0)
    const found = (loop?.items ?? items) as A
    if (loop !== undefined) this.position = loop.position
    let count = (loop?.state ?? 0) as number
    if (count === 0 || this.moreMembers()) {
      do {
        read(found, this.memberName())
        this.slices?.step(this.position, ++count)
      } while (this.moreMembers())
    }
    this.slices?.leave(count)
    return found
  }

  /** Adds the members that follow; gives the map, which is that of an earlier slice when one has begun it. */
  #members(map: GremlinMap): GremlinMap {
    if (this.slices !== null) return this.eachMember(map, (found, name) => found.set(name, this.value()))
    do map.set(this.memberName(), this.value())
    while (this.moreMembers())
    return map
  }

  /** Reads the value of a type; null has every type. */
  typed(type: string): unknown {
    this.peek()
    if (this.word("null")) return null
    const reader = typeReaders.get(type)
    if (reader !== undefined) return reader(this)
    if (/^g:\w+Strategy$/.test(type)) return strategyReader(this, type.slice(2))
    this.fail(`The GraphSON type '${beginning(type, QUOTED)}' is not known`)
  }

  #object(): unknown {
    if (!this.openObject()) return new GremlinMap()
    const name = this.memberName()
    if (name === "@type" && this.peek() === QUOTE) return this.#typedObject()
    if (name === "@value") return this.#valueFirst()
    if (name === "@class" && this.options.classes) return this.#objectOfClass()
    return this.#plainObject(name)
  }

  #plainObject(firstName: string): GremlinMap {
    const map = new GremlinMap()
    map.set(firstName, this.value())
    return this.moreMembers() ? this.#members(map) : map
  }

  /** After `{"@type":`. An object with a type but without "@value" next to it is data like any other. */
  #typedObject(): unknown {
    const type = this.string()
    const map = new GremlinMap([["@type", type]])
    if (!this.moreMembers()) return map
    const name = this.memberName()
    if (name === "@value") {
      const brackets = type === "g:Bytecode" ? BYTECODE_BRACKETS : 1
      this.uncount(brackets)
      const value = this.typed(type)
      this.uncount(-brackets)
      if (this.peek() === COMMA) this.fail("A typed value has another member beside @type and @value")
      this.closeObject()
      this.unweighTyped()
      return value
    }
    map.set(name, this.value())
    return this.moreMembers() ? this.#members(map) : map
  }

  /** After `{"@value":`. What the value is stands behind it: the reader looks ahead, then comes back. */
  #valueFirst(): unknown {
    this.peek()
    const start = this.position
    this.skip()
    if (this.peek() === COMMA) {
      this.position++
      if (this.memberName() === "@type" && this.peek() === QUOTE) {
        const type = this.string()
        this.closeObject()
        const end = this.position
        this.position = start
        const value = this.typed(type)
        this.position = end
        this.unweighTyped()
        return value
      }
    }
    this.position = start
    return this.#plainObject("@value")
  }

  /** After `{"@class":` in GraphSON 1: dates are objects with a "value", everything else is a map. */
  #objectOfClass(): unknown {
    const type = ClassTypes.typeOf(this.string())
    const map = this.moreMembers() ? this.#members(new GremlinMap()) : new GremlinMap()
    const text = map.get("value")
    return type?.startsWith("gx:") && typeof text === "string" ? ClassTypes.temporal(type, text) : map
  }

  /** In GraphSON 1 an array may be a class name and its value. */
  #arrayOfClass(): unknown {
    if (!this.openArray()) return []
    const first = this.value()
    const values = [first]
    if (!this.moreElements()) return values
    const type = typeof first === "string" ? ClassTypes.typeOf(first) : undefined
    if (type !== undefined) {
      const value = this.typed(type)
      if (!this.moreElements()) return value
      this.fail("An array of class name and value has a third element")
    }
    if (this.slices === null) {
      do values.push(this.value())
      while (this.moreElements())
      return values
    }
    return [first, ...this.#restInSlices(this.slices)]
  }

  /** What follows in an array that is open. */
  #restInSlices(slices: ResumableDescent): Array<unknown> {
    const loop = slices.enter(this.position, [], this.position, null)
    const values = loop.items as Array<unknown>
    this.position = loop.position
    if (values.length === 0 || this.moreElements()) {
      do {
        values.push(this.value())
        slices.step(this.position, null)
      } while (this.moreElements())
    }
    slices.leave(values.length)
    return values
  }

  #plainNumber(): unknown {
    this.scanNumber()
    if (!this.numberIntegral) return double(Number(this.numberText()))
    const value = this.numberValue
    if (this.options.integers === "Int" && (value | 0) === value) return value
    return integer(this.#digits())
  }

  /** The integer that was scanned last. */
  #digits(): bigint {
    return Number.isNaN(this.numberValue) ? bigIntegerOf(this.numberText()) : BigInt(this.numberValue)
  }

  /** Scans a number, or the text of one in quotes; its text when it was in quotes. */
  #number(): string | undefined {
    if (this.peek() !== QUOTE) {
      this.scanNumber()
      return undefined
    }
    const text = this.string()
    // Calculating them takes the square of their number.
    if (text.length > maximumNumberLength) this.fail(`A number has more than ${maximumNumberLength} characters`)
    return text
  }

  /** Reads an integer of at most 32 bits. */
  smallInteger(minimum: number, maximum: number): number {
    const quoted = this.#number()
    const value = quoted === undefined && this.numberIntegral ? this.numberValue : Number(quoted ?? this.numberText())
    if (!Number.isInteger(value) || value < minimum || value > maximum || quoted?.trim() === "") {
      this.fail(`The number is no integer from ${minimum} to ${maximum}`)
    }
    return value
  }

  /** Reads an integer of any length. */
  bigInteger(): bigint {
    const quoted = this.#number()
    if (quoted === undefined && this.numberIntegral) return this.#digits()
    const text = quoted ?? this.numberText()
    const match = /^([+-]?\d+)(?:\.0*)?$/.exec(text)
    if (match !== null) return bigIntegerOf(match[1]!.replace("+", ""))
    // A whole number of a client that has only floating-point ones.
    const value = Number(text)
    if (text.trim() === "" || !Number.isSafeInteger(value)) this.fail("The number is no integer")
    return BigInt(value)
  }

  /** Reads a 64-bit integer. */
  long(): bigint {
    const value = this.bigInteger()
    if (value < LONG_MIN || value > LONG_MAX) this.fail("The number does not fit an Int64")
    return value
  }

  /** Reads a floating-point number; `"NaN"`, `"Infinity"` and `"-Infinity"` are strings in JSON. */
  floatingPoint(): number {
    const quoted = this.#number()
    const text = quoted ?? this.numberText()
    const value = Number(text)
    if (quoted !== undefined && (text.trim() === "" || (Number.isNaN(value) && text !== "NaN"))) {
      this.fail(`'${beginning(text, QUOTED)}' is no number`)
    }
    return value
  }

  /** Reads a Double. */
  double(): number | Double {
    return double(this.floatingPoint())
  }

  /** Reads a Float. */
  float(): Float {
    return new Float(this.floatingPoint())
  }

  /** Reads the text of a decimal number. */
  decimalText(): string {
    return this.#number() ?? this.numberText()
  }
}

const bigIntegerOf = (digits: string): bigint => {
  return BigInt(digits)
}

/** An integer as a value of the narrowest type from Long on. */
const integer = (value: bigint): bigint | BigInteger =>
  value >= LONG_MIN && value <= LONG_MAX ? value : new BigInteger(value)
