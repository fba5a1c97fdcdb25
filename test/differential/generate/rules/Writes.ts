import { int, string, type Value } from "../../../conformance/Value.ts"
import { type Argument, type Call, call, constant, literalArgument, text } from "../../syntax/Traversal.ts"
import { made, type Rule, rule } from "../Rule.ts"
import type { Made, Scope } from "../Scope.ts"
import { ANY, anything, EDGE, isEdge, isElement, isVertex, type Type, VERTEX } from "../Types.ts"

const cardinalities = ["single", "list", "set"] as const
const token = (name: string): Value => ({ kind: "enum", type: "T", name })
const direction = (name: string): Value => ({ kind: "enum", type: "Direction", name })

/** Draws an id for a new element. 10 % of the draws are an id that exists. */
const newId = (scope: Scope): Value => int(scope.chance(0.1) ? 1 : 30 + scope.below(8))

/** Draws property(). Most values have the type of the key. Vertices may also have a cardinality and meta-properties. */
const property = (scope: Scope, type: Type): Call => {
  const key = scope.key(type)
  const value: Argument =
    scope.depth > 0 && scope.chance(0.15)
      ? scope.child(type, 2).child
      : scope.chance(0.05)
        ? literalArgument({ kind: "null" })
        : literalArgument(scope.sample(key))
  if (!isVertex(type)) return call("property", text(key.name), value)
  const cardinality = scope.chance(0.5) ? [constant("Cardinality", scope.one(cardinalities))] : []
  const meta = scope.chance(0.2) ? [text("since"), literalArgument(int(2000 + scope.below(3)))] : []
  return call("property", ...cardinality, text(key.name), value, ...meta)
}

/** Draws property() with a map. */
const properties = (scope: Scope, type: Type): Call => {
  const entries = Array.from({ length: 1 + scope.below(2) }, () => {
    const key = scope.key(type)
    const value = scope.sample(key)
    const argument: Argument =
      isVertex(type) && scope.chance(0.3)
        ? { kind: "cardinality", name: scope.one(cardinalities), value }
        : literalArgument(value)
    return [string(key.name), argument] as const
  })
  const cardinality = isVertex(type) && scope.chance(0.3) ? [constant("Cardinality", scope.one(cardinalities))] : []
  return call("property", ...cardinality, { kind: "map", entries })
}

/** Draws the property() steps of a new element: T.id stands among the others, mostly at the front, or in a map. */
const newProperties = (scope: Scope, type: Type, count: number, id: boolean): ReadonlyArray<Call> => {
  const calls = Array.from({ length: count }, () => property(scope, type))
  if (!id) return calls
  const inMap: ReadonlyArray<Argument> = [{ kind: "map", entries: [[token("id"), literalArgument(newId(scope))]] }]
  const given = scope.chance(0.2) ? inMap : [constant("T", "id"), literalArgument(newId(scope))]
  calls.splice(scope.chance(0.5) ? 0 : scope.below(count + 1), 0, call("property", ...given))
  return calls
}

const addVertex = (scope: Scope): Made => {
  const label = scope.chance(0.2) ? [] : [text(scope.one([...scope.model.vertexLabels, "new"]))]
  const id = scope.chance(0.3)
  return made(VERTEX, call("addV", ...label), ...newProperties(scope, VERTEX, scope.below(3), id))
}

/** Draws an end of a new edge: a step label, or a traversal that finds a vertex. */
const end = (scope: Scope): Argument => {
  const labelled = [...scope.labels].filter(([, type]) => isVertex(type))
  if (labelled.length > 0 && scope.chance(0.6)) return text(scope.one(labelled)[0])
  if (scope.chance(0.15) && scope.depth > 0) return scope.child(VERTEX, 1).child
  return { kind: "child", steps: [call("V", literalArgument(scope.vertexId()))] }
}

/** Draws addE() with from(), to() or both. The incoming vertex is the end without a modulator. */
const addEdge = (scope: Scope, type: Type): Made => {
  const choice = scope.below(10)
  const ends =
    !isVertex(type) || choice < 3
      ? [call("from", end(scope)), call("to", end(scope))]
      : [call(choice < 7 ? "to" : "from", end(scope))]
  const id = scope.chance(0.2)
  const calls = [...ends, ...newProperties(scope, EDGE, scope.below(2), id)]
  // The ends may also follow properties.
  if (scope.chance(0.2)) calls.reverse()
  const label = text(scope.one([...scope.model.edgeLabels, "new"]))
  return made(EDGE, call("addE", label), ...calls)
}

/** Draws the map of mergeV(), of mergeE() or of one of their options. */
const elementMap = (scope: Scope, type: Type, id: boolean): ReadonlyArray<readonly [Value, Argument]> => {
  const entries: Array<readonly [Value, Argument]> = []
  if (scope.chance(0.5)) {
    const labels = isVertex(type) ? scope.model.vertexLabels : scope.model.edgeLabels
    entries.push([token("label"), text(scope.one(labels))])
  }
  if (id && scope.chance(0.25))
    entries.push([token("id"), literalArgument(scope.chance(0.5) ? newId(scope) : scope.vertexId())])
  const seen = new Set<string>()
  for (let count = scope.below(3); count > 0; count--) {
    const key = scope.key(type)
    if (seen.has(key.name)) continue
    seen.add(key.name)
    const value = scope.sample(key)
    const cardinality = isVertex(type) && !id && scope.chance(0.25)
    entries.push([
      string(key.name),
      cardinality ? { kind: "cardinality", name: scope.one(cardinalities), value } : literalArgument(value)
    ])
  }
  return entries
}

const mergeOptions = (scope: Scope, type: Type): ReadonlyArray<Call> =>
  (["onCreate", "onMatch"] as const)
    .filter(() => scope.chance(0.45))
    .map((event) => {
      const option = constant("Merge", event)
      const entries = elementMap(scope, type, false).filter(([key]) => event === "onCreate" || key.kind !== "enum")
      if (scope.depth > 0 && scope.chance(0.1)) {
        return call("option", option, {
          kind: "child",
          steps: [call("constant", { kind: "map", entries: entries.filter(([, value]) => value.kind === "value") })]
        })
      }
      return call("option", option, { kind: "map", entries })
    })

const mergeVertex = (scope: Scope): Made => {
  const entries = elementMap(scope, VERTEX, true)
  return made(VERTEX, call("mergeV", { kind: "map", entries }), ...mergeOptions(scope, VERTEX))
}

const mergeEdge = (scope: Scope): Made => {
  const entries = [...elementMap(scope, EDGE, false)]
  const labels = [...scope.labels].filter(([, type]) => isVertex(type)).map(([name]) => name)
  const calls: Array<Call> = []
  for (const [name, option] of [
    ["OUT", "outV"],
    ["IN", "inV"]
  ] as const) {
    if (scope.chance(0.1)) continue
    if (labels.length > 0 && scope.chance(0.4)) {
      entries.push([direction(name), constant("Merge", option)])
      calls.push(
        call("option", constant("Merge", option), { kind: "child", steps: [call("select", text(scope.one(labels)))] })
      )
    } else entries.push([direction(name), literalArgument(scope.vertexId())])
  }
  return made(EDGE, call("mergeE", { kind: "map", entries }), ...calls, ...mergeOptions(scope, EDGE))
}

const may =
  (fits: (type: Type) => boolean): Rule["fits"] =>
  (type, scope) =>
    scope.writes && scope.loops === 0 && fits(type)

/** Steps that change the graph. */
export const mutations: ReadonlyArray<Rule> = [
  rule(10, may(isElement), (scope, type) =>
    made(type, scope.chance(0.85) ? property(scope, type) : properties(scope, type))
  ),
  rule(4, may(anything), addVertex),
  rule(8, may(isVertex), addEdge),
  rule(1, may(anything), addEdge),
  rule(3, may(anything), mergeVertex),
  rule(3, may(anything), mergeEdge),
  rule(
    3,
    may((type) => isElement(type) || isEdge(type) || type.kind === "property"),
    () => made(ANY, call("drop"))
  )
]

/** Draws a first step that changes the graph. */
export const firstWrite = (scope: Scope): Made => {
  const choice = scope.below(10)
  if (choice < 4) return addVertex(scope)
  if (choice < 7) return mergeVertex(scope)
  return choice < 9 ? mergeEdge(scope) : addEdge(scope, ANY)
}
