import { type Argument, call, constant, literalArgument, text, whole } from "../../syntax/Traversal.ts"
import { bys, orderBy } from "../Modulators.ts"
import { made, nesting, type Rule, rule } from "../Rule.ts"
import type { Scope } from "../Scope.ts"
import {
  ANY,
  among,
  isCollection,
  isLocal,
  isMap,
  isNumber,
  keyOf,
  listOf,
  mapOf,
  memberOf,
  NUMBER,
  STRING,
  setOf,
  type Type,
  valueOfEntry
} from "../Types.ts"

const LOCAL = constant("Scope", "local")

const isList = among("list", "set")
const ofNumbers = (type: Type): boolean => isList(type) && isNumber(memberOf(type))
const ofStrings = (type: Type): boolean => isList(type) && memberOf(type).kind === "string"

/** Draws the second operand of a collection step: a literal, or a traversal that returns a collection. */
const other = (scope: Scope, type: Type): Argument => {
  const member = memberOf(type)
  const choice = scope.below(10)
  if (choice < 5 || scope.depth <= 0)
    return literalArgument(scope.value(scope.chance(0.8) ? listOf(member) : setOf(member)))
  if (choice < 9) {
    const { child } = scope.child(type, 2)
    return { kind: "child", steps: [...child.steps, call("fold")] }
  }
  return scope.argument(ANY)
}

const members: ReadonlyArray<Rule> = [
  rule(6, isLocal, (_, type) => made(memberOf(type), call("unfold"))),
  rule(2, isLocal, () => made(NUMBER, call("count", LOCAL))),
  rule(2, ofNumbers, (scope) => made(NUMBER, call(scope.one(["sum", "mean", "min", "max"]), LOCAL))),
  rule(0.5, isLocal, (scope) => made(ANY, call(scope.one(["sum", "mean", "min", "max"]), LOCAL))),
  rule(2, among("list", "path"), (scope, type) => {
    const low = scope.below(3)
    const sliced = scope.one([
      call("limit", LOCAL, whole(scope.below(3))),
      call("tail", LOCAL, ...(scope.chance(0.5) ? [] : [whole(scope.below(3))])),
      call("skip", LOCAL, whole(scope.below(3))),
      call("range", LOCAL, whole(low), whole(low + scope.below(3)))
    ])
    return made(isCollection(type) && type.kind !== "path" ? listOf(memberOf(type)) : type, sliced)
  }),
  rule(2, isLocal, (scope, type) =>
    made(
      type,
      call("order", LOCAL),
      ...Array.from({ length: scope.below(2) }, () => orderBy(scope, memberOf(type))).flat()
    )
  ),
  rule(1, isCollection, (scope, type) =>
    made(type, call("dedup", LOCAL), ...bys(scope, memberOf(type), 1).flatMap(({ calls }) => calls))
  ),
  rule(0.5, isLocal, (scope) => {
    const indexer = scope.chance(0.5) ? [call("with", text("~tinkerpop.index.indexer"), whole(scope.below(2)))] : []
    return made(ANY, call("index"), ...indexer)
  })
]

const sets: ReadonlyArray<Rule> = [
  rule(3, isCollection, (scope, type) => {
    const name = scope.one(["combine", "difference", "disjunct", "intersect", "merge", "product"])
    const of = name === "product" ? listOf(memberOf(type)) : memberOf(type)
    return made(name === "combine" || name === "product" ? listOf(of) : setOf(of), call(name, other(scope, type)))
  }),
  rule(0.7, isMap, (scope, type) => made(type, call("merge", literalArgument(scope.value(mapOf(STRING, ANY)))))),
  rule(1, isCollection, (scope) => made(STRING, call("conjoin", text(scope.one([",", "", "-"]))))),
  rule(1, isCollection, (_, type) => made(type, call("reverse"))),
  rule(1.5, ofStrings, (scope, type) =>
    made(type, call(scope.one(["toUpper", "toLower", "trim", "length", "asString", "lTrim", "rTrim"]), LOCAL))
  ),
  rule(0.7, isCollection, (scope) => made(listOf(STRING), call("asString", ...(scope.chance(0.7) ? [LOCAL] : []))))
]

/** Rules for maps and their entries. */
const maps: ReadonlyArray<Rule> = [
  rule(
    3,
    (type) => isMap(type) || type.kind === "entry",
    (scope, type) => {
      const keys = scope.chance(0.5)
      const of = keys ? keyOf(type) : valueOfEntry(type)
      return made(
        isMap(type) ? (keys ? setOf(of) : listOf(of)) : of,
        call("select", constant("Column", keys ? "keys" : "values"))
      )
    }
  ),
  rule(2, isMap, (scope, type) => {
    const value = valueOfEntry(type)
    const names = scope.chance(0.7) ? [scope.one(["a", "b", "name"])] : ["a", "b"]
    return made(names.length === 1 ? value : mapOf(STRING, value), call("select", ...names.map(text)))
  }),
  rule(0.5, nesting(isMap), (scope, type) => {
    const value = valueOfEntry(type)
    return made(
      value,
      call("select", { kind: "child", steps: [call("constant", text(scope.one(["a", "b", "name"])))] })
    )
  })
]

/** Rules for collections, paths and maps. */
export const collections: ReadonlyArray<Rule> = [...members, ...sets, ...maps]
