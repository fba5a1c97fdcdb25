import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { double, isNumber, javaNumberName, type NumberKind, numberKind } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../../HostCall.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import type { Budget } from "../budget/Budget.ts"
import { mapped } from "../closures/ChosenMembers.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { type Caller, ended } from "../methods/MemberCalls.ts"
import { argumentCount } from "../methods/MethodTable.ts"
import { ConstantSet, nonNull } from "../objects/ConstantCollections.ts"
import { joinedText } from "../texts/JoinedText.ts"
import { ConstantList } from "../values/FixedList.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { javaMean, javaSum, type StreamKind } from "./StreamNumbers.ts"

/** Maximum number of collectors inside of each other, each of which needs the stack. */
const MAX_COLLECTOR_LEVELS = 50

/** A java.util.stream.Collector of a script, such as `Collectors.toList()`. */
export class Collector extends CalledValue {
  readonly name: string
  readonly args: readonly unknown[]
  /** The number of collectors inside of each other. */
  readonly #levels: number

  /** Fails with OperandError for too many collectors inside of each other. */
  constructor(name: string, args: readonly unknown[]) {
    super()
    this.name = name
    this.args = args
    this.#levels = 1 + Math.max(0, ...args.map((arg) => (arg instanceof Collector ? arg.#levels : 0)))
    if (this.#levels > MAX_COLLECTOR_LEVELS) {
      throw new OperandError(`collectors nest at most ${MAX_COLLECTOR_LEVELS} levels deep in scripts`)
    }
  }

  get [Symbol.toStringTag](): string {
    return "Collector"
  }

  override call(name: string): never {
    throw new Unavailable(`a collector has no method ${name}() in scripts: it is the argument of collect()`)
  }
}

type Collecting = (list: readonly unknown[], args: readonly unknown[], caller: Caller) => ScriptRun

const closureOf = (value: unknown, name: string): ScriptClosure => {
  if (value instanceof ScriptClosure) return value
  throw new Unavailable(`Collectors.${name}() takes closures in scripts, not ${typeName(value)}`)
}

/** The value itself, if it is a number of the kind. As in Groovy, another number is an error. */
export const numberOf = (value: unknown, kind: NumberKind): unknown => {
  if (isNumber(value) && numberKind(value) === kind) return value
  const name = javaNumberName[kind]
  throw new OperandError(
    `the closure gives numbers of the type ${name}, not ${typeName(value)}: write (...) as ${name}`
  )
}

/** The number of the closure for each member. */
function* numbersOf(list: readonly unknown[], closure: ScriptClosure, kind: NumberKind, caller: Caller) {
  const values = yield* mapped({ list, of: list }, closure, caller)
  return values.map((value) => numberOf(value, kind))
}

const summing = (name: string, stream: StreamKind, kind: NumberKind, isMean: boolean): Collecting =>
  function* (list, [closure], caller) {
    const numbers = yield* numbersOf(list, closureOf(closure, name), kind, caller)
    if (!isMean) return javaSum(numbers, stream)
    return javaMean(numbers, stream) ?? double(0)
  }

/** Groups the members, and collects each group by a second collector. */
function* grouped(
  list: readonly unknown[],
  groups: GremlinMap,
  keyOf: (member: unknown) => ScriptRun,
  downstream: unknown,
  caller: Caller
): ScriptRun {
  for (const member of list) {
    const key = yield* keyOf(member)
    const group = groups.get(key) as Array<unknown> | undefined
    if (group === undefined) groups.set(key, [member])
    else group.push(member)
  }
  caller.budget.list([...list])
  if (downstream === undefined) return groups
  if (!(downstream instanceof Collector)) {
    throw new Unavailable(`groupingBy() takes a closure and a collector in scripts, not ${typeName(downstream)}`)
  }
  for (const [key, group] of [...groups]) {
    groups.set(key, yield* collected(downstream, group as unknown[], caller))
  }
  return groups
}

const joined = (list: readonly unknown[], args: readonly unknown[], budget: Budget): string => {
  const [separator = "", prefix = "", suffix = ""] = args.map((arg) => budget.text(arg))
  for (const member of list) {
    if (typeof member === "string") continue
    throw new OperandError(`joining() joins texts, not ${typeName(member)}: map { it.toString() } first`)
  }
  return budget.string(`${prefix}${joinedText(list, separator, budget)}${suffix}`)
}

/** A collector that calls no closure. */
const plain = (run: (list: readonly unknown[], args: readonly unknown[], budget: Budget) => unknown): Collecting =>
  // biome-ignore lint/correctness/useYield: collectors are generators, because others call closures.
  function* (list, args, { budget }) {
    return run(list, args, budget)
  }

/** What the collectors do: the least and the largest number of their arguments, and the value for the members. */
const collectors: { readonly [name: string]: readonly [least: number, most: number, run: Collecting] } = {
  toList: [0, 0, plain((list, _, budget) => budget.list([...list]))],
  toUnmodifiableList: [
    0,
    0,
    plain((list, _, budget) => ConstantList.holding(budget.list([...nonNull(list, "toUnmodifiableList()")])))
  ],
  toSet: [0, 0, plain((list, _, budget) => new GremlinSet(budget.keys([...list])))],
  toUnmodifiableSet: [
    0,
    0,
    plain((list, _, budget) => new ConstantSet(budget.keys([...nonNull(list, "toUnmodifiableSet()")])))
  ],
  counting: [0, 0, plain((list) => BigInt(list.length))],
  joining: [0, 3, plain(joined)],
  mapping: [
    2,
    2,
    function* (list, [closure, downstream], caller) {
      const values = yield* mapped({ list, of: list }, closureOf(closure, "mapping"), caller)
      if (downstream instanceof Collector) return yield* collected(downstream, values, caller)
      throw new Unavailable(`mapping() takes a closure and a collector in scripts, not ${typeName(downstream)}`)
    }
  ],
  groupingBy: [
    1,
    2,
    function* (list, [closure, downstream], caller) {
      const keyOf = closureOf(closure, "groupingBy")
      const { budget } = caller
      const key = function* (member: unknown): ScriptRun {
        const value = budget.key(budget.keyMember(yield* ended(caller.attemptCall(keyOf, [member]))))
        if (value !== null) return value
        const message = "element cannot be mapped to a null key"
        throw new OperandError("the closure of groupingBy() gives no null", "NullPointerException", message)
      }
      return yield* grouped(list, new GremlinMap(), key, downstream, caller)
    }
  ],
  partitioningBy: [
    1,
    2,
    function* (list, [closure, downstream], caller) {
      const test = closureOf(closure, "partitioningBy")
      const key = function* (member: unknown): ScriptRun {
        const value = yield* ended(caller.attemptCall(test, [member]))
        if (typeof value === "boolean") return value
        throw new OperandError(`the closure of partitioningBy() gives true or false, not ${typeName(value)}`)
      }
      const both = new GremlinMap([
        [false, []],
        [true, []]
      ])
      return yield* grouped(list, both, key, downstream, caller)
    }
  ],
  toMap: [2, 3, mapOf],
  summingInt: [1, 1, summing("summingInt", "IntStream", "Int", false)],
  summingLong: [1, 1, summing("summingLong", "LongStream", "Long", false)],
  summingDouble: [1, 1, summing("summingDouble", "DoubleStream", "Double", false)],
  averagingInt: [1, 1, summing("averagingInt", "IntStream", "Int", true)],
  averagingLong: [1, 1, summing("averagingLong", "LongStream", "Long", true)],
  averagingDouble: [1, 1, summing("averagingDouble", "DoubleStream", "Double", true)]
}

function* mapOf(list: readonly unknown[], args: readonly unknown[], caller: Caller): ScriptRun {
  const { budget } = caller
  const [keyFor, valueFor] = [closureOf(args[0], "toMap"), closureOf(args[1], "toMap")]
  const merge = args.length === 3 ? closureOf(args[2], "toMap") : undefined
  const map = new GremlinMap()
  for (const member of list) {
    const key = budget.key(budget.keyMember(yield* ended(caller.attemptCall(keyFor, [member]))))
    const value = budget.member(yield* ended(caller.attemptCall(valueFor, [member])))
    if (value === null) throw new OperandError("toMap() takes no null", "NullPointerException")
    const before = map.get(key)
    if (before === undefined) map.set(key, value)
    else if (merge === undefined) {
      const shown = [key, before, value].map((part) => budget.text(part))
      const message = `Duplicate key ${shown[0]} (attempted merging values ${shown[1]} and ${shown[2]})`
      throw new OperandError("toMap() got a key twice", "IllegalStateException", message)
    } else map.set(key, budget.member(yield* ended(caller.attemptCall(merge, [before, value]))))
  }
  budget.list([...list])
  return map
}

/** The value of a collector for the members of a stream. */
export function* collected(collector: Collector, list: readonly unknown[], caller: Caller): ScriptRun {
  return yield* collectors[collector.name]![2](list, collector.args, caller)
}

/** The collector of `Collectors.name(args)`. Fails with Unavailable for one that scripts do not have. */
export const collectorOf = (name: string, args: readonly unknown[]): Collector => {
  const known = Object.hasOwn(collectors, name) ? collectors[name] : undefined
  if (known === undefined) {
    throw new Unavailable(
      `scripts do not have Collectors.${name}(): they have ${Object.keys(collectors).sort().join(", ")}`
    )
  }
  const [least, most] = known
  if (args.length >= least && args.length <= most) return new Collector(name, args)
  throw new Unavailable(`Collectors.${name}() takes ${argumentCount(least, most)} arguments in scripts`)
}
