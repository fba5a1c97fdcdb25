import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../structure/collections/Collections.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { Edge, isElement, Property, type Ref, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import type { AdjacencyReads, Reads, RefColumn } from "../../structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { type Batch, EDGE, VERTEX } from "../plan/Batch.ts"

/**
 * The reads that are needed to serialize every element in a batch, at any depth of its values, with id, label and properties,
 * and every edge with the labels of its vertices.
 */
export const elementReads = (batch: Batch, transaction: GraphTransaction): Array<Reads> => {
  if (batch.kind === VERTEX) {
    return [{ kind: "vertex", refs: batch.data as RefColumn, length: batch.length, keys: null }]
  }
  const reads: Array<Reads> =
    batch.kind === EDGE
      ? [{ kind: "edge", refs: batch.data as RefColumn, length: batch.length, keys: null }]
      : valueReads(batch.data as ReadonlyArray<unknown>, transaction)
  for (const read of [...reads]) if (read.kind === "edge") reads.push(endReads(read.refs, read.length, transaction))
  return reads
}

/** Reads of the labels of the vertices of edges. */
export const endReads = (edges: RefColumn, length: number, transaction: AdjacencyReads): Reads => {
  const refs = transaction.newRefs(length * 2)
  for (let i = 0; i < length; i++) {
    refs[2 * i] = transaction.edgeOutRef(edges[i]!)
    refs[2 * i + 1] = transaction.edgeInRef(edges[i]!)
  }
  return { kind: "vertex", refs, length: length * 2, keys: [] }
}

/** The reads for the elements inside values. Elements of other transactions and detached elements need none. */
export const valueReads = (values: Iterable<unknown>, transaction: GraphTransaction): Array<Reads> => {
  const vertices: Array<Ref> = []
  const edges: Array<Ref> = []
  collectRefs(values, transaction, vertices, edges, 0)
  const reads: Array<Reads> = []
  if (vertices.length > 0) {
    reads.push({ kind: "vertex", refs: column(vertices, transaction), length: vertices.length, keys: null })
  }
  if (edges.length > 0) reads.push({ kind: "edge", refs: column(edges, transaction), length: edges.length, keys: null })
  return reads
}

const column = (refs: ReadonlyArray<Ref>, transaction: AdjacencyReads): RefColumn => {
  const out = transaction.newRefs(refs.length)
  out.set(refs)
  return out
}

/** Levels of nested collections that are searched for elements. */
const MAX_SEARCHED_LEVELS = 32

const collectRefs = (
  values: Iterable<unknown>,
  transaction: GraphTransaction,
  vertices: Array<Ref>,
  edges: Array<Ref>,
  depth: number
): void => {
  if (depth > MAX_SEARCHED_LEVELS) return
  for (const value of values) {
    if (typeof value !== "object" || value === null) continue
    if (isElement(value) || value instanceof Property) collectElement(value, transaction, vertices, edges)
    else if (value instanceof BulkSet) collectRefs(value.distinct(), transaction, vertices, edges, depth + 1)
    else if (Array.isArray(value) || value instanceof GremlinSet) {
      collectRefs(value, transaction, vertices, edges, depth + 1)
    } else if (value instanceof GremlinMap) {
      collectRefs(value.keys(), transaction, vertices, edges, depth + 1)
      collectRefs(value.values(), transaction, vertices, edges, depth + 1)
    } else if (value instanceof MapEntry) {
      collectRefs([value.key, value.value], transaction, vertices, edges, depth + 1)
    } else if (value instanceof Path) collectRefs(value.objects, transaction, vertices, edges, depth + 1)
    else if (value instanceof Tree) collectRefs([value.children], transaction, vertices, edges, depth + 1)
  }
}

const collectElement = (
  element: Vertex | Edge | VertexProperty | Property,
  transaction: GraphTransaction,
  vertices: Array<Ref>,
  edges: Array<Ref>
): void => {
  if (element instanceof Vertex) {
    if (element.source === transaction) vertices.push(element.ref)
  } else if (element instanceof Edge) {
    if (element.source === transaction) edges.push(element.ref)
  } else if (element instanceof VertexProperty) {
    if (element.vertex !== null) collectElement(element.vertex, transaction, vertices, edges)
  } else if (element.element !== null) collectElement(element.element, transaction, vertices, edges)
}
