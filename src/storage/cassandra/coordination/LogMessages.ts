import type { LoggedRelation } from "../../janusgraph/cells/RelationLog.ts"
import type { ByteWriter } from "../../janusgraph/format/ByteWriter.ts"
import { writeString } from "../../janusgraph/format/Strings.ts"

/** The messages of JanusGraph's logs of transactions. */

/** What a message says of a transaction. The values are JanusGraph's. */
export const statuses = {
  /** The transaction is about to be written. The message has its relations. */
  begun: 0,
  /** The graph has the transaction; documents or a log of the user do not have it yet. */
  primarySuccess: 1,
  /** Everything is written. */
  completeSuccess: 2,
  secondarySuccess: 3,
  secondaryFailure: 4,
  /** A message of a log of the user. It has the relations. */
  userLog: 5
} as const

/** The number of the metadatum that names the log of the user. */
const LOG_NAME = 1

/** What all messages of a transaction have. */
export interface LoggedHeader {
  /** The number of the transaction in its instance, from 1. */
  readonly id: number
  /** When the transaction committed, microseconds since the epoch. */
  readonly time: bigint
}

/** Writes a message without content. `logName`: the name of the log of the user. */
export const writeStatus = (
  writer: ByteWriter,
  { id, time }: LoggedHeader,
  status: keyof typeof statuses,
  logName?: string
): void => {
  writer.int64(time)
  writer.varint(id)
  writer.varint(statuses[status])
  writer.byte(logName === undefined ? 0 : 1)
  if (logName === undefined) return
  writer.byte(LOG_NAME)
  writeString(writer, logName)
}

/** Writes the content of the status `secondaryFailure` for a log of the user that was not written. No index has failed. */
export const writeUserLogFailure = (writer: ByteWriter): void => {
  writer.byte(0)
  writer.int32(0)
}

/** Relations that are written between two yields. */
const RELATIONS_BETWEEN_YIELDS = 256

/**
 * Writes the content of the statuses `begun` and `userLog`; yields between groups of relations. Stops and returns false when the
 * writer has more than `most` bytes.
 */
export function* writeRelations(
  writer: ByteWriter,
  added: ReadonlyArray<LoggedRelation>,
  removed: ReadonlyArray<LoggedRelation>,
  most = Number.POSITIVE_INFINITY
): Generator<void, boolean> {
  let written = 0
  for (const relations of [added, removed]) {
    writer.varint(relations.length)
    for (const { column, value, vertex } of relations) {
      writer.vertexId(vertex)
      writer.varint(column.length)
      writer.varint(column.length + value.length)
      writer.raw(column)
      writer.raw(value)
      // The number of metadata of the cell.
      writer.byte(0)
      if (writer.length > most) return false
      if (++written % RELATIONS_BETWEEN_YIELDS === 0) yield
    }
  }
  return true
}
