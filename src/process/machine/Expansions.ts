import { Edge, Vertex } from "../../structure/elements/Element.ts"
import type { Expansion, RefColumn } from "../../structure/graph/GraphReads.ts"
import { nameOf } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import type { Activation } from "../plan/Activation.ts"
import { type Batch, EDGE, VALUE, VERTEX } from "../plan/Batch.ts"

/** A copy of the refs of an expansion. */
export const copyRefs = (expansion: Expansion): RefColumn => expansion.refs.slice(0, expansion.length)

/** The refs of a batch of vertices with any kind of column. Throws TraversalError with the step for another object. */
export const vertexRefs = (batch: Batch, activation: Activation, operator: string): RefColumn => {
  if (batch.kind === VERTEX) return batch.data as RefColumn
  const { transaction } = activation
  const refs = transaction.newRefs(batch.length)
  for (let i = 0; i < batch.length; i++) {
    const value = batch.kind === VALUE ? batch.data[i] : transaction.edge(batch.data[i] as number)
    if (!(value instanceof Vertex)) throw wrongObject(value, operator, "a vertex")
    refs[i] = value.source === transaction ? value.ref : transaction.refOfVertex(value)
  }
  return refs
}

/** The refs of a batch of edges. */
export const edgeRefs = (batch: Batch, activation: Activation, operator: string): RefColumn => {
  if (batch.kind === EDGE) return batch.data as RefColumn
  const { transaction } = activation
  const refs = transaction.newRefs(batch.length)
  for (let i = 0; i < batch.length; i++) {
    const value = batch.kind === VALUE ? batch.data[i] : transaction.vertex(batch.data[i] as number)
    if (!(value instanceof Edge)) throw wrongObject(value, operator, "an edge")
    refs[i] = value.source === transaction ? value.ref : transaction.refOfEdge(value)
  }
  return refs
}

const wrongObject = (value: unknown, operator: string, expected: string): TraversalError =>
  new TraversalError(`${operator}() needs ${expected}, but the traverser is at ${nameOf(value)}`)

/** The error of a step whose input has no id, label and properties. */
export const elementExpected = (value: unknown, operator: string): TraversalError =>
  wrongObject(value, operator, "an element")
