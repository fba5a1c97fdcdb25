import { Binding, Bytecode, type Instruction, Lambda, StrategySpec, Variable } from "../process/Bytecode.ts"
import { ConnectiveP, isSearchComparison, NotP, P, type Predicate, TextP } from "../process/Predicate.ts"
import { BulkSet, GremlinMap, GremlinSet } from "../structure/Collections.ts"
import { dateText } from "../structure/Dates.ts"
import { decimalText } from "../structure/Decimal.ts"
import { isElement, Vertex } from "../structure/Element.ts"
import { EnumValue } from "../structure/Enums.ts"
import { Geoshape } from "../structure/Geoshape.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, isInt, Short } from "../structure/Numbers.ts"
import { doubleText, floatText } from "../structure/NumberText.ts"
import { ClassName, OffsetDateTime, Timestamp, Uuid } from "../structure/Temporal.ts"
import { text } from "../structure/Text.ts"

/**
 * The Gremlin text of a traversal, in the canonical form of gremlin-lang 3.8: enumerations and predicates with their
 * prefix, nested traversals with `__`, numbers with the suffix that keeps their kind. Parsing it gives the traversal
 * back, except for values the language has no literal for: elements other than vertices become their ids, a Float NaN
 * becomes a Double, Char, Timestamp and the like the nearest literal. What a driver binds is a variable by its name.
 */
export const translate = (bytecode: Bytecode, source = "g"): string =>
  [source, ...bytecode.sourceInstructions.map(call), ...bytecode.stepInstructions.map(call)].join(".")

const call = (instruction: Instruction): string =>
  `${instruction.operator}(${instruction.args.map(argument).join(", ")})`

const argument = (value: unknown): string =>
  value instanceof ClassName ? value.name.slice(value.name.lastIndexOf(".") + 1) : literal(value)

/** One value as it stands in a script. */
export const literal = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      return quoted(value)
    case "number":
      return isInt(value) ? String(value) : doubleText(value)
    case "bigint":
      return `${value}l`
    case "boolean":
      return String(value)
    default:
      return value === null || value === undefined ? "null" : (numberLiteral(value) ?? objectLiteral(value as object))
  }
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

const objectLiteral = (value: object): string => {
  if (value instanceof Bytecode) return nested(value)
  if (value instanceof EnumValue) return `${value.enumName}.${value.name}`
  if (value instanceof P || value instanceof ConnectiveP || value instanceof NotP) return predicate(value)
  if (value instanceof Variable) return value.name
  // Its value may be private, and texts of requests are logged.
  if (value instanceof Binding) return value.key
  if (value instanceof StrategySpec) return strategy(value)
  return collection(value) ?? other(value)
}

const nested = (bytecode: Bytecode): string => {
  const [first] = bytecode.sourceInstructions
  if (first?.operator === "CardinalityValueTraversal") {
    const [cardinality, value] = first.args
    return `Cardinality.${cardinality instanceof EnumValue ? cardinality.name : cardinality}(${literal(value)})`
  }
  return bytecode.stepInstructions.length === 0 ? "__.identity()" : translate(bytecode, "__")
}

const predicate = (value: Predicate): string => {
  if (value instanceof NotP) return `P.not(${predicate(value.predicate)})`
  if (value instanceof ConnectiveP) {
    const [first, ...rest] = value.predicates.map(predicate)
    return rest.reduce((left, right) => `${left}.${value.operator}(${right})`, first ?? "")
  }
  if (value instanceof TextP) {
    const owner = isSearchComparison(value.operator) ? "" : "TextP."
    return `${owner}${value.operator}(${literal(value.value)})`
  }
  const two = value.operator === "inside" || value.operator === "outside" || value.operator === "between"
  const operands = two && Array.isArray(value.value) ? value.value.map(literal).join(", ") : literal(value.value)
  return `P.${value.operator}(${operands})`
}

const strategy = (spec: StrategySpec): string => {
  const configuration = Array.from(spec.configuration, ([key, value]) => `${key}: ${literal(value)}`)
  return configuration.length === 0 ? spec.name : `new ${spec.name}(${configuration.join(", ")})`
}

const collection = (value: object): string | undefined => {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`
  if (value instanceof BulkSet) return `[${Array.from(value, literal).join(", ")}]`
  if (value instanceof GremlinSet) return `{${Array.from(value, literal).join(", ")}}`
  if (!(value instanceof GremlinMap)) return undefined
  const entries = Array.from(value, ([key, item]) => `${mapKey(key)}: ${literal(item)}`)
  return entries.length === 0 ? "[:]" : `[${entries.join(", ")}]`
}

/** Strings, numbers and collections stand as they are; everything else in parentheses. */
const mapKey = (key: unknown): string => {
  const bare = typeof key === "string" || typeof key === "number" || typeof key === "bigint" || Array.isArray(key)
  return bare ? literal(key) : `(${literal(key)})`
}

const other = (value: object): string => {
  if (value instanceof OffsetDateTime) return `datetime("${dateText(value)}")`
  if (value instanceof Timestamp) return `datetime("${new Date(value.epochMillis).toISOString()}")`
  if (value instanceof Uuid) return `UUID("${value.text}")`
  if (value instanceof Vertex) return `new ReferenceVertex(${literal(value.id)}, ${quoted(value.label)})`
  if (value instanceof ClassName) return `${value.name}.class`
  if (value instanceof Geoshape) return shape(value)
  if (value instanceof Lambda) return `{${value.script}}`
  return isElement(value) ? literal(value.id) : quoted(text(value))
}

const shape = (value: Geoshape): string => {
  const { shape } = value
  if (shape.kind === "point") return `Geoshape.point(${shape.latitude}, ${shape.longitude})`
  if (shape.kind === "circle") return `Geoshape.circle(${shape.latitude}, ${shape.longitude}, ${value.kilometres})`
  if (shape.kind === "box") return `Geoshape.box(${shape.south}, ${shape.west}, ${shape.north}, ${shape.east})`
  return quoted(String(value))
}

const escapes: { readonly [character: string]: string } = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f"
}

/** A string in double quotes; control characters and lone surrogates are escaped. */
const quoted = (value: string): string =>
  `"${value.replace(/["\\\p{Cc}\p{Cs}]/gu, (it) => escapes[it] ?? `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`
