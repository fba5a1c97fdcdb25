import { GremlinMap } from "../../../structure/collections/Collections.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { TraversalError } from "../../language/Errors.ts"
import { lastLabelled, objectOf } from "../../machine/Paths.ts"
import { valueReads } from "../../machine/Reads.ts"
import type { Activation } from "../../plan/Activation.ts"
import { Batch, carry, type PathNode, VALUE } from "../../plan/Batch.ts"
import type { Step } from "../../plan/Step.ts"
import { readsOf } from "./By.ts"

/**
 * Looks up a label for every row: an entry of the current map, else a side effect, else the last object of the path
 * with this label. Returns one row for each row of the batch. Throws TraversalError if a row has no such object.
 * `keeps` is false if the step only compares the objects; a side effect may then continue to grow in place.
 */
export const scoped = (step: Step, batch: Batch, label: string, activation: Activation, keeps = true): Batch => {
  const nodes = elementNodes(batch, label, activation)
  if (nodes !== undefined) {
    const refs = activation.transaction.newRefs(batch.length)
    for (let i = 0; i < nodes.length; i++) refs[i] = nodes[i]!.object as number
    return carry(batch, null, new Batch(nodes[0]!.kind, refs, batch.length))
  }
  const values = new Array<unknown>(batch.length)
  for (let row = 0; row < values.length; row++) {
    const value = scopedValue(batch, row, label, activation, keeps)
    if (value === undefined) {
      throw new TraversalError(`Neither the map, sideEffects, nor path has a ${label}-key: ${step}`)
    }
    values[row] = value
  }
  return carry(batch, null, new Batch(VALUE, values, values.length))
}

/** Does the same for one row; undefined if there is no such object. */
export const scopedValue = (
  batch: Batch,
  row: number,
  label: string,
  activation: Activation,
  keeps: boolean
): unknown => {
  const value = batch.kind === VALUE ? batch.data[row] : undefined
  if (value instanceof GremlinMap && value.has(label)) return value.get(label)
  const { sideEffects } = activation.run
  if (sideEffects.has(label)) return keeps ? sideEffects.read(label) : sideEffects.look(label)
  const node = lastLabelled(batch.path?.[row] ?? null, label)
  return node === undefined ? undefined : objectOf(node, activation.transaction)
}

/** The path nodes with the label if all are vertices or all are edges, so that they can stay refs. */
const elementNodes = (batch: Batch, label: string, activation: Activation): Array<PathNode> | undefined => {
  if (batch.path === null || batch.length === 0 || activation.run.sideEffects.has(label)) return undefined
  const nodes = new Array<PathNode>(batch.length)
  for (let row = 0; row < nodes.length; row++) {
    if (batch.kind === VALUE && batch.data[row] instanceof GremlinMap) return undefined
    const node = lastLabelled(batch.path[row]!, label)
    if (node === undefined || node.kind === VALUE || node.kind !== (nodes[0] ?? node).kind) return undefined
    nodes[row] = node
  }
  return nodes
}

/** The reads that properties, labels or ids of a column of objects require. */
export const objectReads = (objects: Batch, activation: Activation): readonly Reads[] =>
  objects.kind === VALUE
    ? valueReads(objects.data as ReadonlyArray<unknown>, activation.transaction)
    : readsOf(objects, null)
