import { equals } from "../../../structure/comparison/Equality.ts"
import {
  Edge,
  type Element,
  type ElementSource,
  type ElementState,
  type Ref,
  Vertex
} from "../../../structure/elements/Element.ts"
import { propertyHandle } from "./PropertyHandles.ts"
import type { TransactionView } from "./TransactionView.ts"

/** What a transaction has done with an element, in JanusGraph's words: an edge whose property is changed is a new edge there. */
export const elementState = (source: ElementSource, reading: TransactionView, element: Element): ElementState => {
  if (element instanceof Vertex) return vertexState(reading, element.ref)
  return element instanceof Edge ? edgeState(reading, element.ref) : propertyState(source, reading, element)
}

const vertexState = ({ edges, own }: TransactionView, ref: Ref): ElementState => {
  if (own === null) return "loaded"
  const mine = own.vertices.get(ref)
  if (mine?.removed) return "removed"
  if (mine?.isNew) return "new"
  if (mine !== undefined && (mine.changes.size > 0 || mine.out.length > 0 || mine.in.length > 0)) return "modified"
  const touches = (edge: Ref): boolean => edges.out(edge) === ref || edges.in(edge) === ref
  for (const edge of own.removedEdges) if (touches(edge)) return "modified"
  for (const [edge] of own.edgeChanges) if (touches(edge)) return "modified"
  return "loaded"
}

const edgeState = ({ own }: TransactionView, ref: Ref): ElementState => {
  if (own?.removedEdges.has(ref)) return "removed"
  return own !== null && (own.newEdgeSet.has(ref) || own.edgeChanges.has(ref)) ? "new" : "loaded"
}

const propertyState = (
  source: ElementSource,
  reading: TransactionView,
  property: Exclude<Element, Vertex | Edge>
): ElementState => {
  const { ref } = property.vertex!
  const mine = reading.own?.vertices.get(ref)
  const key = reading.schema.keys.get(property.key) ?? reading.own?.newKeys.get(property.key)
  if (mine?.removed || key === undefined) return "removed"
  const has = (state: ReturnType<TransactionView["liveState"]>): boolean =>
    (state?.entries ?? []).some((entry) => equals(propertyHandle(source, reading, ref, key, entry).id, property.id))
  if (!has(reading.liveState(ref, property.key))) return "removed"
  const change = mine?.changes.get(property.key)
  return mine?.isNew || (change !== undefined && !has(change.base)) ? "new" : "loaded"
}
