import type { RelationParts } from "../JanusGraphTypes.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { DataType, janusGraph } from "./DataType.ts"

// JanusGraph's ids of relations, for clients that have them. CustomReaders.ts reads them, and Geoshapes.ts has the shapes.

/** Writes what precedes a value of one of JanusGraph's types: its name and its number. */
export const writeCustomHead = (
  writer: ByteWriter,
  { info, name }: (typeof janusGraph)[keyof typeof janusGraph]
): void => {
  writer.byte(DataType.Custom)
  writer.string(name)
  writer.int(info)
  writer.byte(0)
}

/** Writes the id of an edge or a property. */
export const writeRelationIdentifier = (writer: ByteWriter, { into, out, relation, type }: RelationParts): void => {
  writeCustomHead(writer, janusGraph.relationIdentifier)
  writeVertexId(writer, out)
  writer.long(type)
  writer.long(relation)
  writeVertexId(writer, into ?? 0n)
}

/** Writes the id of a vertex: a marker, then a Long or ASCII text whose last character has the highest bit set. */
const writeVertexId = (writer: ByteWriter, id: bigint | string): void => {
  if (typeof id === "bigint") {
    writer.byte(0)
    writer.long(id)
    return
  }
  writer.byte(1)
  for (let i = 0; i < id.length; i++) writer.byte(id.charCodeAt(i) | (i + 1 === id.length ? 0x80 : 0))
}
