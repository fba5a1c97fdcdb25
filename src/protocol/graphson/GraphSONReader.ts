import { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Detached } from "../../structure/elements/Element.ts"
import { beginning } from "../../structure/errors/TaggedError.ts"
import { BigInteger, double, LONG_MAX, LONG_MIN } from "../../structure/numbers/Numbers.ts"
import { COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from "../json/JsonCharacters.ts"
import { scannedInteger } from "../json/JsonNumbers.ts"
import { JsonReader } from "../json/JsonReader.ts"
import { skipValue } from "../json/ValueSkip.ts"
import type { ResumableRead } from "../ResumableRead.ts"
import { ClassTypes } from "./ClassTypes.ts"
import { readStrategy } from "./LanguageReaders.ts"
import { shapeOfMembers, typeReaders } from "./TypeReaders.ts"
import { readElements, readMembers, type ValueReader } from "./ValueReader.ts"

/** Maximum length of the name of a type in an error message. */
const QUOTED_CHARS = 200

/**
 * Brackets of a typed value that do not count as nesting levels. Bytecode opens four brackets for one level of nested
 * traversals: `{"@type":"g:Bytecode","@value":{"step":[[`.
 */
const TYPE_BRACKETS = 1
const BYTECODE_BRACKETS = 3

/** Options of a reader. */
export interface GraphSONOptions {
  /** GraphSON 1 with types: Java class names in "@class" members, and in arrays of name and value. */
  readonly classes: boolean
  /** The type of a JSON integer without a type: Int when it fits, or always Long (the bindings of an HTTP body). */
  readonly integers: "Int" | "Long"
  /** Maximum nesting depth of values. */
  readonly maximumDepth?: number | undefined
  /** The state of a read in time slices; undefined if the text is read at once. */
  readonly long?: ResumableRead | undefined
}

/**
 * Reads values of all GraphSON versions. A typed value names its type, so the versions differ only in the types of
 * TypeReaders.ts and ClassTypes.ts. Elements that are read are detached from any graph.
 */
export class GraphSONReader implements ValueReader {
  readonly json: JsonReader
  readonly #classes: boolean
  readonly #integers: "Int" | "Long"
  #elements: Detached | undefined = undefined

  constructor(text: string, options: GraphSONOptions) {
    this.json = new JsonReader(text, options.maximumDepth, options.long)
    this.#classes = options.classes
    this.#integers = options.integers
  }

  get elements(): Detached {
    this.#elements ??= new Detached()
    return this.#elements
  }

  value(): unknown {
    const { json } = this
    const code = json.peek()
    switch (code) {
      case QUOTE:
        return json.string()
      case OPEN_BRACE:
        return this.#object()
      case OPEN_BRACKET:
        return this.#classes ? this.#arrayOfClass() : this.list()
      default:
        if (json.word("null")) return null
        if (json.word("true")) return true
        if (json.word("false")) return false
        return this.#plainNumber()
    }
  }

  list(): Array<unknown> {
    const values: Array<unknown> = []
    return this.json.openArray() ? readElements(this, values, addItem) : values
  }

  set(): GremlinSet {
    const set = new GremlinSet()
    return this.json.openArray() ? readElements(this, set, addMember) : set
  }

  map(): GremlinMap {
    const { json } = this
    const map = new GremlinMap()
    if (json.peek() === OPEN_BRACE) return json.openObject() ? readMembers(this, map, setMember) : map
    return json.openArray() ? readElements(this, map, setEntry) : map
  }

  /** Reads the value of a type. Null is a value of every type. */
  #typed(type: string): unknown {
    const { json } = this
    json.peek()
    if (json.word("null")) return null
    const reader = typeReaders.get(type)
    if (reader !== undefined) return reader(this)
    if (/^g:\w+Strategy$/.test(type)) return readStrategy(this, type.slice(2))
    return json.fail(`The GraphSON type '${beginning(type, QUOTED_CHARS)}' is not known`)
  }

  #object(): unknown {
    const { json } = this
    if (!json.openObject()) return new GremlinMap()
    const name = json.memberName()
    if (name === "@type" && json.peek() === QUOTE) return this.#typedObject()
    if (name === "@value") return this.#valueFirst()
    if (name === "@class" && this.#classes) return this.#objectOfClass()
    return this.#plainObject(new GremlinMap(), name)
  }

  /** Reads the rest of an object whose next member has this name. */
  #plainObject(map: GremlinMap, name: string): GremlinMap {
    map.set(name, this.value())
    return this.json.moreMembers() ? readMembers(this, map, setMember) : map
  }

  /** After `{"@type":`. An object whose next member is not "@value" is plain data. */
  #typedObject(): unknown {
    const { json } = this
    const type = json.string()
    if (!json.moreMembers()) return new GremlinMap([["@type", type]])
    const name = json.memberName()
    if (name !== "@value") return this.#plainObject(new GremlinMap([["@type", type]]), name)
    const brackets = type === "g:Bytecode" ? BYTECODE_BRACKETS : TYPE_BRACKETS
    json.uncount(brackets)
    const value = this.#typed(type)
    json.uncount(-brackets)
    if (json.peek() === COMMA) json.fail("A typed value has another member beside @type and @value")
    json.closeObject()
    json.unweighTyped()
    return value
  }

  /**
   * After `{"@value":`: the type that follows the value, and the end of the object. The position is that of the value. Undefined if no
   * type follows.
   */
  typeBehind(): { readonly type: string; readonly end: number } | undefined {
    const { json } = this
    json.peek()
    const start = json.position
    skipValue(json)
    let type: string | undefined
    if (json.peek() === COMMA) {
      json.position++
      if (json.memberName() === "@type" && json.peek() === QUOTE) {
        type = json.string()
        json.closeObject()
      }
    }
    const end = json.position
    json.position = start
    return type === undefined ? undefined : { type, end }
  }

  /** After `{"@value":`. The type follows the value, so the reader skips the value first and then comes back to it. */
  #valueFirst(): unknown {
    const behind = this.typeBehind()
    if (behind === undefined) return this.#plainObject(new GremlinMap(), "@value")
    const value = this.#typed(behind.type)
    this.json.position = behind.end
    this.json.unweighTyped()
    return value
  }

  /** After `{"@class":` in GraphSON 1. Dates and ids of edges have a member "value"; all other objects are shapes or maps. */
  #objectOfClass(): unknown {
    const { json } = this
    const name = json.string()
    const type = ClassTypes.typeOf(name)
    if (type === undefined && ClassTypes.isJanusGraph(name)) this.#refuseClass(name)
    const map = new GremlinMap()
    const members = json.moreMembers() ? readMembers(this, map, setMember) : map
    if (type === "janusgraph:Geoshape") return shapeOfMembers(this, members)
    const text = members.get("value")
    if (type === "janusgraph:RelationIdentifier") {
      return typeof text === "string" ? text : json.fail(`A ${type} has no text as its member "value"`)
    }
    return type?.startsWith("gx:") && typeof text === "string" ? ClassTypes.temporal(type, text) : members
  }

  /** An array in GraphSON 1: a class name and a value, or a list. */
  #arrayOfClass(): unknown {
    const { json } = this
    if (!json.openArray()) return []
    const first = this.value()
    if (!json.moreElements()) return [first]
    const numbers = typeof first === "string" && json.peek() === OPEN_BRACKET ? ClassTypes.elementOf(first) : undefined
    const type = typeof first === "string" ? ClassTypes.typeOf(first) : undefined
    if (numbers !== undefined || type !== undefined) {
      const value = numbers === undefined ? this.#typed(type!) : this.#numbers(numbers)
      if (!json.moreElements()) return value
      json.fail("An array of class name and value has a third element")
    }
    const values = readElements(this, [first], addItem)
    if (values.length === 2 && typeof first === "string" && ClassTypes.isJanusGraph(first)) this.#refuseClass(first)
    return values
  }

  /** The numbers of an array of Java. They have no types of their own. */
  #numbers(type: string): Array<unknown> {
    const { json } = this
    const values: Array<unknown> = []
    const addNumber = (_: ValueReader, items: Array<unknown>): void => {
      items.push(this.#typed(type))
    }
    return json.openArray() ? readElements(this, values, addNumber) : values
  }

  /** A value that would be read as a list or a map, without its meaning. */
  #refuseClass(name: string): never {
    return this.json.fail(
      `The class '${beginning(name, QUOTED_CHARS)}' cannot be read in GraphSON 1, which has only RelationIdentifier and Geoshape of ` +
        "JanusGraph's classes. Send GraphSON 3 or GraphBinary"
    )
  }

  #plainNumber(): unknown {
    const { json } = this
    json.scanNumber()
    if (!json.numberIntegral) return double(Number(json.numberText()))
    const value = json.numberValue
    if (this.#integers === "Int" && (value | 0) === value) return value
    const integer = scannedInteger(json)
    return integer >= LONG_MIN && integer <= LONG_MAX ? integer : new BigInteger(integer)
  }
}

const addItem = (reader: ValueReader, values: Array<unknown>): void => {
  values.push(reader.value())
}

const addMember = (reader: ValueReader, set: GremlinSet): void => {
  set.add(reader.value())
}

const setMember = (reader: ValueReader, map: GremlinMap, name: string): void => {
  map.set(name, reader.value())
}

/** Reads a key and its value, which are two elements of an array. */
const setEntry = (reader: ValueReader, map: GremlinMap): void => {
  const key = reader.value()
  if (!reader.json.moreElements()) reader.json.fail("A g:Map has a key without a value")
  map.set(key, reader.value())
}
