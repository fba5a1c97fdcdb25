import { Geoshape } from "../../../structure/geoshapes/Geoshape.ts"
import type { InetAddress } from "../../../structure/scalars/InetAddress.ts"
import { inetOf } from "../../../structure/scalars/InetTexts.ts"
import { Uuid } from "../../../structure/scalars/Uuid.ts"
import { beginningOf } from "../../../structure/texts/Text.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Temporal } from "../../../structure/times/Temporal.ts"
import { unitNanos } from "../../../structure/times/TimeUnits.ts"
import type { Budget } from "../budget/Budget.ts"
import { changeOf, collectionStatics } from "../collections/CollectionStatics.ts"
import { callOptional } from "../collections/ResultMethods.ts"
import { comparatorOf, reverseOrder } from "../comparison/Comparators.ts"
import { hashCodeOf } from "../comparison/HashCodes.ts"
import { areEqualObjects } from "../comparison/JavaEquality.ts"
import { callCalendar } from "../dates/CalendarStatics.ts"
import {
  dateOfInstant,
  durationBetween,
  durationOf,
  durationOfText,
  instantOfMillis,
  instantOfSeconds,
  instantOfText
} from "../dates/DateMethods.ts"
import { durationOfUnit } from "../dates/TemporalUnits.ts"
import { geoshapeOf } from "../geoshapes/Geoshapes.ts"
import { ShapeBuilder, ShapeFactory } from "../geoshapes/ShapeBuilder.ts"
import { jsonOutput } from "../json/JsonWriting.ts"
import { asText } from "../methods/MethodTable.ts"
import { mathMethods, real, type Static } from "../numbers/MathMethods.ts"
import { numberStatics } from "../numbers/NumberStatics.ts"
import { callRoundingMode } from "../numbers/RoundingConstants.ts"
import { callConstant } from "../objects/ConstantCollections.ts"
import { callStream } from "../streams/StreamStatics.ts"
import { base64Parts } from "../texts/Base64Text.ts"
import { callCharacter } from "../texts/CharacterMethods.ts"
import { formatCall } from "../texts/FormatText.ts"
import { joinedText } from "../texts/JoinedText.ts"
import { integerText, ofRadix } from "../texts/RadixText.ts"
import { assertUnspaced, toNumber } from "../types/Casts.ts"
import { callEnumeration } from "../types/EnumConstants.ts"
import { SizedList } from "../values/FixedList.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { uuidOf } from "../values/Uuids.ts"
import { TINKERPOP_VERSION } from "./Versions.ts"

/** A boolean of a script. */
const boolean = (value: unknown): boolean => {
  if (typeof value === "boolean") return value
  throw new OperandError(`a boolean was expected, not ${typeName(value)}`, "MissingMethodException")
}

/** `Boolean.toString(value)`. */
const booleanToString: readonly [count: number, run: Static] = [1, ([value]) => String(boolean(value))]

/** `Boolean.parseBoolean(text)` and `Boolean.valueOf(text)`, which also takes a boolean. Null is false. */
const parseBoolean: readonly [count: number, run: Static] = [
  1,
  ([value], budget) => {
    if (typeof value === "boolean" || value === null) return value === true
    if (typeof value === "string") return /^true$/i.test(budget.whole(value))
    throw new OperandError(`a text or a boolean was expected, not ${typeName(value)}`, "MissingMethodException")
  }
]

/** `Base64.getEncoder()` and the like, by the name of the method. */
const base64Calls: { readonly [name: string]: readonly [count: number, run: Static] } = Object.fromEntries(
  Object.entries(base64Parts).map(([name, part]) => [`get${name[0]!.toUpperCase()}${name.slice(1)}`, [0, () => part]])
)

/** `InetAddress.getByName(text)`. */
const addressOf = (name: string): InetAddress => {
  const address = inetOf(name)
  if (address !== undefined) return address
  const unknown = beginningOf(name, MAX_SHOWN_CHARS)
  throw new OperandError(`${unknown}: scripts look up no host names: write an address, such as '10.0.0.1'`)
}

const MAX_SHOWN_CHARS = 100

/** `ByteBuffer.wrap(bytes)`: the bytes themselves, which are a ByteBuffer in an answer. */
const bytesOf = (bytes: unknown): Uint8Array => {
  if (bytes instanceof Uint8Array) return bytes
  throw new OperandError(`ByteBuffer.wrap() takes a byte[], not ${typeName(bytes)}`, "MissingMethodException")
}

const statics: { readonly [className: string]: { readonly [name: string]: readonly [count: number, run: Static] } } = {
  Math: mathMethods,
  Base64: base64Calls,
  System: {
    currentTimeMillis: [0, () => BigInt(Date.now())],
    nanoTime: [0, () => process.hrtime.bigint()]
  },
  Pattern: {
    compile: [1, ([source], budget) => budget.pattern(asText(source))],
    matches: [2, ([source, text], budget) => budget.pattern(asText(source)).matches(budget.whole(budget.text(text)))]
  },
  UUID: {
    randomUUID: [0, () => new Uuid(crypto.randomUUID())],
    fromString: [1, ([text], budget) => uuidOf(budget.text(text))]
  },
  Instant: {
    now: [0, () => new Temporal("Instant", new Date().toISOString())],
    parse: [1, ([text]) => instantOfText(text)],
    ofEpochMilli: [1, ([millis]) => instantOfMillis(millis)]
  },
  InetAddress: { getByName: [1, ([name], budget) => addressOf(budget.text(name))] },
  ByteBuffer: { wrap: [1, ([bytes]) => bytesOf(bytes)] },
  Date: { from: [1, ([instant]) => dateOfInstant(instant)] },
  Duration: {
    parse: [1, ([text]) => durationOfText(text)],
    of: [2, ([amount, unit]) => durationOfUnit(amount, unit)],
    ofDays: [1, durationOf(unitNanos.DAYS!)],
    ofHours: [1, durationOf(unitNanos.HOURS!)],
    ofMinutes: [1, durationOf(unitNanos.MINUTES!)],
    ofMillis: [1, durationOf(unitNanos.MILLIS!)],
    ofNanos: [1, durationOf(unitNanos.NANOS!)],
    between: [2, ([from, to]) => durationBetween(from, to)]
  },
  ...numberStatics,
  Boolean: {
    valueOf: parseBoolean,
    parseBoolean,
    hashCode: [1, ([x], budget) => hashCodeOf(boolean(x), budget)],
    toString: booleanToString,
    compare: [2, ([x, y]) => Number(boolean(x)) - Number(boolean(y))],
    logicalAnd: [2, ([x, y]) => boolean(x) && boolean(y)],
    logicalOr: [2, ([x, y]) => boolean(x) || boolean(y)],
    logicalXor: [2, ([x, y]) => boolean(x) !== boolean(y)]
  },
  Double: {
    ...numberStatics.Double,
    isNaN: [1, ([x]) => Number.isNaN(real(x))],
    isInfinite: [1, ([x]) => Math.abs(real(x)) === Number.POSITIVE_INFINITY]
  },
  IoCore: Object.fromEntries(["graphson", "graphml", "gryo"].map((format) => [format, [0, () => format]])),
  Objects: {
    equals: [
      2,
      ([x, y], budget) => {
        budget.ordered(x, y)
        return areEqualObjects(x, y, budget)
      }
    ],
    hashCode: [1, ([x], budget) => hashCodeOf(x, budget)],
    requireNonNull: [1, ([x]) => nonNull(x, "requireNonNull")],
    requireNonNullElse: [2, ([x, other]) => nonNull(x ?? other, "requireNonNullElse")],
    isNull: [1, ([x]) => x === null],
    nonNull: [1, ([x]) => x !== null]
  },
  Collections: collectionStatics,
  JsonOutput: jsonOutput,
  Gremlin: { version: [0, () => TINKERPOP_VERSION] }
}

const nonNull = (value: unknown, method: string): unknown => {
  if (value !== null) return value
  throw new OperandError(`Objects.${method}() got null`, "NullPointerException")
}

/**
 * Calls a method of a class that only makes a value. Undefined for a method that scripts do not have. Fails with OperandError for
 * wrong arguments.
 */
export const callStatic = (
  className: string,
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: unknown } | undefined => {
  const [first] = args
  const methods = Object.hasOwn(statics, className) ? statics[className]! : {}
  if (Object.hasOwn(methods, name)) {
    const [count, run] = methods[name]!
    if (args.length !== count)
      throw new OperandError(`${className}.${name}() takes ${count} arguments, not ${args.length}`)
    return { value: run(args, budget) ?? null }
  }
  const kind = /^[A-Z]/.test(className) ? numberTypeOf(className) : undefined
  if (kind !== undefined && args.length === 1 && /^(valueOf|parse[A-Z][a-z]+)$/.test(name)) {
    if (typeof first === "string" && /^(?:Byte|Integer|Long|Short)$/.test(className)) assertUnspaced(first)
    return { value: toNumber(first, kind) }
  }
  if (/^(?:Integer|Long)$/.test(className) && /^(?:parse(?:Int|Long)|valueOf)$/.test(name) && args.length === 2) {
    return { value: ofRadix(className, first, args[1]) }
  }
  if (className === "Integer" && (name === "toString" || name === "toBinaryString" || name === "toHexString")) {
    return { value: integerText(name, args) }
  }
  if (className === "Instant" && name === "ofEpochSecond" && (args.length === 1 || args.length === 2)) {
    return { value: instantOfSeconds(first, args[1]) }
  }
  if (className === "Duration" && name === "ofSeconds" && (args.length === 1 || args.length === 2)) {
    return { value: durationOf(1_000_000_000n)(args) }
  }
  if (className === "Optional") return callOptional(name, args)
  const other = callCalendar(className, name, args) ?? callStream(className, name, args, budget)
  if (other !== undefined) return other
  const constant = className === "RoundingMode" ? callRoundingMode(name, args) : callEnumeration(className, name, args)
  if (constant !== undefined) return constant
  if (className === "Character") return callCharacter(name, args)
  if (className === "Comparator") return comparatorOf(name, args, budget)
  if (className === "Collections" && name === "reverseOrder" && args.length < 2) {
    return { value: reverseOrder(args, budget) }
  }
  if (className === "Collections" && (name === "addAll" || name === "shuffle")) {
    return { value: changeOf(name, args, budget) }
  }
  if (className === "Geoshape" && args.length === 0) {
    if (name === "getShapeFactory") return { value: new ShapeFactory() }
    if (name === "getGeometryCollectionBuilder") return { value: new ShapeBuilder("collection") }
  }
  if (className === "Geoshape" && name === "geoshape" && first instanceof Geoshape) return { value: first }
  if (className === "Geoshape") return { value: geoshapeOf(name, args, budget) }
  if (className === "String" && name === "valueOf" && args.length === 1)
    return { value: budget.text(first, beginningOf) }
  if (className === "String" && name === "format" && args.length > 0) return { value: formatCall(args, false, budget) }
  if (className === "Objects" && name === "toString" && (args.length === 1 || args.length === 2)) {
    return { value: budget.text(first ?? args[1] ?? null, beginningOf) }
  }
  if (className === "Objects" && name === "hash") return { value: hashOf(args, budget) }
  if (className === "String" && name === "join" && args.length > 1) {
    const isText = args.length > 2 || typeof args[1] === "string"
    const parts = isText ? args.slice(1) : membersOf(args[1], "String.join()")
    budget.spend(parts.length, "String.join()")
    return { value: joinedText(parts, budget.text(first), budget) }
  }
  if (className === "Arrays" && name === "asList") {
    return { value: SizedList.holding(budget.list([...budget.members(args)])) }
  }
  return callConstant(className, name, args, budget)
}

/** `Objects.hash(a, b)`. As in Java, an array, or null, stands for all arguments. */
const hashOf = (args: readonly unknown[], budget: Budget): number => {
  if (args.length !== 1) return hashCodeOf([...args], budget)
  const [only] = args
  if (only === null) return 0
  return hashCodeOf(only instanceof JavaArray ? [...only] : [only], budget)
}
