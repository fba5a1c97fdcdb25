import type { Task } from "../../scheduling/Task.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import { compareNumbers } from "../../structure/numbers/NumberOrder.ts"
import { type GremlinNumber, isNumber } from "../../structure/numbers/Numbers.ts"
import { text } from "../../structure/texts/Text.ts"
import { TraversalError } from "../language/Errors.ts"
import { answered } from "../machine/StepTasks.ts"
import type { Activation, ChildResult } from "../plan/Activation.ts"
import { Batch, EDGE } from "../plan/Batch.ts"
import { planOf } from "../plan/Plan.ts"
import type { Traversal } from "../plan/Step.ts"

/** Edges whose distances are computed together. */
const MEASURED_EDGES = 4096

/** The distances of edges: the first result of a traversal, or 0 without a result. Fails with TraversalError for other objects. */
export function* distancesOf(
  distance: Traversal,
  edges: ReadonlyArray<Ref>,
  activation: Activation
): Task<ReadonlyArray<GremlinNumber>> {
  const distances: Array<GremlinNumber> = []
  for (let from = 0; from < edges.length; from += MEASURED_EDGES) {
    const part = edges.slice(from, from + MEASURED_EDGES)
    const refs = activation.transaction.newRefs(part.length)
    refs.set(part)
    const batch = new Batch(EDGE, refs, part.length)
    const { found, values } = yield* answered<ChildResult>((done) =>
      activation.invoke(planOf(distance), batch, "first", done)
    )
    for (let row = 0; row < part.length; row++) distances.push(found[row] === 1 ? distanceOf(values[row]) : 0)
  }
  return distances
}

const distanceOf = (value: unknown): GremlinNumber => {
  if (!isNumber(value)) throw new TraversalError(`The distance of an edge must be a number, but is ${text(value)}`)
  if (compareNumbers(value, 0) < 0) {
    throw new TraversalError(
      `The distance of an edge must not be negative, but is ${text(value)}: shortestPath() would not end`
    )
  }
  return value
}
