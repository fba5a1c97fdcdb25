import { Vertex } from "../../../structure/elements/Element.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { lastLabelled, objectOf } from "../../machine/Paths.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import type { ArgumentColumn } from "../shared/StepArgument.ts"

/**
 * The object that is given for an end of a new edge: a vertex, an id, or what cannot be an end. `column` has the values of
 * from() or to(); undefined stands for the object of the row. A text is the label of a step or of a side effect.
 */
export const endValue = (
  column: ArgumentColumn | undefined,
  row: number,
  batch: Batch,
  { run, transaction }: Activation
): unknown => {
  const end = column === undefined ? batch.value(row, transaction) : column(row)
  if (typeof end !== "string") return end
  const node = lastLabelled(batch.path?.[row] ?? null, end)
  if (node !== undefined) return objectOf(node, transaction)
  return run.sideEffects.has(end) ? run.sideEffects.look(end) : undefined
}

/** What the rules of the graph need to know of the ends. A missing end fails when its edge is added. */
export const endReads = (
  columns: ReadonlyArray<ArgumentColumn | undefined>,
  batch: Batch,
  activation: Activation
): Reads => {
  const { transaction } = activation
  const ends: Array<number> = []
  for (let row = 0; row < batch.length; row++) {
    for (const column of columns) {
      const end = endValue(column, row, batch, activation)
      if (end instanceof Vertex && end.source === transaction) ends.push(end.ref)
    }
  }
  const refs = transaction.newRefs(ends.length)
  refs.set(ends)
  return { kind: "ends", refs, length: ends.length }
}
