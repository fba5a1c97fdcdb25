import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { Detached, type Edge, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import { toBigInt } from "../../../structure/numbers/Arithmetic.ts"
import { JavaRandom } from "../../../structure/numbers/JavaRandom.ts"
import { Byte, isInt, isNumber, LONG_MAX, LONG_MIN, Short } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { Timestamp } from "../../../structure/times/Temporal.ts"
import { exceptionParents } from "../../parser/ExceptionNames.ts"
import type { Budget } from "../budget/Budget.ts"
import { NaturalOrder } from "../comparison/Comparators.ts"
import { sortedMap, sortedSet } from "../comparison/SortedKeys.ts"
import { ScriptCalendar } from "../dates/Calendars.ts"
import { SimpleDateFormat } from "../dates/DateFormats.ts"
import { dateOfFields } from "../dates/TemporalMethods.ts"
import { JsonSlurper } from "../json/JsonReading.ts"
import { asIndex } from "../methods/MethodTable.ts"
import { Counter } from "../objects/Counters.ts"
import { ScriptException } from "../objects/Exceptions.ts"
import { StringJoiner } from "../objects/StringJoiner.ts"
import { TextBuilder } from "../objects/TextBuilder.ts"
import { textOf } from "../texts/ByteMethods.ts"
import { cast, toNumber, unconverted } from "../types/Casts.ts"
import { characterOf } from "../values/Characters.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { isMembers, membersOf } from "../values/Members.ts"
import { numberTypeOf } from "../values/NumberTypes.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { uuidOfLongs } from "../values/Uuids.ts"

const isException = (type: string): boolean => Object.hasOwn(exceptionParents, type)

/** The value of `new Type(args)`. Fails with OperandError for arguments that the type does not take. */
export const constructed = (type: string, args: readonly unknown[], budget: Budget): unknown => {
  const [first] = args
  if (type.endsWith("[]{}")) return membersAs(type.slice(0, -4), args, budget)
  if (type.endsWith("[]")) return arrayOf(type, first, budget)
  if (isException(type)) return exceptionOf(type, args, budget)
  const kind = numberTypeOf(type)
  if (kind !== undefined && args.length === 1) return toNumber(first, kind)
  switch (type) {
    case "ArrayDeque":
    case "ArrayList":
    case "LinkedList":
      return listOf(type, args, budget)
    case "HashSet":
    case "LinkedHashSet":
      return new GremlinSet(budget.keys(listOf(type, args, budget)))
    case "TreeMap":
    case "TreeSet":
      return sortedOf(type, args, budget)
    case "MapConfiguration":
      if (first instanceof GremlinMap && args.length === 1) return first
      break
    case "BaseConfiguration":
    case "PropertiesConfiguration":
      if (args.length === 0) return new GremlinMap()
      break
    case "ConcurrentHashMap":
    case "HashMap":
    case "LinkedHashMap":
      if (args.length === 0 || isNumber(first)) return new GremlinMap()
      if (first instanceof GremlinMap) return new GremlinMap(budget.list([...first]) as Array<[unknown, unknown]>)
      break
    case "Date":
      if (args.length === 0) return new Timestamp(Date.now())
      if (args.length === 1 && isNumber(first)) return dateOf(toBigInt(first))
      if (args.length === 3 || args.length === 5 || args.length === 6) return dateOf(BigInt(dateOfFields(args)))
      break
    case "Timestamp":
      if (args.length === 1 && isNumber(first)) return new Timestamp(dateOf(toBigInt(first)).millis, true)
      break
    case "GregorianCalendar":
      return calendarOf(args)
    case "SimpleDateFormat":
      if (args.length === 1) return new SimpleDateFormat(first)
      break
    case "Character":
      if (args.length === 1) return characterOf(first)
      break
    case "StringBuilder":
    case "StringBuffer":
      return builderOf(type, args, budget)
    case "String":
      if (args.length === 0) return ""
      if (args.length === 1 && first instanceof TextBuilder) return first.text
      if (args.length === 1 && typeof first === "string") return first
      {
        const made = textOf(args, budget)
        if (made !== undefined) return made
      }
      break
  }
  const made = objectOf(type, args)
  if (made !== undefined) return made
  throw new OperandError(`new ${type}(${args.map(typeName).join(", ")}) is not available in scripts`)
}

/** The value of `new Type(args)` of a class that is no collection, no text and no date; undefined for another one. */
const objectOf = (type: string, args: readonly unknown[]): unknown => {
  const [first] = args
  switch (type) {
    case "AtomicInteger":
    case "AtomicLong":
      if (args.length < 2) return new Counter(type, first)
      break
    case "JsonSlurper":
    case "JsonSlurperClassic":
      if (args.length === 0) return new JsonSlurper()
      break
    case "StringJoiner":
      return new StringJoiner(args)
    case "Random":
      if (args.length === 0) return new JavaRandom(BigInt(Math.floor(Math.random() * 2 ** 48)))
      if (args.length === 1 && isNumber(first)) return new JavaRandom(toBigInt(first))
      break
    case "ReferenceEdge":
      return edgeOf(args)
    case "ReferenceVertexProperty":
      if (args.length === 3 && typeof args[1] === "string")
        return new VertexProperty(null, first, args[1], args[2], null)
      break
    case "UUID":
      if (args.length === 2) return uuidOfLongs(first, args[1])
      break
  }
  return undefined
}

/** The value of `new ReferenceEdge(id, label, inVertex, outVertex)`, which drivers write for an edge in a traversal. */
const edgeOf = ([id, label, into, out, ...rest]: readonly unknown[]): Edge => {
  if (typeof label !== "string" || !(into instanceof Vertex) || !(out instanceof Vertex) || rest.length > 0) {
    throw new OperandError("new ReferenceEdge() takes an id, a label, and the vertices that the edge enters and leaves")
  }
  const graph = new Detached()
  return graph.addEdge(id, label, graph.addVertex(out.id, out.label), graph.addVertex(into.id, into.label))
}

/** The value of `new GregorianCalendar()` and `new GregorianCalendar(year, month, day)`, also with a time. */
const calendarOf = (args: readonly unknown[]): ScriptCalendar => {
  if (args.length === 0) return new ScriptCalendar(Date.now())
  const calendar = new ScriptCalendar(0)
  if (args.length < 3) throw new OperandError("new GregorianCalendar() takes nothing, or a year, a month and a day")
  calendar.set(args)
  return calendar
}

/** The value of `new StringBuilder(text)`. */
const builderOf = (type: "StringBuilder" | "StringBuffer", args: readonly unknown[], budget: Budget): TextBuilder => {
  const [first] = args
  if (args.length === 0 || (args.length === 1 && isCapacity(first))) return new TextBuilder("", type)
  const isText = args.length === 1 && (typeof first === "string" || first instanceof TextBuilder)
  if (isText) return new TextBuilder(budget.text(first), type)
  const given = args.map(typeName).join(", ")
  throw new OperandError(`new ${type}() takes a text, or a capacity as an Int of 0 or more, not ${given}`)
}

/** The value of `new TreeMap(map)` and `new TreeSet(list)`. */
const sortedOf = (type: string, args: readonly unknown[], budget: Budget): unknown => {
  const [first] = args
  if (args.length === 0) return type === "TreeMap" ? sortedMap() : sortedSet()
  if (args.length === 1 && first instanceof NaturalOrder) {
    return type === "TreeMap" ? sortedMap([], first.isReverse) : sortedSet([], first.isReverse)
  }
  if (args.length === 1 && type === "TreeSet" && isMembers(first)) {
    return sortedSet(budget.keys([...membersOf(first, "new TreeSet()")]))
  }
  if (args.length === 1 && type === "TreeMap" && first instanceof GremlinMap) {
    return sortedMap(budget.list([...first]) as Array<[unknown, unknown]>)
  }
  throw new OperandError(
    `new ${type}(${args.map(typeName).join(", ")}) is not available in scripts: its keys have their natural order, or that of Comparator.reverseOrder()`
  )
}

/** True for the capacity of a StringBuilder, which has no effect. */
const isCapacity = (value: unknown): boolean =>
  value instanceof Byte || value instanceof Short || (typeof value === "number" && isInt(value) && value >= 0)

/** The value of `new int[]{1, 2}`. */
const membersAs = (type: string, members: readonly unknown[], budget: Budget): unknown =>
  unconverted.has(type)
    ? new JavaArray(type, budget.list([...budget.members(members)]))
    : cast([...budget.members(members)], `${type}[]`, budget)

/** The value of `new int[3]`: numbers are 0, booleans are false, and other members are null. */
const arrayOf = (type: string, size: unknown, budget: Budget): unknown => {
  const length = asIndex(size)
  if (length < 0) throw new OperandError(`the size of an array is at least 0, not ${length}`)
  const member = type.slice(0, -2)
  budget.spend(length, "creating an array")
  if (!/^[a-z]/.test(member)) return new JavaArray(member, budget.list(new Array(length).fill(null)))
  return cast(new Array(length).fill(member === "boolean" ? false : 0), type, budget)
}

const dateOf = (millis: bigint): Timestamp => {
  if (millis >= LONG_MIN && millis <= LONG_MAX) return new Timestamp(millis)
  throw new OperandError("new Date() takes a Long of milliseconds since 1970, at most Long.MAX_VALUE")
}

const listOf = (type: string, args: readonly unknown[], budget: Budget): Array<unknown> => {
  if (args.length === 0 || (args.length === 1 && isNumber(args[0]))) return []
  return budget.list([...membersOf(args[0], `new ${type}()`)])
}

const exceptionOf = (type: string, args: readonly unknown[], budget: Budget): ScriptException => {
  const [first = null, second = null] = args
  if (first instanceof ScriptException) return new ScriptException(type, budget.string(String(first)), first)
  const message = first === null ? null : budget.text(first)
  if (args.length <= 2 && (second === null || second instanceof ScriptException)) {
    return new ScriptException(type, message, args.length < 2 ? undefined : second)
  }
  throw new OperandError(`new ${type}() takes a message and a cause`)
}
