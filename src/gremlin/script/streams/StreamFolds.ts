import type { NumberKind } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../../HostCall.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import { extremeOf } from "../collections/CollectionMethods.ts"
import { asOrder } from "../collections/Sorting.ts"
import { type Caller, ended, type Run } from "../methods/MemberCalls.ts"
import { asIndex } from "../methods/MethodTable.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { numberOf } from "./Collectors.ts"
import type { StreamKind } from "./StreamNumbers.ts"

// The parts of methods of streams that make no stream.

const numberKinds: { readonly [kind in StreamKind]?: NumberKind } = {
  IntStream: "Int",
  LongStream: "Long",
  DoubleStream: "Double"
}

/** What a method of a stream works with. */
export interface Streamed {
  readonly kind: StreamKind
  readonly list: readonly unknown[]
  readonly caller: Caller
}

/** A method of a stream. */
export type StreamMethod = (stream: Streamed, args: readonly unknown[]) => ScriptRun

/** The closure that is the last argument of a method of a stream. Fails with Unavailable for another value. */
export const closureOf = (args: readonly unknown[], parameters: 1 | 2): ScriptClosure => {
  const closure = args.at(-1)
  if (closure instanceof ScriptClosure && (closure.parameterCount === parameters || closure.parameterCount === 0)) {
    return closure
  }
  throw new Unavailable(
    `the method of the stream takes a closure of ${parameters === 1 ? "one argument" : "two arguments"}`
  )
}

/** The value itself, if it is a member of a stream of the kind. Groovy does not convert what the closure of a stream gives. */
export const memberOf = (value: unknown, kind: StreamKind): unknown => {
  const numbers = numberKinds[kind]
  return numbers === undefined ? value : numberOf(value, numbers)
}

/** The value of a closure that is a predicate. Fails with OperandError for a value that is not true or false, as in Groovy. */
export function* holds({ caller }: Streamed, closure: ScriptClosure, member: unknown): Run<boolean> {
  const value = yield* ended(caller.attemptCall(closure, [member]))
  if (typeof value === "boolean") return value
  throw new OperandError(
    `the closure of the stream gives true or false, not ${typeName(value)}: write (...) as boolean`
  )
}

/** Whether the closure gives `wanted` for a member: then the result is `found`, and otherwise the opposite. */
export const matching = (wanted: boolean, found: boolean): StreamMethod =>
  function* (stream, args) {
    const closure = closureOf(args, 1)
    for (const member of stream.list) if ((yield* holds(stream, closure, member)) === wanted) return found
    return !found
  }

/** The number of leading members for which the closure holds. */
export function* leading(stream: Streamed, args: readonly unknown[]): Run<number> {
  const closure = closureOf(args, 1)
  for (const [at, member] of stream.list.entries()) if (!(yield* holds(stream, closure, member))) return at
  return stream.list.length
}

/** The first or last member by Java's natural order, or by a closure that compares two. */
export const extreme = (sign: 1 | -1): StreamMethod =>
  function* ({ caller, kind, list }, args) {
    if (list.length === 0) return new Optional(undefined)
    if (args.length === 0 && kind !== "Stream") return new Optional(extremeOf(list, sign, caller.budget))
    const closure = closureOf(args, 2)
    let best = list[0]
    for (const member of list.slice(1)) {
      const order = asOrder(yield* ended(caller.attemptCall(closure, [best, member])))
      if (sign > 0 ? order < 0 : order > 0) best = member
    }
    return new Optional(best)
  }

/** The value of `reduce(value) { a, b -> ... }`, or of `reduce { a, b -> ... }` in an Optional. */
export function* reduced({ caller, list }: Streamed, args: readonly unknown[]): ScriptRun {
  const closure = closureOf(args, 2)
  const hasIdentity = args.length === 2
  if (args.length > 2) throw new Unavailable("reduce() takes a value and a closure in scripts")
  if (!hasIdentity && list.length === 0) return new Optional(undefined)
  let value = hasIdentity ? args[0] : list[0]
  for (const member of hasIdentity ? list : list.slice(1)) {
    value = caller.budget.member(yield* ended(caller.attemptCall(closure, [value, member])))
  }
  return hasIdentity ? value : new Optional(value)
}

/** Calls the closure for each member. */
export function* visitedBy({ caller, list }: Streamed, args: readonly unknown[]): Run<void> {
  const closure = closureOf(args, 1)
  for (const member of list) yield* ended(caller.attemptCall(closure, [member]))
}

/** The first member in an Optional. Fails with OperandError if it is null, as in Java. */
export const firstOf = ({ list }: Streamed): Optional => {
  if (list[0] !== null) return new Optional(list[0])
  throw new OperandError("the first member of the stream is null", "NullPointerException")
}

/** The kind of a stream of numbers. Fails with Unavailable for a stream of objects. */
export const numeric = (kind: StreamKind, name: string): StreamKind => {
  if (kind !== "Stream") return kind
  throw new Unavailable(`a Stream has no ${name}(): write stream.mapToInt { it }.${name}()`)
}

/** The number of members of `limit()` and `skip()`. Fails with OperandError for a negative one. */
export const countOf = (value: unknown): number => {
  const count = asIndex(value)
  if (count >= 0) return count
  throw new OperandError(`a stream has no ${count} members`, "IllegalArgumentException", String(count))
}
