import { call, constant, literalArgument, text } from "../../syntax/Traversal.ts"
import { by, bys, typeInTurn } from "../Modulators.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import { ANY, among, anything, isNumber, isScalar, listOf, mapOf, NUMBER, STRING, TREE } from "../Types.ts"

/** Steps that reduce all traversers to one result. */
const reducing: ReadonlyArray<Rule> = [
  rule(3, anything, () => made(NUMBER, call("count"))),
  rule(2.5, isNumber, (scope) => made(NUMBER, call(scope.one(["sum", "mean", "min", "max"])))),
  rule(0.5, isScalar, (scope, type) => made(type, call(scope.one(["min", "max"])))),
  rule(0.2, anything, (scope) => made(NUMBER, call(scope.one(["sum", "mean", "min", "max"])))),
  rule(3, anything, (_, type) => made(listOf(type), call("fold"))),
  rule(0.5, isNumber, (scope) => {
    const operator = constant("Operator", scope.one(["sum", "mult", "min", "max", "minus", "assign"] as const))
    return made(NUMBER, call("fold", scope.argument(NUMBER), operator))
  }),
  rule(0.3, among("list", "map"), (scope, type) =>
    made(
      type,
      call(
        "fold",
        literalArgument(type.kind === "list" ? { kind: "list", items: [] } : scope.value(type)),
        constant("Operator", "addAll")
      )
    )
  ),
  rule(3, anything, (scope, type) => {
    const key = by(scope, type)
    const value = by(scope, type)
    const modulated = scope.chance(0.6) ? [...key.calls, ...value.calls] : key.calls
    return made(mapOf(key.type, listOf(ANY)), call("group"), ...modulated)
  }),
  rule(1.5, nesting(anything), (scope, type) => {
    const key = by(scope, type)
    const { child, type: given } = scope.child(type, 2)
    const end = scope.one([
      call("count"),
      call("fold"),
      call("sum"),
      call("max"),
      call("dedup"),
      call("limit", literalArgument({ kind: "int", value: 1n }))
    ])
    return made(
      mapOf(key.type, given),
      call("group"),
      ...key.calls,
      call("by", { kind: "child", steps: [...child.steps, end] })
    )
  }),
  rule(2, anything, (scope, type) => {
    const key = by(scope, type)
    return made(mapOf(key.type, NUMBER), call("groupCount"), ...(scope.chance(0.8) ? key.calls : []))
  }),
  rule(0.7, anything, (scope, type) => {
    const modulated = bys(scope, type, 2)
    return made(TREE, call("tree"), ...modulated.flatMap(({ calls }) => calls))
  })
]

const names = ["a", "b", "c"] as const

/** Steps that return one result for each traverser. */
const mapping: ReadonlyArray<Rule> = [
  rule(3, anything, (scope, type) => {
    const keys = names.slice(0, 1 + scope.below(3))
    const modulated = bys(scope, type, keys.length)
    return made(
      mapOf(STRING, typeInTurn(modulated, 0, type)),
      call("project", ...keys.map(text)),
      ...modulated.flatMap(({ calls }) => calls)
    )
  }),
  rule(1.5, anything, (scope) => {
    const value = scope.value(ANY)
    return made({ kind: value.kind === "string" ? "string" : "any" }, call("constant", literalArgument(value)))
  }),
  rule(0.5, anything, (scope, type) =>
    made(
      scope.chance(0.5) ? type : ANY,
      call("inject", ...Array.from({ length: scope.below(3) }, () => scope.argument(type)))
    )
  ),
  rule(0.6, anything, (_, type) => made(type, call("identity"))),
  rule(0.1, anything, (_, type) => made(type, call("fail")))
]

export const reductions: ReadonlyArray<Rule> = [...reducing, ...mapping]
