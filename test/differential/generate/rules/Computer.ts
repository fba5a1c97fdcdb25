import { type Call, call, constant, literalArgument, text, whole } from "../../syntax/Traversal.ts"
import { made } from "../Rule.ts"
import type { Made, Scope } from "../Scope.ts"
import { ANY, isElement, isVertex, PATH, type Type, VERTEX } from "../Types.ts"

const named = (algorithm: string, option: string, ...value: ReadonlyArray<Call["args"][number]>): Call =>
  call("with", text(`~tinkerpop.${algorithm}.${option}`), ...value)

const edges = (scope: Scope): Call["args"][number] => ({
  kind: "child",
  steps: [call(scope.one(["outE", "inE", "bothE"]), ...scope.edgeLabels())]
})

/** Draws an algorithm that writes a property, and steps that read this property. */
const ranking = (scope: Scope, algorithm: "pageRank" | "peerPressure" | "connectedComponent"): Made => {
  const options: Array<Call> = [named(algorithm, "propertyName", text("rank"))]
  if (scope.chance(0.3)) options.push(named(algorithm, "edges", edges(scope)))
  if (algorithm !== "connectedComponent" && scope.chance(0.3))
    options.push(named(algorithm, "times", whole(1 + scope.below(3))))
  const read = scope.one([
    [call("values", text("rank"))],
    [call("project", text("a"), text("b")), call("by", constant("T", "id")), call("by", text("rank"))],
    [call("group"), call("by", text("rank")), call("by", constant("T", "label"))]
  ])
  return made(ANY, call(algorithm), ...options, ...read)
}

const shortestPath = (scope: Scope): Made => {
  const options: Array<Call> = []
  if (scope.chance(0.5)) {
    const test = call("hasId", literalArgument(scope.vertexId()))
    options.push(named("shortestPath", "target", { kind: "child", steps: [test] }))
  }
  if (scope.chance(0.3)) options.push(named("shortestPath", "edges", edges(scope)))
  if (scope.chance(0.3)) options.push(named("shortestPath", "maxDistance", whole(1 + scope.below(3))))
  if (scope.chance(0.3))
    options.push(named("shortestPath", "includeEdges", literalArgument({ kind: "boolean", value: true })))
  return made(PATH, call("shortestPath"), ...options)
}

/** Draws steps from vertices that a graph computer allows at every position. */
const walk = (scope: Scope): Made => {
  const calls: Array<Call> = []
  let type: Type = VERTEX
  for (let count = 1 + scope.below(3); count > 0; count--) {
    if (isVertex(type)) {
      const edge = scope.chance(0.3)
      calls.push(
        call(
          scope.one(edge ? (["outE", "inE", "bothE"] as const) : (["out", "in", "both"] as const)),
          ...scope.edgeLabels()
        )
      )
      type = edge ? { kind: "edge" } : VERTEX
    } else {
      calls.push(call(scope.one(["inV", "outV", "bothV"])))
      type = VERTEX
    }
  }
  if (isElement(type) && scope.chance(0.4)) calls.push(call("has", text(scope.key(type).name)))
  const end = scope.one([
    [call("count")],
    [call("id")],
    [call("label"), call("dedup")],
    [call("groupCount"), call("by", constant("T", "label"))],
    [call("values", text(scope.key(type).name))],
    [call("path"), call("count")]
  ])
  return made(ANY, ...calls, ...end)
}

/** Draws the source instructions, and the steps after V(), of a case for a graph computer. */
export const computed = (
  scope: Scope
): { readonly source: ReadonlyArray<Call>; readonly steps: ReadonlyArray<Call> } => {
  const choice = scope.below(10)
  const algorithm = scope.one(["pageRank", "peerPressure", "connectedComponent"] as const)
  // A V() before an algorithm continues from the vertices of the traversers.
  const isBetween = choice < 4 && scope.chance(0.25)
  const between = isBetween ? [call(scope.one(["out", "in", "both"])), call("V")] : []
  const { calls } = choice < 4 ? ranking(scope, algorithm) : choice < 6 ? shortestPath(scope) : walk(scope)
  const computer = call("withStrategies", { kind: "strategy", name: "VertexProgramStrategy", configuration: [] })
  return { source: [computer], steps: [call("V"), ...between, ...calls] }
}
