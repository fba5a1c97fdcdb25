import type { Argument, Call, Traversal } from "./Traversal.ts"

/** Steps that take their traversers one by one and pass on, in their order, those that they do not leave out. */
const keeping: ReadonlySet<string> = new Set([
  ...["and", "as", "cyclicPath", "dedup", "filter", "has", "hasId", "hasKey", "hasLabel", "hasNot", "hasValue"],
  ...["identity", "is", "limit", "not", "or", "range", "simplePath", "skip", "tail", "where"]
])

/** Steps that give one result for each traverser, in their order. */
const mapping: ReadonlySet<string> = new Set(["constant", "id", "label"])

/** What a traversal puts in order: its results, the members of the list that is its result, or nothing that can be compared. */
export type Ordered = "results" | "list" | "nothing"

const hasConstant = (args: ReadonlyArray<Argument>, type: string, names: ReadonlyArray<string>): boolean =>
  args.some(
    (one) =>
      one.kind === "value" && one.value.kind === "enum" && one.value.type === type && names.includes(one.value.name)
  )

/** True for the arguments of a by() after order() by which different objects have different places. */
const tellsApart = (args: ReadonlyArray<Argument>): boolean =>
  args.length === 0 ||
  hasConstant(args, "T", ["id"]) ||
  (args.length === 1 && hasConstant(args, "Order", ["asc", "desc"]))

/** `modulators`: the by() of the order(), the last first. Only those after the last random one count. */
const isTotal = (order: Call, modulators: ReadonlyArray<Call>): boolean => {
  const random = modulators.findIndex(({ args }) => hasConstant(args, "Order", ["shuffle"]))
  const compared = random === -1 ? modulators : modulators.slice(0, random)
  return order.args.length === 0 && (modulators.length === 0 || compared.some(({ args }) => tellsApart(args)))
}

/**
 * Tells whether the results of a traversal have the order of an order() step that tells all different objects apart. A graph computer keeps
 * no order, so that its traversals have none.
 */
export const orderedBy = ({ source, steps }: Traversal): Ordered => {
  const computes = source.some(
    ({ name, args }) =>
      name === "withComputer" || args.some((one) => one.kind === "strategy" && one.name === "VertexProgramStrategy")
  )
  if (computes) return "nothing"
  const isList = steps.at(-1)?.name === "fold" && steps.at(-1)!.args.length === 0
  const modulators: Array<Call> = []
  for (const one of (isList ? steps.slice(0, -1) : steps).toReversed()) {
    if (one.name === "by") modulators.push(one)
    else if (one.name === "order") {
      if (!isTotal(one, modulators)) return "nothing"
      return isList ? "list" : "results"
    } else if (keeping.has(one.name) || mapping.has(one.name)) modulators.length = 0
    else return "nothing"
  }
  return "nothing"
}
