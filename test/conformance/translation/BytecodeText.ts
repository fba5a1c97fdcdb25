import { Binding, Bytecode, Instruction, StrategySpec, Variable } from "../../../src/process/language/Bytecode.ts"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../../../src/process/language/Predicate.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Edge, type Vertex } from "../../../src/structure/elements/Element.ts"
import {
  BigDecimal,
  BigInteger,
  Byte,
  Double,
  double,
  Float,
  isInt,
  Short
} from "../../../src/structure/numbers/Numbers.ts"
import { ClassName } from "../../../src/structure/scalars/ClassNames.ts"
import { EnumValue } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { OffsetDateTime } from "../../../src/structure/times/Temporal.ts"
import * as V from "../Value.ts"
import { simpleName, strategyText } from "./ReferenceText.ts"

const day = 86_400_000

const leaf = (value: unknown): V.Value | undefined => {
  if (value === null) return V.nullValue
  if (typeof value === "boolean") return V.boolean(value)
  if (typeof value === "string") return V.string(value)
  if (typeof value === "bigint") return V.long(value)
  if (typeof value === "number") return isInt(value) ? V.int(value) : V.double(value)
  if (value instanceof Double) return V.double(value.value)
  if (value instanceof Byte) return { kind: "byte", value: BigInt(value.value) }
  if (value instanceof Short) return { kind: "short", value: BigInt(value.value) }
  if (value instanceof Float) return { kind: "float", value: value.value }
  if (value instanceof BigInteger) return { kind: "bigInteger", value: value.value }
  if (value instanceof BigDecimal) return { kind: "bigDecimal", unscaled: value.unscaled, scale: value.scale }
  if (value instanceof Uuid) return { kind: "uuid", value: value.text }
  if (value instanceof EnumValue) return V.enumValue(value.enumName, value.name)
  if (value instanceof Edge) {
    const end = ({ id, label }: Vertex) => ({ id: leaf(id) ?? V.nullValue, label })
    return {
      kind: "edge",
      id: leaf(value.id) ?? V.nullValue,
      label: value.label,
      out: end(value.outVertex),
      in: end(value.inVertex)
    }
  }
  if (value instanceof OffsetDateTime) {
    const local = value.epochMillis + value.offsetSeconds * 1000
    const epochDay = Math.floor(local / day)
    const nanoOfDay = BigInt(local - epochDay * day) * 1_000_000n + BigInt(value.nanos)
    return { kind: "dateTime", epochDay, nanoOfDay, offset: value.offsetSeconds }
  }
  return undefined
}

/** TinkerPop replaces predicates with two bounds by two predicates before it sends a traversal. */
const bounds: Readonly<Record<string, readonly [string, string, string]>> = {
  between: ["and", "gte", "lt"],
  inside: ["and", "gt", "lt"],
  outside: ["or", "lt", "gt"]
}

const opposite = { and: "or", or: "and" } as const

const predicate = (it: Predicate): string => {
  if (it instanceof ConnectiveP) return `P.${it.operator}([${it.predicates.map(predicate).join(", ")}])`
  if (it instanceof NotP) {
    // TinkerPop applies a negation to the inner predicates before it sends a traversal.
    const inner = it.predicate
    if (inner instanceof NotP) return predicate(inner.predicate)
    if (!(inner instanceof ConnectiveP)) return `P.not(${predicate(inner)})`
    return predicate(
      new ConnectiveP(
        opposite[inner.operator],
        inner.predicates.map((part) => new NotP(part))
      )
    )
  }
  const bounded = bounds[it.operator]
  if (bounded !== undefined && Array.isArray(it.value)) {
    const [low, high] = it.value.map(write)
    return `P.${bounded[0]}([P.${bounded[1]}(${low}), P.${bounded[2]}(${high})])`
  }
  return `${it instanceof TextP ? "TextP" : "P"}.${it.operator}(${write(it.value)})`
}

const write = (value: unknown): string => {
  if (value instanceof Bytecode) return bytecodeText(value)
  if (value instanceof Variable) return `$${value.name}`
  if (value instanceof Binding) return write(value.value)
  if (value instanceof P || value instanceof ConnectiveP || value instanceof NotP) return predicate(value)
  if (value instanceof StrategySpec) {
    return strategyText(
      value.name,
      [...value.configuration].map(([key, item]) => [key, configured(key, item)] as const)
    )
  }
  if (value instanceof ClassName) return `class ${simpleName(value.name)}`
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`
  if (value instanceof GremlinSet) return `set[${[...value].map(write).sort().join(", ")}]`
  if (value instanceof GremlinMap) {
    return `map[${[...value]
      .map(([key, item]) => `${write(key)}: ${write(item)}`)
      .sort()
      .join(", ")}]`
  }
  const known = leaf(value)
  return known === undefined ? `unknown ${Object.prototype.toString.call(value)}` : V.show(known)
}

/** Steps whose bounds TinkerPop always sends as Int64. */
const longSteps = new Set(["limit", "range", "skip", "tail"])

/** The text of a configuration value of a strategy. TinkerPop sends its collections and numbers with one fixed type. */
const configured = (key: string, value: unknown): string => {
  if (Array.isArray(value)) return write(new GremlinSet(value))
  return write(key === "seed" && typeof value === "number" ? BigInt(value) : value)
}

const argument = (operator: string, value: unknown): string => {
  if (operator === "CardinalityValueTraversal" && value instanceof EnumValue) return write(value.name)
  if (operator === "coin" && typeof value === "number") return write(double(value))
  return write(longSteps.has(operator) && typeof value === "number" ? BigInt(value) : value)
}

/** TinkerPop replaces property(map) by one property step for each entry, and omits property(null). */
const expanded = (instruction: Instruction): ReadonlyArray<Instruction> => {
  const { operator, args } = instruction
  const last = args.at(-1)
  const entries = last === null ? [] : last instanceof GremlinMap ? [...last] : undefined
  const isWhole = args.length === 1 || (args.length === 2 && args[0] instanceof EnumValue)
  if (operator !== "property" || !isWhole || entries === undefined) return [instruction]
  return entries.map(([key, value]) => {
    const own = value instanceof Bytecode ? value.sourceInstructions[0] : undefined
    return own === undefined
      ? new Instruction(operator, [...args.slice(0, -1), key, value])
      : new Instruction(operator, [own.args[0], key, own.args[1]])
  })
}

const instructions = (all: ReadonlyArray<Instruction>): string =>
  all
    .flatMap(expanded)
    .map(({ operator, args }) => `${operator}(${args.map((it) => argument(operator, it)).join(", ")})`)
    .join(".")
    .replaceAll("identity().shortestPath(", "shortestPath(")

/** The text of bytecode of this server, in the notation of ReferenceText.ts. */
export const bytecodeText = (bytecode: Bytecode): string =>
  `{${instructions(bytecode.sourceInstructions)} | ${instructions(bytecode.stepInstructions)}}`
