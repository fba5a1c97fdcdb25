import { type Argument, type Call, call, constant, literalArgument } from "../../syntax/Traversal.ts"
import { countPredicate, predicate } from "../Predicates.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Made, Scope } from "../Scope.ts"
import { ANY, anything, BOOLEAN, either, isElement, NUMBER, STRING, type Type } from "../Types.ts"

/** Draws several traversals, and returns the common type of their results. */
const several = (
  scope: Scope,
  type: Type,
  least: number
): { readonly args: ReadonlyArray<Argument>; readonly type: Type } => {
  const children = Array.from({ length: least + scope.below(3) }, () => scope.child(type, 2))
  return { args: children.map(({ child }) => child), type: either(children.map(({ type }) => type)) }
}

/** Draws the key of an option of choose(). */
const optionKey = (scope: Scope, asked: Type, element: Type): Argument => {
  const choice = scope.below(10)
  if (choice < 2) return predicate(scope, asked, () => keyValue(scope, asked, element))
  if (choice < 4) return constant("Pick", scope.one(["any", "none", "unproductive"] as const))
  return literalArgument(keyValue(scope, asked, element))
}

const keyValue = (scope: Scope, asked: Type, element: Type) => {
  if (asked.kind === "string" && scope.chance(0.5)) {
    const labels = element.kind === "edge" ? scope.model.edgeLabels : scope.model.vertexLabels
    return { kind: "string", value: scope.one(labels) } as const
  }
  const key = scope.keys(element).find(({ type }) => type.kind === asked.kind)
  return key === undefined ? scope.value(asked) : scope.sample(key)
}

const options = (
  scope: Scope,
  type: Type,
  asked: Type
): { readonly calls: ReadonlyArray<Call>; readonly types: ReadonlyArray<Type> } => {
  const made = Array.from({ length: 1 + scope.below(3) }, () => {
    const { child, type: given } = scope.child(type, 2)
    const key = scope.chance(0.05) ? [] : [optionKey(scope, asked, type)]
    return { call: call("option", ...key, child), given }
  })
  return { calls: made.map(({ call }) => call), types: made.map(({ given }) => given) }
}

/** Draws the traversal whose result selects the option of choose(), and the type of this result. */
const question = (scope: Scope, type: Type): { readonly child: Argument; readonly type: Type } => {
  if (isElement(type)) {
    const choice = scope.below(4)
    if (choice === 0) return { child: { kind: "child", steps: [call("label")] }, type: STRING }
    if (choice === 1) {
      const key = scope.key(type)
      return {
        child: { kind: "child", steps: [call("values", literalArgument({ kind: "string", value: key.name }))] },
        type: key.type
      }
    }
    if (choice === 2 && type.kind === "vertex") {
      return { child: { kind: "child", steps: [call("out"), call("count")] }, type: NUMBER }
    }
  }
  return scope.child(type, 2)
}

const chooseByOptions = (scope: Scope, type: Type): Made => {
  const token = isElement(type) && scope.chance(0.25)
  const asked = token ? { child: constant("T", "label"), type: STRING } : question(scope, type)
  const { calls, types } = options(scope, type, asked.type)
  return made(either([...types, type]), call(!token && scope.chance(0.15) ? "branch" : "choose", asked.child), ...calls)
}

const chooseByTest = (scope: Scope, type: Type): Made => {
  const test = scope.chance(0.25) ? predicate(scope, type) : scope.child(type, 2).child
  const yes = scope.child(type, 2)
  if (scope.chance(0.3)) return made(either([yes.type, type]), call("choose", test, yes.child))
  const no = scope.child(type, 2)
  return made(either([yes.type, no.type]), call("choose", test, yes.child, no.child))
}

/** Branch steps: they run nested traversals on their traversers. */
export const branches: ReadonlyArray<Rule> = [
  rule(3, nesting(anything), (scope, type) => {
    const { args, type: given } = several(scope, type, scope.chance(0.05) ? 0 : 1)
    return made(given, call("union", ...args))
  }),
  rule(2, nesting(anything), (scope, type) => {
    const { args, type: given } = several(scope, type, 1)
    return made(given, call("coalesce", ...args))
  }),
  rule(2, nesting(anything), (scope, type) => {
    const { child, type: given } = scope.child(type, 3)
    return made(either([given, type]), call("optional", child))
  }),
  rule(4, nesting(anything), (scope, type) => {
    const { child, type: given } = scope.child(type, 3)
    return made(given, call(scope.one(["local", "map", "flatMap", "flatMap", "local"]), child))
  }),
  rule(1.5, nesting(anything), (scope, type) => made(type, call("sideEffect", scope.child(type, 2).child))),
  rule(2.5, nesting(anything), chooseByTest),
  rule(2.5, nesting(anything), chooseByOptions),
  rule(0.3, nesting(anything), (scope, type) => {
    const test = {
      kind: "child",
      steps: [...scope.child(type, 2).child.steps, call("is", countPredicate(scope, 3))]
    } as const
    const yes = scope.child(type, 1)
    return made(
      either([yes.type, BOOLEAN]),
      call("choose", test, yes.child, { kind: "child", steps: [call("constant", scope.argument(ANY))] })
    )
  })
]
