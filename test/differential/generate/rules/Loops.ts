import { type Call, call, text, whole } from "../../syntax/Traversal.ts"
import { by } from "../Modulators.ts"
import { predicate } from "../Predicates.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Made, Scope } from "../Scope.ts"
import { anything, isEdge, isVertex, NUMBER, type Type, VERTEX } from "../Types.ts"

/** Maximum number of nested repeat() steps. More would exceed the time limit. */
const MAX_NESTED_LOOPS = 2

/** The calls that together make a loop. */
const LOOP_CALLS: ReadonlyArray<string> = ["repeat", "emit", "until", "times"]

const mayRepeat = nesting((_, scope) => scope.loops < MAX_NESTED_LOOPS)

/** Draws the body of repeat(). Most bodies return the incoming type: from a vertex to a vertex. */
const body = (scope: Scope, type: Type): ReadonlyArray<Call> => {
  const inner = scope.inner(scope.loops + 1)
  if (!isVertex(type)) return inner.chain(type, 1 + scope.below(2)).calls
  const move = call(scope.one(["out", "in", "both", "out"]), ...scope.edgeLabels())
  const choice = scope.below(10)
  if (choice < 3) return [move]
  if (choice < 5) return [call("outE"), call("inV")]
  const before = scope.chance(0.3) ? inner.chain(VERTEX, 1).calls : []
  const after = inner.chain(VERTEX, 1 + scope.below(2))
  if (isVertex(after.type)) return [...before, move, ...after.calls]
  // The first call of a loop without the others would have no end.
  return [...before, move, ...after.calls.slice(0, 1).filter(({ name }) => !LOOP_CALLS.includes(name))]
}

/** Draws the end of repeat(): times() or until(), which stop after a few loops. */
const end = (scope: Scope, type: Type, name: string | undefined): Call => {
  const most = scope.loops > 0 ? 2 : 3
  const rounds = 1 + scope.below(most)
  if (scope.chance(0.55)) return call("times", whole(scope.chance(0.05) ? 0 : rounds))
  const loops = call("loops", ...(name === undefined || scope.chance(0.5) ? [] : [text(name)]))
  const bound = {
    kind: "child",
    steps: [loops, call("is", { kind: "P", name: "gte", args: [whole(rounds)] })]
  } as const
  if (scope.chance(0.5)) return call("until", bound)
  return call("until", { kind: "child", steps: [call("or", scope.child(type, 2).child, bound)] })
}

const emit = (scope: Scope, type: Type): ReadonlyArray<Call> => {
  const choice = scope.below(10)
  if (choice < 5) return []
  if (choice < 7 || scope.depth <= 0) return [call("emit")]
  return choice < 8 ? [call("emit", predicate(scope, type))] : [call("emit", scope.child(type, 2).child)]
}

const repeat = (scope: Scope, type: Type): Made => {
  const name = scope.chance(0.1) ? scope.one(["x", "y"]) : undefined
  const steps = body(scope, type)
  const loop = call("repeat", ...(name === undefined ? [] : [text(name)]), { kind: "child", steps })
  const bound = end(scope, type, name)
  const emits = emit(scope, type)
  const calls = scope.chance(0.5)
    ? scope.chance(0.5)
      ? [loop, bound, ...emits]
      : [loop, ...emits, bound]
    : scope.chance(0.5)
      ? [...emits, loop, bound]
      : bound.name === "until"
        ? [...emits, bound, loop]
        : [...emits, loop, bound]
  return made(type, ...calls)
}

/** Rules for repeat(), and for loops() inside of its body. */
export const loops: ReadonlyArray<Rule> = [
  rule(6, (type, scope) => isVertex(type) && mayRepeat(type, scope), repeat),
  rule(0.8, (type, scope) => !isVertex(type) && !isEdge(type) && mayRepeat(type, scope), repeat),
  rule(
    1,
    (_, scope) => scope.loops > 0,
    () => made(NUMBER, call("loops"))
  ),
  rule(2, anything, (scope) => {
    const count = scope.below(3)
    return made({ kind: "path" }, call("path"), ...Array.from({ length: count }, () => by(scope, VERTEX).calls).flat())
  })
]
