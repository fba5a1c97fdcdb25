import type { Value } from "../../conformance/Value.ts"
import { type Argument, type Call, call, child, isPredicate, type Predicate, type Traversal } from "./Traversal.ts"

const int = (value: bigint): Value => ({ kind: "int", value })

/** Shorter variants of a list: without one half, then without one member, from the last to the first. */
function* fewer<A>(items: ReadonlyArray<A>): Generator<ReadonlyArray<A>> {
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = items.length; end > 0; end -= size) {
      const begin = Math.max(0, end - size)
      yield [...items.slice(0, begin), ...items.slice(end)]
    }
  }
}

/** Variants of a list in which one member is replaced. */
function* replacing<A>(items: ReadonlyArray<A>, variants: (item: A) => Iterable<A>): Generator<ReadonlyArray<A>> {
  for (const [index, item] of items.entries()) {
    for (const variant of variants(item)) yield [...items.slice(0, index), variant, ...items.slice(index + 1)]
  }
}

function* smallerValues(value: Value): Generator<Value> {
  switch (value.kind) {
    case "list":
    case "set":
      for (const items of fewer(value.items)) yield { kind: value.kind, items }
      for (const items of replacing(value.items, smallerValues)) yield { kind: value.kind, items }
      return
    case "map":
      for (const entries of fewer(value.entries)) yield { kind: "map", entries }
      for (const entries of replacing(value.entries, ([key, item]) => pairs(key, smallerValues(item))))
        yield { kind: "map", entries }
      return
    case "string":
      if (value.value.length > 1) yield { kind: "string", value: "a" }
      return
    case "byte":
    case "short":
    case "long":
    case "bigInteger":
    case "float":
    case "double":
    case "bigDecimal":
      yield int(1n)
      return
    case "int":
      if (value.value > 1n || value.value < 0n) yield int(1n)
      return
    case "dateTime":
    case "uuid":
    case "duration":
    case "char":
      yield int(1n)
      yield { kind: "string", value: "a" }
      return
    default:
      return
  }
}

function* pairs(key: Value, values: Iterable<Value>): Generator<readonly [Value, Value]> {
  for (const value of values) yield [key, value]
}

function* smallerPredicates(predicate: Predicate): Generator<Predicate> {
  switch (predicate.kind) {
    case "both":
    case "either":
      yield predicate.left
      yield predicate.right
      for (const left of smallerPredicates(predicate.left)) yield { ...predicate, left }
      for (const right of smallerPredicates(predicate.right)) yield { ...predicate, right }
      return
    case "negated":
      yield predicate.inner
      for (const inner of smallerPredicates(predicate.inner)) yield { kind: "negated", inner }
      return
    default:
      if (predicate.name === "within" || predicate.name === "without") {
        for (const args of fewer(predicate.args)) yield { ...predicate, args }
      }
      for (const args of replacing(predicate.args, smallerArguments)) yield { ...predicate, args }
  }
}

function* smallerArguments(argument: Argument): Generator<Argument> {
  if (argument.kind === "child") {
    if (argument.steps.length > 1 || argument.steps.some(({ name }) => name !== "identity"))
      yield child(call("identity"))
    for (const steps of smallerCalls(argument.steps)) yield { kind: "child", steps }
  } else if (argument.kind === "value") {
    for (const value of smallerValues(argument.value)) yield { kind: "value", value }
  } else if (argument.kind === "cardinality") {
    yield { kind: "value", value: argument.value }
  } else if (argument.kind === "map") {
    for (const entries of fewer(argument.entries)) yield { kind: "map", entries }
    for (const entries of replacing(argument.entries, withSmallerValue)) yield { kind: "map", entries }
  } else if (argument.kind === "strategy") {
    for (const configuration of fewer(argument.configuration)) yield { ...argument, configuration }
    for (const configuration of replacing(argument.configuration, withSmallerValue))
      yield { ...argument, configuration }
  } else if (isPredicate(argument)) yield* smallerPredicates(argument)
}

function* withSmallerValue<K>([key, value]: readonly [K, Argument]): Generator<readonly [K, Argument]> {
  for (const smaller of smallerArguments(value)) yield [key, smaller]
}

function* smallerCall(one: Call): Generator<Call> {
  if (one.args.length > 1) for (const args of fewer(one.args)) yield { name: one.name, args }
  for (const args of replacing(one.args, smallerArguments)) yield { name: one.name, args }
}

/** True if each repeat() has times() or until(). Otherwise the traversal runs until its timeout. */
const ends = (calls: ReadonlyArray<Call>): boolean => {
  const count = (...names: ReadonlyArray<string>): number => calls.filter(({ name }) => names.includes(name)).length
  return count("repeat") <= count("times", "until")
}

/** Lists of calls that are smaller by one change, and whose repeat() steps end. */
function* smallerCalls(calls: ReadonlyArray<Call>): Generator<ReadonlyArray<Call>> {
  for (const smaller of changedCalls(calls)) if (smaller.length > 0 && ends(smaller)) yield smaller
}

/** Lists of calls that are smaller by one change: removed calls, nested steps in place of their call, smaller arguments. */
function* changedCalls(calls: ReadonlyArray<Call>): Generator<ReadonlyArray<Call>> {
  yield* fewer(calls)
  for (const [index, { args }] of calls.entries()) {
    for (const argument of args) {
      if (argument.kind === "child" && argument.steps.length > 0) {
        yield [...calls.slice(0, index), ...argument.steps, ...calls.slice(index + 1)]
      }
    }
  }
  yield* replacing(calls, smallerCall)
}

const starting: ReadonlySet<string> = new Set(["V", "E", "inject", "union", "addV", "mergeV", "mergeE"])

/** False if the traversal begins with a union() whose traversals have no start step. Their input is not defined. */
const begins = ([first]: ReadonlyArray<Call>): boolean =>
  first !== undefined &&
  (first.name !== "union" ||
    first.args.every((one) => one.kind === "child" && starting.has(one.steps[0]?.name ?? "") && begins(one.steps)))

/** Traversals that are smaller by one change. The variants that remove most come first. */
export function* smaller({ source, steps }: Traversal): Generator<Traversal> {
  if (source.length > 1) yield { source: [], steps }
  for (const fewerSources of fewer(source)) yield { source: fewerSources, steps }
  for (const fewerSteps of smallerCalls(steps)) if (begins(fewerSteps)) yield { source, steps: fewerSteps }
  for (const smallerSource of replacing(source, smallerCall)) yield { source: smallerSource, steps }
}
