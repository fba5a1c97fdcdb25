import { type Argument, type Call, call, text } from "../../syntax/Traversal.ts"
import { by } from "../Modulators.ts"
import { labelPredicate } from "../Predicates.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Made, Scope } from "../Scope.ts"
import { ANY, among, mapOf, STRING, type Type } from "../Types.ts"

const names = ["a", "b", "c", "d"] as const

/** Draws a pattern of match() from a bound variable. It ends with a new variable, a bound variable, or without a variable. */
const pattern = (scope: Scope, bound: Map<string, Type>): Argument => {
  const start = scope.one([...bound.keys()])
  const { child, type } = scope.child(bound.get(start)!, 2)
  const steps: Array<Call> = [call("as", text(start)), ...child.steps]
  const choice = scope.below(10)
  if (choice < 7) {
    const end = scope.one(names)
    if (!bound.has(end)) bound.set(end, type)
    steps.push(call("as", text(end)))
  }
  return { kind: "child", steps }
}

const condition = (scope: Scope, bound: ReadonlyMap<string, Type>): Argument => {
  const label = () => scope.one([...bound.keys()])
  const first = label()
  const modulated = scope.chance(0.4) ? by(scope, bound.get(first)!).calls : []
  return { kind: "child", steps: [call("where", text(first), labelPredicate(scope, label)), ...modulated] }
}

const joined = (scope: Scope, bound: Map<string, Type>): Argument => {
  const choice = scope.below(20)
  if (choice === 0) return { kind: "child", steps: [call("not", pattern(scope, bound))] }
  if (choice === 1)
    return { kind: "child", steps: [call(scope.one(["and", "or"]), pattern(scope, bound), pattern(scope, bound))] }
  if (choice === 2) return { kind: "child", steps: [call("where", pattern(scope, bound))] }
  if (choice < 5 && bound.size > 1) return condition(scope, bound)
  return pattern(scope, bound)
}

const matching = (scope: Scope, type: Type): Made => {
  const bound = new Map<string, Type>([["a", type]])
  const patterns = Array.from({ length: 1 + scope.below(3) }, () => joined(scope, bound))
  for (const [name, what] of bound) scope.labels.set(name, what)
  return made(mapOf(STRING, ANY), call("match", ...patterns))
}

/** Rules for match(). */
export const match: ReadonlyArray<Rule> = [
  rule(2, nesting(among("vertex", "edge")), matching),
  rule(
    0.2,
    nesting(() => true),
    matching
  )
]
