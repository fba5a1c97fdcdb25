import { Edge, Vertex } from "../../../structure/elements/Element.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { scopedValue } from "../shared/Scoping.ts"
import type { ArgumentColumn, StepArgument } from "../shared/StepArgument.ts"

/**
 * An end of a new edge: the text in from('a') or to('a'), which names an object as in select('a'), or the values of another argument.
 * Undefined stands for the object of the row.
 */
export type EdgeEnd = string | ArgumentColumn | undefined

/** The text in from('a') or to('a'); undefined for any other argument. A text that a traversal returns is an id. */
export const labelOf = (argument: StepArgument | null): string | undefined =>
  typeof argument?.value === "string" ? argument.value : undefined

/** The object that is given for an end of a new edge: a vertex, an id, or what cannot be an end. */
export const endValue = (end: EdgeEnd, row: number, batch: Batch, activation: Activation): unknown => {
  if (end === undefined) return batch.value(row, activation.transaction)
  return typeof end === "string" ? scopedValue(batch, row, end, activation, false) : end(row)
}

/** The id by which the graph finds the vertex at an end; undefined for a value that is not an end. */
export const endId = (end: unknown): unknown => {
  if (end instanceof Vertex) return end.id
  return end === null || end instanceof Edge ? undefined : end
}

/** The vertices that are named by ids, and what the rules of the graph need to know of the others. A missing end fails later. */
export const endReads = (ends: ReadonlyArray<EdgeEnd>, batch: Batch, activation: Activation): readonly Reads[] => {
  const { transaction } = activation
  const known: Array<number> = []
  const ids: Array<unknown> = []
  for (let row = 0; row < batch.length; row++) {
    for (const given of ends) {
      const end = endValue(given, row, batch, activation)
      if (end instanceof Vertex && end.source === transaction) known.push(end.ref)
      else {
        const id = endId(end)
        if (id !== undefined) ids.push(id)
      }
    }
  }
  const refs = transaction.newRefs(known.length)
  refs.set(known)
  return [
    { kind: "vertexIds", ids },
    { kind: "ends", refs, length: known.length }
  ]
}
