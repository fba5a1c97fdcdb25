import { string, type Value } from "../../conformance/Value.ts"
import { type Argument, type Call, call, constant, literalArgument, type Strategy, text } from "../syntax/Traversal.ts"
import { predicate } from "./Predicates.ts"
import type { Scope } from "./Scope.ts"
import { ANY, EDGE, listOf, mapOf, NUMBER, STRING, type Type, VERTEX } from "./Types.ts"

const plain = (name: string, ...configuration: Strategy["configuration"]): Strategy => ({
  kind: "strategy",
  name,
  configuration
})

/** Draws the filter of a strategy, which applies to all elements of a kind. */
const criterion = (scope: Scope, type: Type): Argument => {
  const key = scope.key(type)
  const choice = scope.below(3)
  const labels = type.kind === "edge" ? scope.model.edgeLabels : scope.model.vertexLabels
  if (choice === 0) return { kind: "child", steps: [call("hasLabel", text(scope.one(labels)))] }
  const test = choice === 1 ? [] : [predicate(scope, key.type, () => scope.sample(key))]
  return { kind: "child", steps: [call("has", text(key.name), ...test)] }
}

const truth = (value: boolean): Argument => literalArgument({ kind: "boolean", value })
const setOfTexts = (...values: ReadonlyArray<string>): Argument =>
  literalArgument({ kind: "set", items: values.map(string) })
const listOfTexts = (...values: ReadonlyArray<string>): Argument =>
  literalArgument({ kind: "list", items: values.map(string) })

const subgraph = (scope: Scope): Strategy => {
  const parts: Array<readonly [string, Argument]> = []
  if (scope.chance(0.7)) parts.push(["vertices", criterion(scope, VERTEX)])
  if (scope.chance(0.4)) parts.push(["edges", criterion(scope, EDGE)])
  if (scope.chance(0.2)) {
    const keys: Value = string(scope.key(VERTEX).name)
    parts.push(["vertexProperties", { kind: "child", steps: [call("hasKey", literalArgument(keys))] }])
  }
  if (parts.length === 0) parts.push(["edges", criterion(scope, EDGE)])
  if (scope.chance(0.2)) parts.push(["checkAdjacentVertices", truth(scope.chance(0.5))])
  return plain("SubgraphStrategy", ...parts)
}

const partition = (scope: Scope): Strategy =>
  plain(
    "PartitionStrategy",
    ["partitionKey", text(scope.one(["name", "lang", "n", "part"]))],
    ["writePartition", text("a")],
    ["readPartitions", setOfTexts(...scope.one([["a"], ["a", "marko"], ["java", "x"]]))],
    ...(scope.chance(0.3) ? [["includeMetaProperties", truth(true)] as const] : [])
  )

const strategy = (scope: Scope): Strategy => {
  const choice = scope.below(10)
  if (choice < 3) return subgraph(scope)
  if (choice < 5) return partition(scope)
  if (choice < 6) return plain("ReadOnlyStrategy")
  if (choice < 8) {
    return plain(
      "ProductiveByStrategy",
      ...(scope.chance(0.5) ? [["productiveKeys", listOfTexts(scope.key(VERTEX).name)] as const] : [])
    )
  }
  if (choice < 9)
    return plain(
      "ReservedKeysVerificationStrategy",
      ["throwException", truth(true)],
      ["keys", listOfTexts("age", "id")]
    )
  return plain("EdgeLabelVerificationStrategy", ["throwException", truth(true)])
}

/** Default strategies of TinkerGraph. Removing one does not change results. */
const removable = [
  "AdjacentToIncidentStrategy",
  "CountStrategy",
  "EarlyLimitStrategy",
  "FilterRankingStrategy",
  "IdentityRemovalStrategy",
  "IncidentToAdjacentStrategy",
  "InlineFilterStrategy",
  "LazyBarrierStrategy",
  "MatchPredicateStrategy",
  "OrderLimitStrategy",
  "PathProcessorStrategy",
  "PathRetractionStrategy",
  "RepeatUnrollStrategy"
] as const

const sideEffect = (scope: Scope): Call => {
  const type = scope.one([listOf(NUMBER), listOf(STRING), NUMBER, mapOf(STRING, ANY)])
  const name = scope.one(["x", "y"])
  scope.sideEffects.set(name, type)
  const operator = scope.chance(0.3)
    ? [constant("Operator", type.kind === "number" ? scope.one(["sum", "assign"] as const) : "addAll")]
    : []
  return call("withSideEffect", text(name), scope.argument(type), ...operator)
}

/** Draws the source instructions of a case, and returns the scope after them. */
export const source = (outer: Scope): { readonly calls: ReadonlyArray<Call>; readonly scope: Scope } => {
  const calls: Array<Call> = []
  let scope = outer
  if (scope.chance(0.12)) {
    const type = scope.one([NUMBER, NUMBER, NUMBER, listOf(NUMBER), STRING])
    scope = outer.withSack(type)
    const operator = scope.chance(0.4)
      ? [constant("Operator", type.kind === "number" ? scope.one(["sum", "mult", "min", "max"] as const) : "addAll")]
      : []
    calls.push(call("withSack", scope.argument(type), ...operator))
  }
  if (scope.chance(0.08)) calls.push(sideEffect(scope))
  if (scope.chance(0.03)) calls.push(call("withPath"))
  if (scope.chance(0.02)) calls.push(call("withBulk", truth(false)))
  if (scope.chance(0.08)) calls.push(call("withStrategies", strategy(scope)))
  if (scope.chance(0.08)) {
    const names = Array.from({ length: 1 + scope.below(2) }, () => scope.one(removable))
    calls.push(call("withoutStrategies", ...[...new Set(names)].map((name) => ({ kind: "class", name }) as const)))
  }
  return { calls, scope }
}
