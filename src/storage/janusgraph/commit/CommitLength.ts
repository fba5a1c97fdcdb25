import type { Ref } from "../../../structure/elements/Element.ts"
import { bytesOf } from "../../../structure/memory/HeldBytes.ts"
import type { Entry } from "../../shared/Properties.ts"
import { CellCursor } from "../cells/Cells.ts"
import type { EdgeTable } from "../rows/EdgeTable.ts"
import { isWritten, type Schema } from "../schema/Schema.ts"
import type { Overlay, PropertyChange } from "../transaction/Overlay.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"

/** A commit of more changes than this is prepared and applied in time slices. 256 changes take a few milliseconds. */
const MAX_SHORT_COMMIT_CHANGES = 256
/** Estimated bytes of the values of a short commit. To compress texts of this size takes about 5 ms. */
const MAX_SHORT_COMMIT_BYTES = 262_144
/** What a value that stays counts: the commit reads, decompresses and compares it, which takes less than an eighth of compressing it. */
const KEPT_PART = 1 / 8
/** A stored edge with more bytes may have a long text, which its bytes contain compressed. */
const MAX_SHORT_EDGE_BYTES = 512
/** What such an edge counts. */
const LONG_EDGE_BYTES = 65_536

/** Counts what a commit has to do, up to the limits of a short one. */
class Count {
  #changes: number
  #bytes = 0
  readonly #cursor = new CellCursor()
  readonly #schema: Schema

  constructor(changes: number, schema: Schema) {
    this.#changes = changes
    this.#schema = schema
  }

  get isLong(): boolean {
    return this.#changes > MAX_SHORT_COMMIT_CHANGES || this.#bytes > MAX_SHORT_COMMIT_BYTES
  }

  value(value: unknown): void {
    this.#bytes += bytesOf(value)
  }

  /** The values of a property before and after a change, which are compared one by one. */
  states({ base, key, state }: PropertyChange): void {
    this.#changes += Math.max(base?.entries.length ?? 0, state?.entries.length ?? 0)
    if (this.isLong || base === state) return
    if (base === undefined) {
      this.#entries(state!.entries, 1)
      return
    }
    const removed = new Set(base.entries)
    const kept: Array<Entry> = []
    const added: Array<Entry> = []
    for (const entry of state?.entries ?? []) (removed.delete(entry) ? kept : added).push(entry)
    this.#entries([...removed, ...added], 1)
    if (kept.length > 0) this.#entries(kept, this.#isIndexed(key.name) ? 1 : KEPT_PART)
  }

  /** Counts a part of the bytes of values. */
  #entries(entries: ReadonlyArray<Entry>, part: number): void {
    for (const { meta, value } of entries) {
      this.#bytes += part * bytesOf(value)
      for (const metaValue of meta?.values() ?? []) this.#bytes += part * bytesOf(metaValue)
      if (this.isLong) return
    }
  }

  /** Whether the commit compares the entries of an index that has the values of a key, also those that stay. */
  #isIndexed(key: string): boolean {
    return this.#schema.indexTable.ofKeys("vertex", [key]).some(({ status }) => isWritten(status))
  }

  /** An edge of the snapshot that is written again or removed: it is encoded once more. */
  edge(edges: EdgeTable, edge: Ref): void {
    const group = edges.group(edge)
    if (group === null) return
    const cursor = this.#cursor.within(group.bytes, edges.offset(edge), group.end)
    cursor.next()
    if (cursor.following - cursor.columnStart > MAX_SHORT_EDGE_BYTES) this.#bytes += LONG_EDGE_BYTES
  }
}

/**
 * Whether a commit is to be prepared and applied in time slices: it has many changes, long values, or removes a vertex with a long row.
 *
 * @param hasLongRow whether the row of a removed vertex has more cells than one read returns
 */
export const isLong = (
  own: Overlay,
  { edges, schema }: Pick<TransactionView, "edges" | "schema">,
  hasLongRow: (vertex: Ref) => boolean
): boolean => {
  const { edgeChanges, newEdges, removedEdges, removedVertices, vertices } = own
  const count = new Count(edgeChanges.size + newEdges.length + removedEdges.size + vertices.size, schema)
  if (count.isLong) return true
  for (const vertex of removedVertices.keys()) if (hasLongRow(vertex)) return true
  for (const vertex of vertices.values()) {
    // One vertex may have very many properties.
    for (const change of vertex.changes.values()) {
      count.states(change)
      if (count.isLong) return true
    }
  }
  for (const edge of removedEdges) count.edge(edges, edge)
  for (const [edge, changes] of edgeChanges) {
    count.edge(edges, edge)
    for (const { base, value } of changes.values()) {
      count.value(base)
      count.value(value)
      if (count.isLong) return true
    }
  }
  return count.isLong
}
