import { GremlinSet } from "../../../structure/collections/Collections.ts"
import { TypeMismatch } from "../../../structure/errors/ValueErrors.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import type { ScriptRun } from "../../HostCall.ts"
import { ScriptClosure } from "../../ScriptClosure.ts"
import type { Budget } from "../budget/Budget.ts"
import { mapped } from "../closures/ChosenMembers.ts"
import { assertOneClass } from "../collections/CollectionStatics.ts"
import { sortedBy } from "../collections/Sorting.ts"
import { SortOrder } from "../comparison/GroovyOrder.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import type { Caller } from "../methods/MemberCalls.ts"
import { argumentCount } from "../methods/MethodTable.ts"
import { isCollection } from "../values/Copies.ts"
import { ConstantList } from "../values/FixedList.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { Optional } from "../values/Optional.ts"
import { ScriptIterator } from "../values/ScriptIterator.ts"
import { Collector, collected } from "./Collectors.ts"
import {
  closureOf,
  countOf,
  extreme,
  firstOf,
  holds,
  leading,
  matching,
  memberOf,
  numeric,
  reduced,
  type Streamed,
  type StreamMethod,
  visitedBy
} from "./StreamFolds.ts"
import { javaMean, javaSum, type StreamKind } from "./StreamNumbers.ts"

/** Maps the members to a stream of a kind; without a kind to one of the kind of the stream itself. */
const mapping = (to?: StreamKind): StreamMethod =>
  function* ({ caller, kind, list }, args) {
    const values = yield* mapped({ list, of: list }, closureOf(args, 1), caller)
    const wanted = to ?? kind
    return new ScriptStream(
      values.map((value) => memberOf(value, wanted)),
      wanted
    )
  }

const withMembers = ({ caller, kind }: Streamed, values: Array<unknown>): ScriptStream =>
  new ScriptStream(caller.budget.list(values), kind)

/** Fails with TypeMismatch for collections, which have no order in Java. */
const assertComparable = (list: readonly unknown[]): void => {
  if (list.length < 2 || !isCollection(list[0])) return
  throw new TypeMismatch(`stream.sorted() takes values with an order, not ${typeName(list[0])}`)
}

const plain = (run: (stream: Streamed, args: readonly unknown[]) => unknown): StreamMethod =>
  // biome-ignore lint/correctness/useYield: methods of streams are generators, because others call closures.
  function* (stream, args) {
    return run(stream, args)
  }

/** Methods of streams: the least and the largest number of their arguments, and what they do. */
const methods: { readonly [name: string]: readonly [least: number, most: number, run: StreamMethod] } = {
  map: [1, 1, mapping()],
  mapToObj: [1, 1, mapping("Stream")],
  mapToInt: [1, 1, mapping("IntStream")],
  mapToLong: [1, 1, mapping("LongStream")],
  mapToDouble: [1, 1, mapping("DoubleStream")],
  filter: [
    1,
    1,
    function* (stream, args) {
      const closure = closureOf(args, 1)
      const found: Array<unknown> = []
      for (const member of stream.list) if (yield* holds(stream, closure, member)) found.push(member)
      return withMembers(stream, found)
    }
  ],
  flatMap: [
    1,
    1,
    function* ({ caller, kind, list }, args) {
      const streams = yield* mapped({ list, of: list }, closureOf(args, 1), caller)
      const values: Array<unknown> = []
      for (const stream of streams) {
        // As in Java, null is a stream without members.
        if (stream === null) continue
        if (!(stream instanceof ScriptStream)) {
          throw new OperandError(`the closure of flatMap() gives a stream, not ${typeName(stream)}`)
        }
        for (const member of stream.take(caller.budget)) values.push(member)
        caller.budget.spend(values.length, "flatMap() of a stream")
      }
      return new ScriptStream(caller.budget.list(values), kind)
    }
  ],
  peek: [
    1,
    1,
    function* (stream, args) {
      yield* visitedBy(stream, args)
      return withMembers(stream, [...stream.list])
    }
  ],
  forEach: [1, 1, visitedBy],
  forEachOrdered: [1, 1, visitedBy],
  anyMatch: [1, 1, matching(true, true)],
  allMatch: [1, 1, matching(false, false)],
  noneMatch: [1, 1, matching(true, false)],
  takeWhile: [
    1,
    1,
    function* (stream, args) {
      return withMembers(stream, stream.list.slice(0, yield* leading(stream, args)))
    }
  ],
  dropWhile: [
    1,
    1,
    function* (stream, args) {
      return withMembers(stream, stream.list.slice(yield* leading(stream, args)))
    }
  ],
  sorted: [
    0,
    1,
    function* (stream, args) {
      const { caller, list } = stream
      if (args.length === 1) return withMembers(stream, yield* sortedBy(list, closureOf(args, 2), caller))
      assertOneClass(list, "stream.sorted")
      caller.budget.sorted(list)
      assertComparable(list)
      const order = new SortOrder(caller.budget)
      return withMembers(
        stream,
        [...list].sort((left, right) => order.compare(left, right))
      )
    }
  ],
  min: [0, 1, extreme(-1)],
  max: [0, 1, extreme(1)],
  reduce: [1, 3, reduced],
  collect: [
    1,
    1,
    function* ({ caller, kind, list }, [collector]) {
      // Groovy's own method.
      if (collector instanceof ScriptClosure) return yield* mapped({ list, of: list }, collector, caller)
      if (collector instanceof Collector && kind === "Stream") return yield* collected(collector, list, caller)
      throw new Unavailable("collect() of a Stream takes a collector in scripts, such as Collectors.toList()")
    }
  ],
  distinct: [
    0,
    0,
    plain((stream) => withMembers(stream, [...new GremlinSet(stream.caller.budget.keys([...stream.list]))]))
  ],
  limit: [1, 1, plain((stream, [count]) => withMembers(stream, stream.list.slice(0, countOf(count))))],
  skip: [1, 1, plain((stream, [count]) => withMembers(stream, stream.list.slice(countOf(count))))],
  boxed: [0, 0, plain((stream) => new ScriptStream(stream.list, "Stream"))],
  parallel: [0, 0, plain((stream) => new ScriptStream(stream.list, stream.kind))],
  sequential: [0, 0, plain((stream) => new ScriptStream(stream.list, stream.kind))],
  count: [0, 0, plain(({ list }) => BigInt(list.length))],
  findFirst: [0, 0, plain(firstOf)],
  findAny: [0, 0, plain(firstOf)],
  toList: [0, 0, plain(({ caller, list }) => ConstantList.holding(caller.budget.list([...list])))],
  toSet: [0, 0, plain(({ caller, list }) => new GremlinSet(caller.budget.keys([...list])))],
  toArray: [0, 0, plain(({ caller, kind, list }) => new JavaArray(arrayTypes[kind], caller.budget.list([...list])))],
  iterator: [0, 0, plain(({ list }) => new ScriptIterator(list))],
  sum: [0, 0, plain(({ kind, list }) => javaSum(list, numeric(kind, "sum")))],
  average: [0, 0, plain(({ kind, list }) => new Optional(javaMean(list, numeric(kind, "average"))))]
}

const arrayTypes: { readonly [kind in StreamKind]: string } = {
  Stream: "Object",
  IntStream: "int",
  LongStream: "long",
  DoubleStream: "double"
}

/** The members of a stream, or what reads them when the stream is used: as in Java, a list may change until then. */
type StreamMembers = readonly unknown[] | ((budget: Budget) => readonly unknown[])

/**
 * A java.util.stream.Stream of a script, whose members are all known. Each method calls its closure for all members before the next
 * method begins.
 */
export class ScriptStream extends CalledValue {
  readonly kind: StreamKind
  #members: StreamMembers | undefined

  constructor(members: StreamMembers, kind: StreamKind = "Stream") {
    super()
    this.#members = members
    this.kind = kind
  }

  get [Symbol.toStringTag](): string {
    return this.kind
  }

  /** The members. Fails with OperandError at the second call: as in Java, a stream is used once. */
  take(budget: Budget): readonly unknown[] {
    const members = this.#members
    this.#members = undefined
    if (members !== undefined) return typeof members === "function" ? members(budget) : members
    throw new OperandError(
      "the stream was used before: call stream() of the collection again",
      "IllegalStateException",
      "stream has already been operated upon or closed"
    )
  }

  override call(name: string): never {
    throw new Unavailable(`${name}() of a stream needs a run`)
  }

  override *run(name: string, args: readonly unknown[], caller: Caller): ScriptRun {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (method === undefined) {
      throw new Unavailable(
        `a stream has no method ${name}() in scripts; it has ${Object.keys(methods).sort().join(", ")}`
      )
    }
    const [least, most, run] = method
    if (args.length < least || args.length > most) {
      throw new Unavailable(`${name}() of a stream takes ${argumentCount(least, most)} arguments, not ${args.length}`)
    }
    const list = this.take(caller.budget)
    caller.budget.spend(list.length, `${name}() of a stream`)
    return (yield* run({ kind: this.kind, list, caller }, args)) ?? null
  }
}
