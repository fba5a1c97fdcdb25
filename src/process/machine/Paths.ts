import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { equals } from "../../structure/comparison/Equality.ts"
import { areSameScalars } from "../../structure/comparison/SameValue.ts"
import { Edge, Vertex } from "../../structure/elements/Element.ts"
import { Path } from "../../structure/elements/Path.ts"
import type { GraphTransaction } from "../../structure/graph/GraphStore.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { Batch, carry, EDGE, type Kind, PathNode, VALUE, VERTEX } from "../plan/Batch.ts"

/** The object of a path node as a value. */
export const objectOf = (node: PathNode, transaction: GraphTransaction): unknown =>
  node.kind === VERTEX
    ? transaction.vertex(node.object as number)
    : node.kind === EDGE
      ? transaction.edge(node.object as number)
      : node.object

/** The nodes of a path from the first to the last. The start of g.V() has no object and no node. */
export const nodesOf = (last: PathNode | null): Array<PathNode> => {
  const nodes: Array<PathNode> = []
  for (let node = last; node !== null; node = node.previous) nodes.push(node)
  return nodes.reverse()
}

/** Appends the object of each row to the row's path, with the labels of its step. */
export const appendToPaths = (batch: Batch, stepLabels: readonly string[]): void => {
  const labels = stepLabels.length === 0 ? null : stepLabels
  const previous = batch.path
  const path = new Array<PathNode | null>(batch.length)
  for (let i = 0; i < batch.length; i++) {
    path[i] = new PathNode(batch.kind, batch.data[i], labels, previous === null ? null : previous[i]!)
  }
  batch.path = path
}

/**
 * A batch with the same objects, after as() on a step that keeps its objects: the last node of each path takes the labels.
 * A path of labelled objects alone (`isFull` is false) gets another node if its last node has another object.
 */
export const relabelled = (
  batch: Batch,
  labels: readonly string[],
  isFull: boolean,
  transaction: GraphTransaction
): Batch => {
  const out = carry(batch, null, new Batch(batch.kind, batch.data, batch.length))
  const path = new Array<PathNode | null>(batch.length)
  for (let i = 0; i < batch.length; i++) {
    const node = batch.path === null ? null : batch.path[i]!
    const object = batch.data[i]
    const takesLabels = node !== null && (isFull || isObjectOf(node, batch, object, transaction))
    path[i] = takesLabels
      ? new PathNode(node.kind, node.object, merged(node.labels, labels), node.previous)
      : new PathNode(batch.kind, object, labels, isFull ? null : node)
  }
  out.path = path
  return out
}

/**
 * Whether a row has the object of a node: the same vertex or edge, or an equal scalar of the same class. Other objects, such as
 * collections, are compared by identity, because a comparison of their members could take long for each row.
 */
const isObjectOf = (node: PathNode, batch: Batch, object: unknown, transaction: GraphTransaction): boolean => {
  if (node.kind === batch.kind) {
    return node.kind === VALUE ? areSameScalars(node.object, object) : node.object === object
  }
  if (node.kind === VALUE) return isElementOfRef(node.object, batch.kind, object as number, transaction)
  return batch.kind === VALUE && isElementOfRef(object, node.kind, node.object as number, transaction)
}

/** Whether a value is the vertex or the edge, by its kind, of a ref. */
const isElementOfRef = (value: unknown, kind: Kind, ref: number, transaction: GraphTransaction): boolean => {
  if (!(kind === VERTEX ? value instanceof Vertex : value instanceof Edge)) return false
  const element = kind === VERTEX ? transaction.vertex(ref) : transaction.edge(ref)
  return equals(value, element)
}

const merged = (labels: readonly string[] | null, more: readonly string[]): readonly string[] =>
  labels === null ? more : [...labels, ...more.filter((label) => !labels.includes(label))]

const NO_LABELS: ReadonlySet<string> = new Set()

/** Shared label lists of paths without labels, by length: most paths have no labels and are short. */
const withoutLabels: ReadonlyArray<ReadonlyArray<ReadonlySet<string>>> = Array.from({ length: 32 }, (_, length) =>
  new Array<ReadonlySet<string>>(length).fill(NO_LABELS)
)

/** The Path value that ends at a node. */
export const pathOf = (last: PathNode | null, transaction: GraphTransaction): Path => {
  let length = 0
  let isLabelled = false
  for (let node = last; node !== null; node = node.previous) {
    length++
    if (node.labels !== null) isLabelled = true
  }
  const objects = new Array<unknown>(length)
  const labels = isLabelled ? undefined : withoutLabels[length]
  const own = labels === undefined ? new Array<ReadonlySet<string>>(length) : undefined
  let place = length
  for (let node = last; node !== null; node = node.previous) {
    objects[--place] = objectOf(node, transaction)
    if (own !== undefined) own[place] = node.labels === null ? NO_LABELS : new Set(node.labels)
  }
  return new Path(objects, own ?? labels!)
}

/** The same as {@link pathOf}, with yields. */
export function* pathTask(last: PathNode | null, transaction: GraphTransaction, slice: TimeSlice): Task<Path> {
  const objects: Array<unknown> = []
  const labels: Array<ReadonlySet<string>> = []
  for (let node = last; node !== null; node = node.previous) {
    objects.push(objectOf(node, transaction))
    labels.push(node.labels === null ? NO_LABELS : new Set(node.labels))
    if (slice.isOverAfter(objects.length)) yield
  }
  return new Path(objects.reverse(), labels.reverse())
}

/** The nodes with a label, from the first to the last. */
const labelled = (last: PathNode | null, label: string): Array<PathNode> => {
  const nodes: Array<PathNode> = []
  for (let node = last; node !== null; node = node.previous) if (node.labels?.includes(label)) nodes.push(node)
  return nodes.reverse()
}

/** The last node with a label; undefined if there is none. */
export const lastLabelled = (last: PathNode | null, label: string): PathNode | undefined => {
  for (let node = last; node !== null; node = node.previous) if (node.labels?.includes(label)) return node
  return undefined
}

/**
 * The result of select(pop, label) for a path: the first, last or all objects with the label. With Pop.mixed a single object is
 * returned as it is, and several as a list. Undefined if there is none.
 */
export const selectFromPath = (
  last: PathNode | null,
  label: string,
  pop: EnumValue,
  transaction: GraphTransaction
): unknown => {
  if (pop.name === "last") {
    const node = lastLabelled(last, label)
    return node === undefined ? undefined : objectOf(node, transaction)
  }
  const nodes = labelled(last, label)
  if (nodes.length === 0) return undefined
  if (pop.name === "first" || (pop.name === "mixed" && nodes.length === 1)) return objectOf(nodes[0]!, transaction)
  return nodes.map((node) => objectOf(node, transaction))
}

/** Selects from a path that is a value, as {@link selectFromPath} does from the path of a traverser. */
export const selectFromPathValue = (path: Path, label: string, pop: EnumValue): unknown => {
  const found = path.objects.filter((_, i) => path.labels[i]!.has(label))
  if (found.length === 0) return undefined
  if (pop.name === "first") return found[0]
  if (pop.name === "last") return found[found.length - 1]
  return pop.name === "mixed" && found.length === 1 ? found[0] : found
}
