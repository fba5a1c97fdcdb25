import { Pending } from "../../../scheduling/Pending.ts"
import { resultInSlices, runWhole } from "../../../scheduling/Task.ts"
import { BigMap } from "../../../structure/containers/BigMap.ts"
import type { Ref } from "../../../structure/elements/Element.ts"
import { CommitOutcomeUnknown, FailedAfterCommit, StorageFailure } from "../../../structure/errors/StoreErrors.ts"
import type { CellBatch, CellSnapshot, SliceQuery } from "../cells/CellStore.ts"
import type { Cells } from "../cells/Cells.ts"
import { sliceOf } from "../cells/Slices.ts"
import type { FailedCommit } from "../documents/ServedIndexes.ts"
import type { Id } from "../format/Ids.ts"
import { vertexExists } from "../format/RelationTypes.ts"
import { rowKey } from "../format/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { headersOf } from "../rows/Headers.ts"
import { RowLoader } from "../rows/RowLoader.ts"
import type { Overlay } from "../transaction/Overlay.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import { isLong } from "./CommitLength.ts"
import type { Changes } from "./CommitState.ts"
import { RowDigest } from "./Digest.ts"
import { GraphCommit } from "./GraphCommit.ts"
import { zippedTexts } from "./LongTexts.ts"
import { comparingRemoved } from "./RemovedVertices.ts"
import { RELATIONS_OF_TYPE } from "./SchemaCommit.ts"
import { uniqueViolation } from "./UniqueValues.ts"

const existsHeader = headersOf(vertexExists).out

/** The row of a removed vertex with more bytes, in a store that answers later, makes a commit a long one. */
const MAX_SHORT_ROW_BYTES = 65_536

/**
 * Commits the changes of a transaction. It first reads from the snapshot what the commit compares with the newest
 * state. `end` is called when the snapshot is no longer needed. Throws or fails with TransactionConflict,
 * UnsupportedValue (another element has the value under a unique index) or StorageFailure.
 */
export const commitTransaction = (
  core: GraphCore,
  reading: TransactionView,
  own: Overlay,
  snapshot: CellSnapshot,
  end: () => void
): Pending => {
  if (core.cells.answersLater) return Pending.fromPromise(commitLater(core, reading, own, snapshot, end))
  const begin = (): Pending => {
    const prepared = preparation(core, reading, own, snapshot)
    return isLong(own, reading, (ref) => !reading.row(ref).complete)
      ? Pending.fromPromise(commitLong(core, prepared, end))
      : handOver(core, runWhole(prepared), false, end)
  }
  const missing = core.ids.missing("relation", relationCount(own))
  return missing === undefined ? begin() : Pending.fromPromise(withIds(core, own, missing, begin, end))
}

/**
 * Prepares a commit in more than one turn of the event loop, and waits for its end. The graph does not close while it is prepared.
 *
 * @param prepare returns the commit that was handed to the store, which nothing waits for yet
 */
const inTurns = async (
  core: GraphCore,
  end: () => void,
  prepare: () => Promise<{ readonly commit: Pending }>
): Promise<void> => {
  const isPrepared = core.beginPreparing()
  let commit: Pending
  try {
    commit = (await prepare()).commit
  } catch (error) {
    end()
    throw error
  } finally {
    isPrepared()
  }
  await Pending.toPromise(commit)
}

/** Begins a commit when the ids that it needs are available. */
const withIds = (
  core: GraphCore,
  own: Overlay,
  first: Promise<void>,
  begin: () => Pending,
  end: () => void
): Promise<void> =>
  inTurns(core, end, async () => {
    await first
    await core.ids.ensure("relation", relationCount(own))
    return { commit: begin() }
  })

/** Prepares a commit to a store that answers later, and hands it to the store. */
const commitLater = async (
  core: GraphCore,
  reading: TransactionView,
  own: Overlay,
  snapshot: CellSnapshot,
  end: () => void
): Promise<void> => {
  let commit: Pending
  try {
    const refs = [...own.removedVertices.keys()]
    const queries = refs.map((ref) => rowQuery(core, reading, ref))
    const rows = queries.length === 0 ? [] : await snapshot.fetch(queries, true)
    for (;;) {
      const missing = core.ids.missing("relation", relationCount(own))
      if (missing === undefined) break
      await missing
    }
    const removed = refs.map((ref, at) => ({ ref, cells: rows[at]!.cells }))
    const given = await resultInSlices(() => preparationLater(core, reading, own, removed))
    const hasLongRow = removed.some(({ cells }) => cells.end - cells.start > MAX_SHORT_ROW_BYTES)
    if (!isLong(own, reading, () => hasLongRow)) commit = handOver(core, given, false, end)
    else commit = handOver(core, { ...given, zipped: await zippedTexts(own) }, true, end)
  } catch (error) {
    end()
    throw error
  }
  await Pending.toPromise(commit)
}

/** Prepares a long commit in time slices, then hands it to the store. */
const commitLong = (core: GraphCore, prepared: Generator<void, Changes>, end: () => void): Promise<void> =>
  inTurns(core, end, async () => {
    const changes = await resultInSlices(() => prepared)
    return { commit: handOver(core, { ...changes, zipped: await zippedTexts(changes.own) }, true, end) }
  })

const rowQuery = (core: GraphCore, reading: TransactionView, ref: Ref): SliceQuery =>
  sliceOf("edgestore", rowKey(reading.vertexRefs.id(ref), core.options.partitionBits))

/** Reads from the snapshot what the commit compares. Yields after each element. */
function* preparation(
  core: GraphCore,
  reading: TransactionView,
  own: Overlay,
  snapshot: CellSnapshot
): Generator<void, Changes> {
  const violation = yield* uniqueViolation(core, reading, own, (query) => snapshot.slice(query))
  if (violation !== undefined) throw violation
  const removedRows = new BigMap<Ref, string>()
  const rows = new RowLoader((query) => snapshot.slice(query), core.options.partitionBits)
  for (const ref of own.removedVertices.keys()) {
    const digest = new RowDigest()
    for (const cells of rows.whole(reading.vertexRefs.id(ref))) {
      digest.add(cells)
      yield
    }
    removedRows.set(ref, digest.text())
  }
  return yield* changes(core, reading, own, removedRows)
}

/**
 * Prepares a commit to a store that answers later, as {@link preparation} does for other stores. `removed` are the current rows of the
 * removed vertices. They may differ from what the transaction has read, because such a store has no snapshots.
 */
function* preparationLater(
  core: GraphCore,
  reading: TransactionView,
  own: Overlay,
  removed: ReadonlyArray<{ readonly ref: Ref; readonly cells: Cells }>
): Generator<void, Changes> {
  yield* comparingRemoved(reading, own, removed)
  const removedRows = new BigMap<Ref, string>()
  for (const { cells, ref } of removed) {
    const digest = new RowDigest()
    digest.add(cells)
    removedRows.set(ref, digest.text())
    yield
  }
  return yield* changes(core, reading, own, removedRows)
}

/** Collects the changes for the commit. Yields after each element. */
function* changes(
  core: GraphCore,
  reading: TransactionView,
  own: Overlay,
  removedRows: BigMap<Ref, string>
): Generator<void, Changes> {
  return {
    own,
    edges: reading.edges,
    vertexRefs: reading.vertexRefs,
    schema: reading.schema,
    partitionBits: core.options.partitionBits,
    counts: core.cells.countsElements ?? true,
    readsAtOnce: !core.cells.answersLater,
    cellsExpire: core.cells.cellsExpire ?? false,
    checksNewIds: !core.cells.answersLater || core.options.userVertexIds,
    staleMixedIndexes: core.options.staleMixedIndexes,
    documents: undefined,
    isLogged: core.cells.transactionLogs?.hasAll === true || reading.options.userLog !== undefined,
    userLog: reading.options.userLog,
    now: reading.now,
    removedRows,
    existing: core.options.userVertexIds ? yield* existingCells(reading, own) : new BigMap(),
    committedEdge: (edge) => reading.committedEdge(edge)!,
    relations: yield* relationIds(core, own),
    zipped: undefined
  }
}

/** What the commit needs to know of search engines; undefined if no index is in one. */
const documentsOf = ({ documents }: GraphCore): Changes["documents"] => {
  if (documents === undefined) return undefined
  const entry = documents.begin()
  return { entry, isServed: documents.isServed, put: (changes) => documents.put(entry, changes) }
}

/** Hands the changes to the store. */
const handOver = (core: GraphCore, changes: Changes, isLongCommit: boolean, end: () => void): Pending => {
  end()
  const documents = documentsOf(core)
  const given = documents === undefined ? changes : { ...changes, documents }
  let version = 0
  const work = (batch: CellBatch): Generator<void, void> => {
    version = batch.version
    return apply(core, given, batch)
  }
  const commit = isLongCommit ? core.cells.commitLong(work) : core.cells.commit((batch) => runWhole(work(batch)))
  const entry = documents?.entry
  const succeeded = (): Pending | undefined => {
    core.cache.advance(version)
    return entry === undefined ? undefined : core.documents!.committed(entry)
  }
  return Pending.then(commit, succeeded, (error) => {
    core.failed(error)
    if (entry === undefined) return
    if (error instanceof FailedAfterCommit) core.documents!.committed(entry)
    else core.documents!.failed(entry, whatWasWritten(error))
  })
}

/** What a commit that failed may have written. Only a failure of the store occurs after a write has begun. */
const whatWasWritten = (error: Error): FailedCommit =>
  error instanceof CommitOutcomeUnknown ? "unknown" : error instanceof StorageFailure ? "log" : "nothing"

/**
 * Applies the changes in a batch. At module level, because an inner generator function has a new prototype for each
 * closure.
 */
function* apply(core: GraphCore, given: Changes, batch: CellBatch): Generator<void, void> {
  // A graph over a synchronous store may be closing: the store completes the commits that it was handed before.
  if (core.cells.answersLater) core.assertWritable()
  else core.assertTakesWrites()
  const changed = yield* new GraphCommit(batch, given).applyTask()
  core.cache.changes(batch.version, changed)
}

/** The maximum number of system relations that the commit adds. */
const relationCount = (own: Overlay): number => {
  const types = own.newKeys.size + own.newLabels.size + own.newVertexLabels.size
  return types * RELATIONS_OF_TYPE + own.newVertices.length * 2 + own.newConstraints.size
}

/** Ids for the system relations that the commit adds. Yields after each. */
function* relationIds(core: GraphCore, own: Overlay): Generator<void, ReadonlyArray<Id>> {
  const count = relationCount(own)
  const ids: Array<Id> = []
  for (let i = 0; i < count; i++) {
    ids.push(core.ids.relation())
    yield
  }
  return ids
}

/** See {@link Changes.existing}. */
function* existingCells(reading: TransactionView, own: Overlay): Generator<void, BigMap<Ref, Uint8Array>> {
  const cells = new BigMap<Ref, Uint8Array>()
  for (const [ref, vertex] of own.vertices) {
    yield
    if (vertex.isNew || vertex.removed) continue
    const row = reading.row(ref)
    const group = row.knows(existsHeader) ? row.find(existsHeader.key) : undefined
    if (group !== undefined) cells.set(ref, group.bytes.slice(group.start, group.end))
  }
  return cells
}
