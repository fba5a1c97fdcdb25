import { nextTurn } from "../../../scheduling/NextTurn.ts"
import { Pending } from "../../../scheduling/Pending.ts"
import type { CellBatch, Page, RowPage, Table } from "../cells/CellStore.ts"
import { CellCursor, sameBytes } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import { notUnique } from "../commit/CommitState.ts"
import { assertColumnFits, assertEntryFits } from "../commit/NameLengths.ts"
import { RelationCells } from "../commit/RelationCells.ts"
import { RowChanges } from "../commit/RowChanges.ts"
import { canonicalId, isSchemaId, type VertexId } from "../format/Ids.ts"
import { decodeRelation, type Relation } from "../format/Relations.ts"
import { prefixes, type RelationType } from "../format/RelationTypes.ts"
import { idOfRowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { ElementEntries, storedLabel } from "../indexes/ElementEntries.ts"
import type { IndexEntry } from "../indexes/IndexEntries.ts"
import { SourceTimes } from "../indexes/SourceTimes.ts"
import { headersOf } from "../rows/Headers.ts"
import { RowLoader } from "../rows/RowLoader.ts"
import { isWritten, type RelationIndex, type Schema } from "../schema/Schema.ts"
import { after, readSchema, readWhole } from "../schema/SchemaRead.ts"
import { CommitSize } from "./CommitSize.ts"
import { untilDone } from "./PatientWork.ts"

/** The maximum number of vertices of a commit. */
const MAX_VERTICES_PER_COMMIT = 256

/** Entries that are written between two yields. */
const ENTRIES_PER_YIELD = 64

/** Called with the number of vertices that were processed so far. */
export type Progress = (vertices: number) => void

/** Runs a commit and waits for it. */
export const commitLater = (
  core: Pick<GraphCore, "cells">,
  work: Parameters<GraphCore["cells"]["commit"]>[0]
): Promise<void> => Pending.toPromise(core.cells.commit(work))

/** Runs a commit in time slices (see CellStore.commitLong) and waits for it. */
export const commitPieces = (
  core: Pick<GraphCore, "cells">,
  work: Parameters<GraphCore["cells"]["commitLong"]>[0]
): Promise<void> => Pending.toPromise(core.cells.commitLong(work))

/**
 * Iterates over the ids of all vertices in pages. Each page is read from a new snapshot, because a store cannot reuse
 * space while an old snapshot is open. Vertices that are added during the iteration may be missing.
 */
export async function* vertexPages(core: GraphCore): AsyncGenerator<ReadonlyArray<VertexId>> {
  const { partitionBits } = core.options
  let last: Uint8Array | undefined
  for (;;) {
    const rows = await someRows(core, "edgestore", last, MAX_VERTICES_PER_COMMIT)
    if (rows.length === 0) return
    last = Uint8Array.from(rows.at(-1)!.key)
    yield rows
      .map(({ key }) => idOfRowKey(key, partitionBits))
      .filter((id) => !isSchemaId(id) && canonicalId(id, partitionBits) === id)
  }
}

/**
 * Reads up to `most` rows of a table after the row with the key `last`, from a new snapshot. Others run between two calls, also if the
 * store answers at once and the caller commits nothing. A store that does not answer in time is asked again.
 */
export const someRows = (
  core: GraphCore,
  table: Table,
  last: Uint8Array | undefined,
  most: number
): Promise<ReadonlyArray<RowPage>> => untilDone(core, () => readRows(core, table, last, most))

const readRows = async (
  core: GraphCore,
  table: Table,
  last: Uint8Array | undefined,
  most: number
): Promise<ReadonlyArray<RowPage>> => {
  if (!core.cells.answersLater) await nextTurn()
  const snapshot = core.cells.snapshot()
  try {
    const scan = snapshot.scanFrom(table, last)
    return core.cells.answersLater ? await scan.fetch(most) : scan.next(most)
  } finally {
    snapshot.close()
  }
}

/**
 * Adds the entries of all existing elements to an index that commits update already. Throws UnsupportedValue when two
 * elements have the same value under a unique index.
 */
export const buildIndex = (core: GraphCore, id: number, progress: Progress): Promise<void> =>
  eachPage(core, progress, function* (batch, schema, ids) {
    const index = schema.indexTable.index(id)
    if (index === undefined || !isWritten(index.status)) return
    // Expired elements also have entries, as after commits. A unique index omits them.
    const now = index.unique ? core.options.clock() : undefined
    const times = SourceTimes.of(batch, schema)
    const elements = new ElementEntries(
      (query) => batch.slice(query),
      schema,
      core.options.partitionBits,
      now,
      times?.concerns(index) ? times : undefined
    )
    const changes = new RowChanges()
    let made = 0
    for (const vertex of ids) {
      for (const entry of elements.each(index, vertex)) {
        if (++made % ENTRIES_PER_YIELD === 0) yield
        if (entry === undefined) continue
        const { table, key, column, ttl, value } = entry
        assertEntryFits(entry, batch.longestName)
        const isThere =
          index.unique && isStored(batch.slice(sliceOf(table, key, column, after(column))), changes, entry)
        // A unique entry that is written is also locked, which takes a while.
        if (!isThere || times !== undefined) changes.put(table, key, column, value, ttl)
      }
      yield
    }
    yield* changes.applyTask(batch)
  })

/** Adds the copies of all existing relations to a vertex-centric index that commits update already. */
export const buildRelationIndex = (core: GraphCore, id: number, progress: Progress): Promise<void> =>
  eachPage(core, progress, function* (batch, schema, ids) {
    const index = schema.relationIndexes.find(({ type }) => type.id === id)
    const base = index === undefined ? undefined : schema.type(index.base)
    if (index === undefined || base === undefined || !isWritten(index.status)) return
    const all = SourceTimes.of(batch, schema)
    const times = all?.mayExpire(base.id) ? all : undefined
    const loader = new RowLoader((query) => batch.slice(query), core.options.partitionBits)
    const cells = new RelationCells(schema, core.options.partitionBits)
    const prefix = base.isKey ? prefixes.propertyCopy : prefixes.edgeCopy
    const changes = new RowChanges()
    let made = 0
    for (const vertex of ids) {
      const label = times && base.isKey ? storedLabel(loader, loader.row(vertex), schema) : undefined
      for (const [relation, stored] of relationsOf(loader, index, base, vertex, schema)) {
        const { key, column, value } = cells.cell(vertex, { ...relation, prefix, type: index.type })
        // A copy expires with its relation.
        assertColumnFits(column.length, batch.longestName, () => base.name)
        const original = { type: base.id, ...(label !== undefined && { label }), key, column: stored }
        changes.put("edgestore", key, column, value, times?.left(original))
        if (++made % ENTRIES_PER_YIELD === 0) yield
      }
      yield
    }
    yield* changes.applyTask(batch)
    core.cache.changes(batch.version, ids)
  })

/** The relations in the row of a vertex that have a copy in a vertex-centric index, with their columns. */
function* relationsOf(
  loader: RowLoader,
  { direction }: RelationIndex,
  base: RelationType,
  vertex: VertexId,
  schema: Schema
): Generator<readonly [Relation, Uint8Array]> {
  const headers = headersOf(base)
  const sides =
    base.isKey || direction === "OUT" ? [headers.out] : direction === "IN" ? [headers.in] : [headers.out, headers.in]
  for (const header of sides) {
    for (const cells of loader.pages(vertex, header)) {
      const cursor = new CellCursor().over(cells)
      while (cursor.next()) {
        const { bytes, columnEnd, columnStart, valueEnd } = cursor
        const relation = decodeRelation(bytes, columnStart, columnEnd, valueEnd, schema.type)
        yield [relation, cursor.column()]
      }
    }
  }
}

/**
 * Runs `work` for all vertices, a part of them in each commit. `work` gets the schema that the commit sees, and yields
 * often: one vertex may have very many edges.
 */
const eachPage = async (
  core: GraphCore,
  progress: Progress,
  work: (batch: CellBatch, schema: Schema, ids: ReadonlyArray<VertexId>) => Generator<void, void>
): Promise<void> => {
  let done = 0
  let schema: Schema | undefined
  // Vertices with many edges need smaller commits.
  const size = new CommitSize(1, MAX_VERTICES_PER_COMMIT)
  for await (const page of vertexPages(core)) {
    for (let at = 0; at < page.length; ) {
      const ids = page.slice(at, at + size.value)
      let milliseconds = 0
      await untilDone(core, () =>
        commitPieces(core, function* (batch) {
          const begun = performance.now()
          core.assertWritable()
          let newest = schema
          if (newest?.version !== batch.schemaVersion) {
            const read = readWhole((query) => batch.slice(query))
            newest = readSchema(batch.schemaVersion, read)
            if (!batch.isIncomplete) schema = newest
          }
          yield* work(batch, newest, ids)
          milliseconds = performance.now() - begun
        })
      )
      at += ids.length
      done += ids.length
      progress(done)
      size.delayed(milliseconds)
    }
  }
}

/** Whether the store or the commit already has an entry of a unique index. Throws UnsupportedValue if it is of another element. */
const isStored = ({ cells }: Page, changes: RowChanges, entry: IndexEntry): boolean => {
  const cursor = new CellCursor().over(cells)
  const there = changes.changeOf(entry.table, entry.key, entry.column) ?? (cursor.next() ? cursor.value() : undefined)
  if (there !== undefined && !sameBytes(there, entry.value)) throw notUnique(entry.index)
  return there !== undefined
}
