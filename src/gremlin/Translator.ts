import { Binding, Bytecode, type Instruction, Lambda, StrategySpec, Variable } from "../process/language/Bytecode.ts"
import { ClosureSource } from "../process/language/Closure.ts"
import { ConnectiveP, isSearchComparison, NotP, P, type Predicate, TextP } from "../process/language/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../structure/collections/Collections.ts"
import { isElement, Vertex } from "../structure/elements/Element.ts"
import { Geoshape } from "../structure/geoshapes/Geoshape.ts"
import { decimalText } from "../structure/numbers/Decimal.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, isInt, Short } from "../structure/numbers/Numbers.ts"
import { doubleText, floatText } from "../structure/numbers/NumberText.ts"
import { ClassName } from "../structure/scalars/ClassNames.ts"
import { EnumValue } from "../structure/scalars/Enums.ts"
import { Uuid } from "../structure/scalars/Uuid.ts"
import { text } from "../structure/texts/Text.ts"
import { dateOfTimestamp, dateText } from "../structure/times/Dates.ts"
import { OffsetDateTime, Timestamp } from "../structure/times/Temporal.ts"

/**
 * The Gremlin text of a traversal, in the canonical form of gremlin-lang 3.8: enumerations and predicates with their prefix,
 * nested traversals with `__`, numbers with the suffix of their type. The parser returns the same traversal for the text, except for
 * values without a literal. Elements other than vertices become their ids, a Float NaN becomes a Double, and Char and Timestamp
 * become the nearest literal. A value that a driver bound becomes a variable with its name.
 */
export const translate = (bytecode: Bytecode, source = "g"): string =>
  new Translation(Number.POSITIVE_INFINITY).traversal(bytecode, source)

/** The literal of a value. */
export const literal = (value: unknown): string => new Translation(Number.POSITIVE_INFINITY).literal(value)

/**
 * The first `longest` characters of the Gremlin text of a traversal. The rest is not translated, so that the cost does not depend
 * on the length of the traversal.
 */
export const translateBeginning = (bytecode: Bytecode, longest: number): string => {
  const text = new Translation(longest + 1).traversal(bytecode, "g")
  return text.length > longest ? `${text.slice(0, longest)}...` : text
}

const escapes: { readonly [character: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
  $: "\\$"
}

const numberLiteral = (value: unknown): string | undefined => {
  if (value instanceof Double) return doubleText(value.value)
  if (value instanceof Float)
    return Number.isFinite(value.value) ? `${floatText(value.value)}f` : floatText(value.value)
  if (value instanceof Byte) return `${value.value}b`
  if (value instanceof Short) return `${value.value}s`
  if (value instanceof BigInteger) return `${value.value}n`
  return value instanceof BigDecimal ? `${decimalText(value)}m` : undefined
}

/** A date. datetime() takes no distant one. */
const timestampLiteral = (value: Timestamp): string => {
  const isDistant = Math.abs(value.epochMillis) > MAX_DATETIME_MS
  return isDistant ? `new Date(${value.millis}L)` : `datetime("${dateOfTimestamp(value).toISOString()}")`
}

/** The farthest from 1970 that a datetime() can be, less a day. */
const MAX_DATETIME_MS = 8.64e15 - 86_400_000

const escaped = (character: string): string =>
  escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Writes the text of one traversal or value, up to a limit of its length. */
class Translation {
  /** Number of characters until the limit is reached. */
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  traversal(bytecode: Bytecode, source: string): string {
    const instructions = [bytecode.sourceInstructions, bytecode.stepInstructions].flat()
    const calls = this.#joined(instructions, ".", this.#call)
    return calls === "" ? source : `${source}.${calls}`
  }

  /** Writes values until the limit is reached. */
  #joined<A>(values: Iterable<A>, separator: string, write: (value: A) => string): string {
    let text = ""
    let first = true
    for (const value of values) {
      if (this.#left <= 0) break
      if (first) text = write(value)
      else {
        this.#left -= separator.length
        text += separator + write(value)
      }
      first = false
    }
    return text
  }

  readonly #call = (instruction: Instruction): string => {
    this.#left -= instruction.operator.length + 2
    return `${instruction.operator}(${this.#joined(instruction.args, ", ", this.#argument)})`
  }

  readonly #argument = (value: unknown): string => (value instanceof ClassName ? value.simpleName : this.literal(value))

  /** The literal of a value. */
  readonly literal = (value: unknown): string => {
    const isObject = typeof value === "object" && value !== null
    const text = isObject ? numberLiteral(value) : this.#plain(value)
    if (text === undefined) return this.#objectLiteral(value as object)
    this.#left -= text.length
    return text
  }

  #plain(value: unknown): string {
    switch (typeof value) {
      case "string":
        return this.#quoted(value)
      case "number":
        return isInt(value) ? String(value) : doubleText(value)
      case "bigint":
        return `${value}l`
      case "boolean":
        return String(value)
      default:
        return value === null || value === undefined ? "null" : this.#quoted(text(value))
    }
  }

  #objectLiteral(value: object): string {
    if (value instanceof Bytecode) return this.#nested(value)
    if (value instanceof EnumValue) return `${value.enumName}.${value.name}`
    if (value instanceof P || value instanceof ConnectiveP || value instanceof NotP) return this.#predicate(value)
    if (value instanceof Variable) return value.name
    // The value may be private, and texts of requests are logged.
    if (value instanceof Binding) return value.key
    if (value instanceof StrategySpec) return this.#strategy(value)
    return this.#collection(value) ?? this.#other(value)
  }

  #nested(bytecode: Bytecode): string {
    const [first] = bytecode.sourceInstructions
    if (first?.operator === "CardinalityValueTraversal") {
      const [cardinality, value] = first.args
      return `Cardinality.${cardinality instanceof EnumValue ? cardinality.name : cardinality}(${this.literal(value)})`
    }
    return bytecode.stepInstructions.length === 0 ? "__.identity()" : this.traversal(bytecode, "__")
  }

  #predicate(value: Predicate): string {
    if (value instanceof NotP) return `P.not(${this.#predicate(value.predicate)})`
    if (value instanceof ConnectiveP) {
      return this.#connective(value)
    }
    if (value instanceof TextP) {
      const owner = isSearchComparison(value.operator) ? "" : "TextP."
      return `${owner}${value.operator}(${this.literal(value.value)})`
    }
    const two = value.operator === "inside" || value.operator === "outside" || value.operator === "between"
    const operands =
      two && Array.isArray(value.value) ? this.#joined(value.value, ", ", this.literal) : this.literal(value.value)
    return `P.${value.operator}(${operands})`
  }

  #connective({ operator, predicates }: ConnectiveP): string {
    let first = true
    return this.#joined(predicates, ".", (one) => {
      if (!first) return `${operator}(${this.#predicate(one)})`
      first = false
      return this.#predicate(one)
    })
  }

  #strategy(spec: StrategySpec): string {
    const configuration = this.#joined(spec.configuration, ", ", ([key, value]) => `${key}: ${this.literal(value)}`)
    return configuration === "" ? spec.name : `new ${spec.name}(${configuration})`
  }

  #collection(value: object): string | undefined {
    if (Array.isArray(value)) return `[${this.#joined(value, ", ", this.literal)}]`
    if (value instanceof BulkSet) return `[${this.#joined(value.repeated(), ", ", this.literal)}]`
    if (value instanceof GremlinSet) return `{${this.#joined(value, ", ", this.literal)}}`
    if (!(value instanceof GremlinMap)) return undefined
    const entries = this.#joined(value, ", ", ([key, item]) => `${this.#mapKey(key)}: ${this.literal(item)}`)
    return entries === "" ? "[:]" : `[${entries}]`
  }

  /** The key of a map: strings, numbers and lists as literals, all others in parentheses. */
  #mapKey(key: unknown): string {
    const bare = typeof key === "string" || typeof key === "number" || typeof key === "bigint" || Array.isArray(key)
    return bare ? this.literal(key) : `(${this.literal(key)})`
  }

  #other(value: object): string {
    if (value instanceof OffsetDateTime) return `datetime("${dateText(value)}")`
    if (value instanceof Timestamp) return timestampLiteral(value)
    if (value instanceof Uuid) return `UUID("${value.text}")`
    if (value instanceof Vertex) return `new ReferenceVertex(${this.literal(value.id)}, ${this.#quoted(value.label)})`
    if (value instanceof ClassName) return `${value.name.startsWith("[") ? value.simpleName : value.name}.class`
    if (value instanceof Geoshape) return this.#shape(value)
    if (value instanceof Lambda) return `{${value.script}}`
    if (value instanceof ClosureSource) return value.text
    return isElement(value) ? this.literal(value.id) : this.#quoted(text(value))
  }

  #shape(value: Geoshape): string {
    const { shape } = value
    if (shape.kind === "point") return `Geoshape.point(${shape.latitude}, ${shape.longitude})`
    if (shape.kind === "circle") return `Geoshape.circle(${shape.latitude}, ${shape.longitude}, ${value.kilometres})`
    if (shape.kind === "box") return `Geoshape.box(${shape.south}, ${shape.west}, ${shape.north}, ${shape.east})`
    return shape.kind === "other" ? this.#quoted(String(value)) : `Geoshape.fromWkt(${this.#quoted(String(value))})`
  }

  /** A string in double quotes. Control characters, lone surrogates, and dollar signs that would begin a value are escaped. */
  #quoted(value: string): string {
    const wanted = value.length > this.#left ? value.slice(0, this.#left) : value
    return `"${wanted.replace(/["\\\p{Cc}\p{Cs}]|\$(?=[{\p{L}\p{Nl}\p{Sc}\p{Pc}])/gu, escaped)}"`
  }
}
