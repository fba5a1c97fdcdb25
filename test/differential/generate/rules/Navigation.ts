import { string, type Value } from "../../../conformance/Value.ts"
import { type Argument, type Call, call, constant, literalArgument, text } from "../../syntax/Traversal.ts"
import { predicate } from "../Predicates.ts"
import { made, type Rule, rule } from "../Rule.ts"
import type { Scope } from "../Scope.ts"
import {
  ANY,
  among,
  anything,
  EDGE,
  isEdge,
  isElement,
  isVertex,
  listOf,
  mapOf,
  NUMBER,
  PROPERTY,
  STRING,
  type Type,
  VERTEX,
  VERTEX_PROPERTY
} from "../Types.ts"

const directions = ["OUT", "IN", "BOTH"] as const
const direction = (scope: Scope): Argument => constant("Direction", scope.one(directions))

/** Draws the with() of valueMap(): all tokens, those of a number, or all or none by a Boolean. */
const withTokens = (scope: Scope): Call => {
  const key = text("~tinkerpop.valueMap.tokens")
  if (scope.chance(0.4)) return call("with", key)
  const isBoolean = scope.chance(0.3)
  return call(
    "with",
    key,
    literalArgument(
      isBoolean ? { kind: "boolean", value: scope.chance(0.5) } : { kind: "int", value: BigInt(scope.below(16)) }
    )
  )
}

/** Draws 0 to 2 property keys as arguments of a step. */
const keyNames = (scope: Scope, type: Type): ReadonlyArray<Argument> => {
  const choice = scope.below(10)
  if (choice < 4) return []
  return choice < 8 ? [text(scope.key(type).name)] : [text(scope.key(type).name), text(scope.key(type).name)]
}

const vertices = (scope: Scope): ReadonlyArray<Argument> =>
  Array.from({ length: scope.below(3) }, () => literalArgument(scope.vertexId()))

/** Steps between vertices and edges. */
const moves: ReadonlyArray<Rule> = [
  rule(14, isVertex, (scope) => made(VERTEX, call(scope.one(["out", "in", "both"]), ...scope.edgeLabels()))),
  rule(7, isVertex, (scope) => made(EDGE, call(scope.one(["outE", "inE", "bothE"]), ...scope.edgeLabels()))),
  rule(1, isVertex, (scope) => made(VERTEX, call("to", direction(scope), ...scope.edgeLabels()))),
  rule(1, isVertex, (scope) => made(EDGE, call("toE", direction(scope), ...scope.edgeLabels()))),
  rule(9, isEdge, (scope) => made(VERTEX, call(scope.one(["outV", "inV", "bothV", "otherV"])))),
  rule(1, isEdge, (scope) => made(VERTEX, call("toV", direction(scope)))),
  rule(2, among("vertexProperty", "property"), (_, type) =>
    made(type.kind === "property" ? ANY : VERTEX, call("element"))
  ),
  rule(0.8, anything, (scope) => made(VERTEX, call("V", ...vertices(scope)))),
  rule(0.3, anything, (scope) => made(EDGE, call("E", ...(scope.chance(0.5) ? [literalArgument(scope.edgeId())] : []))))
]

/** Steps from elements to their properties, ids and labels. */
const parts: ReadonlyArray<Rule> = [
  rule(12, isElement, (scope, type) => {
    const key = scope.key(type)
    return made(key.type, call("values", text(key.name)))
  }),
  rule(2, isElement, (scope, type) => made(ANY, call("values", ...keyNames(scope, type)))),
  rule(3, isElement, (scope, type) =>
    made(type.kind === "vertex" ? VERTEX_PROPERTY : PROPERTY, call("properties", ...keyNames(scope, type)))
  ),
  rule(2, isElement, () => made(NUMBER, call("id"))),
  rule(3, isElement, () => made(STRING, call("label"))),
  rule(2, isElement, (scope, type) => {
    const value = type.kind === "vertex" ? listOf(ANY) : ANY
    return made(mapOf(STRING, value), call("valueMap", ...keyNames(scope, type)))
  }),
  rule(0.6, isElement, (scope, type) => {
    const with_ = scope.chance(0.5) ? [literalArgument({ kind: "boolean", value: scope.chance(0.7) })] : []
    return made(mapOf(ANY, ANY), call("valueMap", ...with_, ...keyNames(scope, type)))
  }),
  rule(1, isElement, (scope, type) => {
    const tokens = Array.from({ length: scope.chance(0.2) ? 2 : 1 }, () => withTokens(scope))
    const { calls, type: value } = scope.chance(0.4) ? unfolded() : { calls: [], type: ANY }
    return made(mapOf(ANY, value), call("valueMap", ...keyNames(scope, type)), ...tokens, ...calls)
  }),
  rule(1, isElement, (scope, type) => made(mapOf(STRING, ANY), call("propertyMap", ...keyNames(scope, type)))),
  rule(1.5, isElement, (scope, type) => made(mapOf(ANY, ANY), call("elementMap", ...keyNames(scope, type)))),
  rule(1, isElement, (scope, type) => {
    const { calls } = unfolded()
    return made(mapOf(STRING, ANY), call("valueMap", ...keyNames(scope, type)), ...calls)
  }),
  rule(5, among("vertexProperty", "property"), () => made(ANY, call("value"))),
  rule(3, among("vertexProperty", "property"), () => made(STRING, call("key")))
]

const unfolded = () => ({ calls: [call("by", { kind: "child", steps: [call("unfold")] })], type: ANY }) as const

/** Filters by properties, ids and labels of elements. */
const tests: ReadonlyArray<Rule> = [
  rule(5, isElement, (scope, type) => {
    const key = scope.key(type)
    const value = scope.chance(0.45)
      ? literalArgument(scope.sample(key))
      : predicate(scope, key.type, () => scope.sample(key))
    return made(type, call("has", text(key.name), value))
  }),
  rule(2, isElement, (scope, type) => made(type, call(scope.one(["has", "hasNot"]), text(scope.key(type).name)))),
  rule(1, isElement, (scope, type) => {
    const key = scope.key(type)
    const label = text(scope.one(type.kind === "edge" ? scope.model.edgeLabels : scope.model.vertexLabels))
    return made(type, call("has", label, text(key.name), literalArgument(scope.sample(key))))
  }),
  rule(3, isElement, (scope, type) => {
    const labels = type.kind === "edge" ? scope.model.edgeLabels : scope.model.vertexLabels
    if (scope.chance(0.15)) {
      const draw = () => ({ kind: "string", value: scope.one(labels) }) as const
      return made(type, call("hasLabel", predicate(scope, STRING, draw)))
    }
    return made(type, call("hasLabel", ...Array.from({ length: 1 + scope.below(2) }, () => text(scope.one(labels)))))
  }),
  rule(1.5, isElement, (scope, type) => {
    const plain = () => (type.kind === "edge" ? scope.edgeId() : scope.vertexId())
    const quoted = (): Value => {
      const id = plain()
      return id.kind === "int" || id.kind === "long" ? string(`${id.value}`) : id
    }
    const draw = scope.chance(0.4) ? quoted : plain
    if (scope.chance(0.5)) return made(type, call("hasId", predicate(scope, NUMBER, draw)))
    return made(type, call("hasId", ...Array.from({ length: 1 + scope.below(2) }, () => literalArgument(draw()))))
  }),
  rule(0.7, isElement, (scope, type) => {
    const token = scope.one(["id", "label"] as const)
    const draw = () =>
      token === "label" ? ({ kind: "string", value: scope.one(scope.model.vertexLabels) } as const) : scope.vertexId()
    const value = scope.chance(0.5) ? literalArgument(draw()) : predicate(scope, token === "id" ? NUMBER : STRING, draw)
    return made(type, call("has", constant("T", token), value))
  }),
  rule(2, among("vertexProperty", "property"), (scope, type) => {
    const key = scope.key({ kind: "any" })
    if (scope.chance(0.5)) return made(type, call("hasKey", text(key.name)))
    const value = scope.chance(0.5)
      ? literalArgument(scope.sample(key))
      : predicate(scope, key.type, () => scope.sample(key))
    return made(type, call("hasValue", value))
  })
]

export const navigation: ReadonlyArray<Rule> = [...moves, ...parts, ...tests]
