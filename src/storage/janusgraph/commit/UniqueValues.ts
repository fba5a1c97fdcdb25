import type { Ref } from "../../../structure/elements/Element.ts"
import type { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import type { PropertyState } from "../../shared/Properties.ts"
import type { Page, SliceQuery } from "../cells/CellStore.ts"
import type { Id } from "../format/Ids.ts"
import type { GraphCore } from "../GraphCore.ts"
import { entriesOf, type IndexedElement } from "../indexes/IndexEntries.ts"
import { labelIdOf } from "../rows/SystemCells.ts"
import { type GraphIndex, isWritten, type PropertyKey } from "../schema/Schema.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { notUnique } from "./CommitState.ts"
import { hasExpired, IndexChanges } from "./IndexChanges.ts"

/**
 * Returns the error for a unique index that the changes of a transaction violate in its snapshot; undefined for none. It
 * is an error of the transaction's own values, not a conflict with another transaction. Yields after each element.
 */
export function* uniqueViolation(
  core: GraphCore,
  reading: TransactionView,
  own: Overlay,
  slice: (query: SliceQuery) => Page
): Generator<void, UnsupportedValue | undefined> {
  const indexes = reading.schema.indexes.filter(({ unique, status }) => unique && isWritten(status))
  if (indexes.length === 0 || core.cells.answersLater) return undefined
  const changes = new IndexChanges()
  yield* changeVertices(
    changes,
    indexes.filter(({ element }) => element === "vertex"),
    reading,
    own
  )
  yield* changeEdges(
    changes,
    indexes.filter(({ element }) => element === "edge"),
    reading,
    own
  )
  if (changes.clash !== undefined) return notUnique(changes.clash.index)
  const taken = yield* changes.taking(slice, hasExpired(slice, reading.schema, core.options.partitionBits, reading.now))
  return taken === undefined ? undefined : notUnique(taken.index)
}

function* changeVertices(
  changes: IndexChanges,
  indexes: ReadonlyArray<GraphIndex>,
  reading: TransactionView,
  own: Overlay
): Generator<void, void> {
  if (indexes.length === 0) return
  for (const [ref, vertex] of own.vertices) {
    yield
    const touched = indexes.filter(
      ({ fields }) => vertex.removed || vertex.isNew || fields.some(({ name }) => vertex.changes.has(name))
    )
    if (touched.length === 0) continue
    const id = reading.vertexRefs.id(ref)
    const committed = !vertex.isNew || own.removedVertices.has(ref)
    const row = committed ? reading.row(ref) : undefined
    const label = row === undefined ? 0 : labelIdOf(reading.rows, row)
    const newLabel = vertex.isNew ? (reading.schema.vertexLabels.get(vertex.label)?.id ?? 0) : label
    for (const index of touched) {
      const before = row === undefined ? [] : entries(index, id, label, (key) => reading.committedState(row, key))
      const now = vertex.removed ? [] : entries(index, id, newLabel, (key) => reading.state(ref, key.name))
      changes.replace(before, now)
    }
  }
}

/** New, changed and removed edges, each once. */
function* changedEdges({ edgeChanges, newEdges, newEdgeSet, removedEdges }: Overlay): Generator<Ref, void> {
  yield* removedEdges
  for (const edge of newEdges) if (!removedEdges.has(edge)) yield edge
  for (const edge of edgeChanges.keys()) if (!removedEdges.has(edge) && !newEdgeSet.has(edge)) yield edge
}

function* changeEdges(
  changes: IndexChanges,
  indexes: ReadonlyArray<GraphIndex>,
  reading: TransactionView,
  own: Overlay
): Generator<void, void> {
  if (indexes.length === 0) return
  const { edges, vertexRefs } = reading
  for (const edge of changedEdges(own)) {
    yield
    const relation = edges.relation(edge)
    const element: IndexedElement = {
      kind: "edge",
      relation,
      out: vertexRefs.id(edges.out(edge)),
      label: edges.type(edge).id,
      into: vertexRefs.id(edges.in(edge))
    }
    const entriesWith = (index: GraphIndex, read: (key: PropertyKey) => unknown) =>
      entriesOf(index, element, (key) => {
        const value = read(key)
        return value === undefined ? [] : [{ relation, value }]
      })
    const committed = own.newEdgeSet.has(edge) ? undefined : reading.committedEdge(edge)?.properties
    for (const index of indexes) {
      const before = entriesWith(index, (key) => committed?.get(key))
      const now = own.removedEdges.has(edge) ? [] : entriesWith(index, ({ name }) => reading.edgeValue(edge, name))
      changes.replace(before, now)
    }
  }
}

const entries = (
  index: GraphIndex,
  id: Extract<IndexedElement, { kind: "vertex" }>["id"],
  label: number,
  read: (key: PropertyKey) => PropertyState | undefined
) =>
  entriesOf(index, { kind: "vertex", id, label, inline: () => undefined }, (key) =>
    (read(key)?.entries ?? []).map((entry) => ({ relation: entry.id as Id, value: entry.value }))
  )
