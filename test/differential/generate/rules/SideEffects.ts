import { type Call, call, constant, text, whole } from "../../syntax/Traversal.ts"
import { by } from "../Modulators.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Scope } from "../Scope.ts"
import {
  ANY,
  anything,
  EDGE,
  isEdge,
  isElement,
  isNumber,
  isVertex,
  listOf,
  mapOf,
  NUMBER,
  TREE,
  type Type
} from "../Types.ts"

const labels = ["a", "b", "c"] as const
const effects = ["x", "y", "z"] as const

const hasLabels = (_: Type, scope: Scope): boolean => scope.labels.size > 0
const hasEffects = (_: Type, scope: Scope): boolean => scope.sideEffects.size > 0

/** Draws the name of a side effect of a type. Most names are not used for another type. */
const effect = (scope: Scope, type: Type): string => {
  const name = scope.one(effects)
  const known = scope.sideEffects.get(name)
  if (known !== undefined && known.kind !== type.kind && !scope.chance(0.1)) {
    const free = effects.find((one) => !scope.sideEffects.has(one) || scope.sideEffects.get(one)!.kind === type.kind)
    if (free !== undefined) {
      scope.sideEffects.set(free, type)
      return free
    }
  }
  scope.sideEffects.set(name, type)
  return name
}

const pops = ["first", "last", "all", "mixed"] as const

const select = (scope: Scope) => {
  const count = 1 + scope.below(2)
  const chosen = Array.from({ length: count }, () => scope.label() ?? (["a", ANY] as const))
  const pop = scope.chance(0.3) ? scope.one(pops) : undefined
  const args = [...(pop === undefined ? [] : [constant("Pop", pop)]), ...chosen.map(([name]) => text(name))]
  const modulated = chosen.slice(0, scope.below(count + 1)).map(([, type]) => by(scope, type))
  const each = modulated[0]?.type ?? chosen[0]![1]
  const value = pop === "all" ? listOf(each) : pop === "mixed" ? ANY : each
  const type = count === 1 ? value : mapOf({ kind: "string" }, ANY)
  return made(type, call("select", ...args), ...modulated.flatMap(({ calls }) => calls))
}

/** Rules for step labels and select(). */
const labelled: ReadonlyArray<Rule> = [
  rule(6, anything, (scope, type) => {
    const label = scope.one(labels)
    scope.labels.set(label, type)
    if (!scope.chance(0.1)) return made(type, call("as", text(label)))
    const second = scope.one(labels)
    scope.labels.set(second, type)
    return made(type, call("as", text(label), text(second)))
  }),
  rule(6, hasLabels, select),
  rule(1, hasLabels, (scope) => {
    const [name] = scope.label() ?? (["a"] as const)
    const pop = scope.chance(0.3) ? [constant("Pop", scope.one(pops))] : []
    return made(ANY, call("select", ...pop, { kind: "child", steps: [call("constant", text(name))] }))
  })
]

/** Rules for steps that write and read side effects. */
const kept: ReadonlyArray<Rule> = [
  rule(3, anything, (scope, type) => {
    const modulated = scope.chance(0.4) ? by(scope, type) : undefined
    const collected = call("aggregate", text(effect(scope, listOf(modulated?.type ?? type))))
    const calls = [collected, ...(modulated?.calls ?? [])]
    return made(type, ...(scope.chance(0.2) ? [call("local", { kind: "child", steps: calls })] : calls))
  }),
  rule(1, anything, (scope, type) => {
    const key = by(scope, type)
    const name = effect(scope, mapOf(key.type, NUMBER))
    return made(type, call("groupCount", text(name)), ...(scope.chance(0.7) ? key.calls : []))
  }),
  rule(1, anything, (scope, type) => {
    const [key, value] = [by(scope, type), by(scope, type)]
    const name = effect(scope, mapOf(key.type, listOf(value.type)))
    return made(type, call("group", text(name)), ...key.calls, ...(scope.chance(0.6) ? value.calls : []))
  }),
  rule(0.4, anything, (scope, type) => {
    const modulated: ReadonlyArray<Call> = scope.chance(0.5) ? by(scope, type).calls : []
    return made(type, call("tree", text(effect(scope, TREE))), ...modulated)
  }),
  rule(0.4, isEdge, (scope) => made(EDGE, call("subgraph", text(effect(scope, ANY))))),
  rule(3, hasEffects, (scope) => {
    const [name, type] = scope.sideEffect()!
    if (scope.chance(0.15))
      return made(mapOf({ kind: "string" }, ANY), call("cap", text(name), text(scope.sideEffect()![0])))
    return made(type, call("cap", text(name)))
  }),
  rule(0.5, hasEffects, (scope) => {
    const [name, type] = scope.sideEffect()!
    return made(type, call("select", text(name)))
  }),
  rule(1, hasEffects, (scope, type) => {
    const name = scope.sideEffect()![0]
    const modulated = scope.chance(0.3) ? by(scope, type).calls : []
    const predicate = { kind: "P", name: scope.one(["within", "without", "eq", "neq"]), args: [text(name)] } as const
    return made(type, call("where", predicate), ...modulated)
  })
]

const operators = ["sum", "minus", "mult", "div", "min", "max", "assign", "sumLong"] as const

const sacks: ReadonlyArray<Rule> = [
  rule(
    3,
    (_, scope) => scope.sack !== undefined,
    (scope) => made(scope.sack!, call("sack"))
  ),
  rule(
    3,
    (type, scope) => scope.sack !== undefined && (isElement(type) || isNumber(type)),
    (scope, type) => {
      const operator =
        scope.sack?.kind === "number" ? scope.one(operators) : scope.one(["addAll", "assign", "and", "or"] as const)
      const modulated = scope.chance(0.8) ? by(scope, type).calls : []
      return made(type, call("sack", constant("Operator", operator)), ...modulated)
    }
  ),
  rule(
    0.5,
    (_, scope) => scope.sack !== undefined,
    (_, type) => made(type, call("barrier", constant("Barrier", "normSack")))
  ),
  rule(0.15, anything, (scope, type) => made(type, call("sack", constant("Operator", scope.one(operators)))))
]

const barriers: ReadonlyArray<Rule> = [
  rule(1.5, anything, (scope, type) =>
    made(type, call("barrier", ...(scope.chance(0.7) ? [] : [whole(1 + scope.below(4))])))
  ),
  rule(0.6, nesting(isVertex), (scope, type) =>
    made(type, call("local", { kind: "child", steps: [...scope.child(type, 1).child.steps, call("barrier")] }))
  )
]

export const sideEffects: ReadonlyArray<Rule> = [...labelled, ...kept, ...sacks, ...barriers]
