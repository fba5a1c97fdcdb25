import { toBigInt } from "../../../structure/numbers/Arithmetic.ts"
import { isNumber, numberKind } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { Budget } from "../budget/Budget.ts"
import type { Method, Methods } from "../methods/MethodTable.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { membersOf } from "../values/Members.ts"
import { OperandError } from "../values/OperandErrors.ts"
import type { Optional } from "../values/Optional.ts"
import { collectorOf } from "./Collectors.ts"
import type { StreamKind } from "./StreamNumbers.ts"
import { ScriptStream } from "./Streams.ts"

const kinds: { readonly [type: string]: StreamKind } = { int: "IntStream", long: "LongStream", double: "DoubleStream" }

/** The stream of a collection or an array. */
const streamOf = (value: unknown, budget: Budget): ScriptStream => {
  const kind = value instanceof JavaArray && Object.hasOwn(kinds, value.type) ? kinds[value.type]! : "Stream"
  budget.spend(membersOf(value, "stream()").length, "stream()")
  return new ScriptStream((later) => later.list([...membersOf(value, "stream()")]), kind)
}

const stream: Method = [0, 0, (value: unknown, _, budget) => streamOf(value, budget)]

/** Methods of lists, arrays and sets that make a stream of the members. */
export const streamMethods: Methods = { stream, parallelStream: stream }

/** Counts a text whose characters become a list, before the list is made. Fails with OperandError if they are too many. */
const listed = (text: string, budget: Budget): string => {
  budget.spend(text.length, "creating a stream")
  return text
}

/** Methods of strings that make a stream of their lines, or of the numbers of their characters. */
export const textStreamMethods: Methods = {
  lines: [
    0,
    0,
    (value: string, _, budget) => {
      const lines = budget.whole(value).split(/\r\n|\r|\n/)
      if (lines.at(-1) === "") lines.pop()
      return new ScriptStream(budget.list(lines))
    }
  ],
  chars: [
    0,
    0,
    (value: string, _, budget) =>
      new ScriptStream(
        budget.list(Array.from({ length: listed(value, budget).length }, (_, at) => value.charCodeAt(at))),
        "IntStream"
      )
  ],
  codePoints: [
    0,
    0,
    (value: string, _, budget) =>
      new ScriptStream(
        budget.list(Array.from(listed(value, budget), (character) => character.codePointAt(0))),
        "IntStream"
      )
  ]
}

/** The method of an Optional that makes a stream of its value. */
export const optionalStreamMethods: Methods = {
  stream: [0, 0, ({ value }: Optional, _, budget) => new ScriptStream(budget.list(value === undefined ? [] : [value]))]
}

/** A bound of a range. Fails with OperandError for a number that Java does not widen to the type of the range. */
const boundOf = (value: unknown, isLong: boolean): bigint => {
  const kind = isNumber(value) ? numberKind(value) : ""
  if (["Byte", "Short", "Int"].includes(kind) || (isLong && kind === "Long")) return toBigInt(value as number)
  throw new OperandError(
    `a range of ${isLong ? "LongStream" : "IntStream"} has no bound of the type ${typeName(value)}`
  )
}

/** The numbers from the first one up to the last one, which is not one of them. */
const numbered = (from: bigint, to: bigint, isLong: boolean, budget: Budget): ScriptStream => {
  const length = Math.max(0, Number(to - from))
  budget.spend(length, "a stream of numbers")
  const numbers = Array.from({ length }, (_, at) => (isLong ? from + BigInt(at) : Number(from) + at))
  return new ScriptStream(budget.list(numbers), isLong ? "LongStream" : "IntStream")
}

/**
 * The value of a method of a class of streams, such as `Stream.of(1, 2)` and `Collectors.toList()`; undefined for another one. Fails
 * with OperandError for wrong arguments.
 */
export const callStream = (
  className: string,
  name: string,
  args: readonly unknown[],
  budget: Budget
): { readonly value: unknown } | undefined => {
  if (className === "Collectors") return { value: collectorOf(name, args) }
  if (className === "Arrays" && name === "stream" && args.length === 1) return { value: streamOf(args[0], budget) }
  if (className === "Stream" && name === "of") {
    const members = args.length === 1 && args[0] instanceof JavaArray ? args[0] : budget.members(args)
    return { value: new ScriptStream(budget.list([...members])) }
  }
  if (className === "Stream" && name === "empty" && args.length === 0) return { value: new ScriptStream([]) }
  const isRange = (name === "range" || name === "rangeClosed") && args.length === 2
  if (!isRange || (className !== "IntStream" && className !== "LongStream")) return undefined
  const isLong = className === "LongStream"
  const [from, to] = [boundOf(args[0], isLong), boundOf(args[1], isLong)]
  return { value: numbered(from, name === "range" ? to : to + 1n, isLong, budget) }
}
