import { type Argument, type Call, call, constant, literalArgument, text, whole } from "../../syntax/Traversal.ts"
import { by, orderBy } from "../Modulators.ts"
import { countPredicate, labelPredicate, predicate } from "../Predicates.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Scope } from "../Scope.ts"
import { among, anything, isCollection, isElement, isScalar, type Type } from "../Types.ts"

/** Draws a step label of the scope, or in 3 % of the draws a missing one. */
const someLabel = (scope: Scope): string => (scope.chance(0.03) ? "absent" : (scope.label()?.[0] ?? "a"))

const hasLabels = (_: Type, scope: Scope): boolean => scope.labels.size > 0

const children = (scope: Scope, type: Type): ReadonlyArray<Argument> =>
  Array.from({ length: 1 + scope.below(3) }, () => scope.child(type, 2).child)

/** order() with a total order, so that the following step may depend on the order. */
const ordered = (scope: Scope, type: Type): ReadonlyArray<Call> =>
  scope.chance(0.6) && (isElement(type) || isScalar(type))
    ? [call("order"), ...(isElement(type) ? [call("by", constant("T", "id"))] : [])]
    : []

const small = (scope: Scope): Argument =>
  literalArgument({ kind: scope.chance(0.7) ? "int" : "long", value: BigInt(scope.below(5)) })

const slices = (scope: Scope): Call => {
  const choice = scope.below(10)
  if (choice < 4) return call("limit", small(scope))
  if (choice < 6) return call("skip", small(scope))
  if (choice < 8) return call("tail", ...(scope.chance(0.3) ? [] : [small(scope)]))
  const low = scope.below(4)
  return call("range", whole(low), whole(scope.chance(0.15) ? -1 : low + scope.below(4)))
}

/** Filters by the value of the traverser. */
const byValue: ReadonlyArray<Rule> = [
  rule(3, isScalar, (scope, type) =>
    made(type, call("is", scope.chance(0.4) ? scope.argument(type) : predicate(scope, type)))
  ),
  rule(0.5, anything, (scope, type) => made(type, call("is", predicate(scope, type)))),
  rule(2, nesting(anything), (scope, type) =>
    made(type, call(scope.one(["where", "filter", "not"]), scope.child(type, 3).child))
  ),
  rule(1.5, nesting(isElement), (scope, type) => {
    const { child } = scope.child(type, 2)
    const counted = {
      kind: "child",
      steps: [...child.steps, call("count"), call("is", countPredicate(scope, 3))]
    } as const
    return made(type, call(scope.one(["where", "filter", "not"]), counted))
  }),
  rule(1.2, nesting(anything), (scope, type) => made(type, call(scope.one(["and", "or"]), ...children(scope, type)))),
  rule(0.3, nesting(anything), (scope, type) => {
    const left = scope.child(type, 2).child.steps
    const right = scope.child(type, 2).child.steps
    return made(type, call("where", { kind: "child", steps: [...left, call(scope.one(["and", "or"])), ...right] }))
  }),
  rule(0.4, anything, (scope, type) => made(type, call("filter", predicate(scope, type)))),
  rule(1, among("list", "set"), (scope, type) => {
    const member = type.kind === "list" || type.kind === "set" ? type.of : type
    return made(type, call(scope.one(["all", "any", "none"]), predicate(scope, member)))
  }),
  rule(0.1, anything, (_, type) => made(type, call("discard"))),
  rule(0.3, anything, (scope, type) =>
    made(type, call("coin", literalArgument({ kind: "double", value: scope.one([0, 1]) })))
  )
]

/** Filters by other traversers or by the path. */
const others: ReadonlyArray<Rule> = [
  rule(3, anything, (_, type) => made(type, call("dedup"))),
  rule(1.5, anything, (scope, type) => made(type, ...ordered(scope, type), call("dedup"), ...by(scope, type).calls)),
  rule(1, hasLabels, (scope, type) => {
    const labels = Array.from({ length: 1 + scope.below(2) }, () => someLabel(scope))
    const modulated = scope.chance(0.4) ? by(scope, scope.labels.get(labels[0]!) ?? type).calls : []
    return made(type, call("dedup", ...labels.map(text)), ...modulated)
  }),
  rule(4, anything, (scope, type) => made(type, ...ordered(scope, type), slices(scope))),
  rule(2.5, anything, (scope, type) => {
    const count = scope.below(3)
    return made(type, call("order"), ...Array.from({ length: count }, () => orderBy(scope, type)).flat())
  }),
  rule(1, anything, (scope, type) => {
    const from = scope.label()
    const modulators: Array<Call> = []
    if (from !== undefined && scope.chance(0.3)) modulators.push(call(scope.one(["from", "to"]), text(from[0])))
    if (scope.chance(0.3)) modulators.push(...by(scope, type).calls)
    return made(type, call(scope.one(["simplePath", "cyclicPath"])), ...modulators)
  }),
  rule(0.5, anything, (_, type) => made(type, call("sample", whole(1_000)))),
  rule(0.3, isCollection, (_, type) => made(type, call("sample", constant("Scope", "local"), whole(1_000)))),
  rule(2, hasLabels, (scope, type) => {
    const from = scope.chance(0.5) ? [text(someLabel(scope))] : []
    const modulated = Array.from({ length: scope.below(3) }, () => by(scope, type).calls).flat()
    return made(
      type,
      call(
        "where",
        ...from,
        labelPredicate(scope, () => someLabel(scope))
      ),
      ...modulated
    )
  }),
  rule(1, nesting(hasLabels), (scope, type) => {
    const [label, labelled] = scope.label()!
    const { child } = scope.child(labelled, 2)
    const end = scope.chance(0.5) ? [call("as", text(someLabel(scope)))] : []
    return made(type, call("where", { kind: "child", steps: [call("as", text(label)), ...child.steps, ...end] }))
  })
]

export const filters: ReadonlyArray<Rule> = [...byValue, ...others]
