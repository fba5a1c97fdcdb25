import type { Ref } from "../../../structure/Element.ts"
import type { Later } from "../../../structure/GraphStore.ts"
import type { CellSnapshot, SliceQuery } from "../CellStore.ts"
import type { Cells } from "../Cells.ts"
import type { Id } from "../codec/Ids.ts"
import { vertexExists } from "../codec/RelationTypes.ts"
import { rowKey } from "../codec/RowKeys.ts"
import type { GraphCore } from "../GraphCore.ts"
import { headersOf } from "../Headers.ts"
import type { Overlay } from "../Overlay.ts"
import type { TransactionReading } from "../Reading.ts"
import { readWhole } from "../schema/SchemaReading.ts"
import { digestOf } from "./Digest.ts"
import { type Changes, GraphCommit } from "./GraphCommit.ts"
import { RELATIONS_OF_TYPE } from "./SchemaCommit.ts"
import { uniqueViolation } from "./UniqueValues.ts"

const existsHeader = headersOf(vertexExists).out

/**
 * Commits what a transaction changed. First everything is read from its snapshot that the commit compares with; `end`
 * is called once the snapshot is not needed. Throws, or fails with, TransactionConflict, UnsupportedValue (a value that
 * is there already under a unique index), StorageFailure.
 */
export const commitTransaction = (
  core: GraphCore,
  reading: TransactionReading,
  own: Overlay,
  snapshot: CellSnapshot,
  end: () => void
): Later => {
  const queries = [...own.removedVertices.keys()].map(
    (ref): SliceQuery => ({
      table: "edgestore",
      key: rowKey(reading.vertexRefs.id(ref), core.options.partitionBits)
    })
  )
  if (!core.cells.answersLater) {
    const read = readWhole((query) => snapshot.slice(query))
    const violation = uniqueViolation(core, reading, own, (query) => snapshot.slice(query))
    if (violation !== undefined) throw violation
    return handOver(core, reading, own, queries.map(read), end)
  }
  return {
    onDone: (resume) => {
      if (queries.length === 0) handOver(core, reading, own, [], end).onDone(resume)
      else {
        snapshot.fetch(queries, (error, pages) => {
          if (error === undefined) {
            const rows = pages.map(({ cells }) => cells)
            handOver(core, reading, own, rows, end).onDone(resume)
          } else {
            end()
            resume(error)
          }
        })
      }
    }
  }
}

/** Hands the changes to the store. */
const handOver = (
  core: GraphCore,
  reading: TransactionReading,
  own: Overlay,
  removed: ReadonlyArray<Cells>,
  end: () => void
): Later => {
  const removedRows = new Map<Ref, string>()
  let at = 0
  for (const ref of own.removedVertices.keys()) removedRows.set(ref, digestOf([removed[at++]!]))
  const given: Changes = {
    own,
    edges: reading.edges,
    vertexRefs: reading.vertexRefs,
    schema: reading.schema,
    partitionBits: core.options.partitionBits,
    now: reading.now,
    removedRows,
    existing: core.options.userVertexIds ? existingCells(reading, own) : new Map(),
    committedEdge: (edge) => reading.committedEdge(edge)!,
    relations: relationIds(core, own)
  }
  end()
  let version = 0
  const later = core.cells.commit((batch) => {
    core.assertWritable()
    version = batch.version
    const changed = new GraphCommit(batch, given).run()
    core.cache.changes(batch.version, changed)
  })
  return {
    onDone: (resume) =>
      later.onDone((error) => {
        if (error === undefined) core.cache.advance(version)
        else core.failed(error)
        resume(error)
      })
  }
}

/** Ids for relations that the commit itself makes. */
const relationIds = (core: GraphCore, own: Overlay): ReadonlyArray<Id> => {
  const types = own.newKeys.size + own.newLabels.size + own.newVertexLabels.size
  const count = types * RELATIONS_OF_TYPE + own.newVertices.length * 2 + own.newConstraints.size
  return Array.from({ length: count }, () => core.ids.relation())
}

/** The cells by which a vertex can be told from a later one with the same id. */
const existingCells = (reading: TransactionReading, own: Overlay): ReadonlyMap<Ref, Uint8Array> => {
  const cells = new Map<Ref, Uint8Array>()
  for (const [ref, vertex] of own.vertices) {
    if (vertex.isNew || vertex.removed) continue
    const row = reading.row(ref)
    const group = row.knows(existsHeader) ? row.find(existsHeader.key) : undefined
    if (group !== undefined) cells.set(ref, group.bytes.slice(group.start, group.end))
  }
  return cells
}
