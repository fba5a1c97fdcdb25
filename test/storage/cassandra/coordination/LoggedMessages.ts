import { statuses } from "../../../../src/storage/cassandra/coordination/LogMessages.ts"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import type { VertexId } from "../../../../src/storage/janusgraph/format/Ids.ts"
import { readString } from "../../../../src/storage/janusgraph/format/Strings.ts"

/** A relation of a message. */
export interface ReadRelation {
  readonly vertex: VertexId
  readonly column: Buffer
  readonly value: Buffer
}

/** A message of a log of transactions, as JanusGraph reads it. */
export interface ReadMessage {
  readonly time: bigint
  readonly id: number
  readonly status: keyof typeof statuses
  readonly logName: string | undefined
  readonly added: ReadonlyArray<ReadRelation>
  readonly removed: ReadonlyArray<ReadRelation>
}

const relations = (reader: ByteReader): ReadonlyArray<ReadRelation> =>
  Array.from({ length: reader.count() }, () => {
    const vertex = reader.vertexId()
    const columnLength = reader.count()
    const cell = Buffer.from(reader.take(reader.count()))
    if (reader.byte() !== 0) throw new Error("a relation has metadata")
    return { vertex, column: cell.subarray(0, columnLength), value: cell.subarray(columnLength) }
  })

/** Reads a message. Throws for one that does not end where it should. */
export const readMessage = (value: Uint8Array): ReadMessage => {
  const reader = new ByteReader(value)
  const time = Buffer.from(reader.take(8)).readBigInt64BE()
  const id = reader.count()
  const number = reader.count()
  const status = (Object.keys(statuses) as Array<keyof typeof statuses>).find((name) => statuses[name] === number)!
  let logName: string | undefined
  if (reader.byte() === 1) {
    if (reader.byte() !== 1) throw new Error("a message has another metadatum than the name of a log")
    logName = readString(reader) ?? undefined
  }
  const hasRelations = status === "begun" || status === "userLog"
  const added = hasRelations ? relations(reader) : []
  const removed = hasRelations ? relations(reader) : []
  const end = reader.at + (status === "secondaryFailure" ? 5 : 0)
  if (end !== value.length) throw new Error(`the message ends at ${end}, not at ${value.length}`)
  return { time, id, status, logName, added, removed }
}
