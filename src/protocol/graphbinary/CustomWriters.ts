import type { Geoshape } from "../../structure/Geoshape.ts"
import type { RelationParts } from "../JanusGraphTypes.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { DataType, janusGraph } from "./DataType.ts"

// JanusGraph's custom types, for clients that have them. CustomReaders.ts reads them.

const head = (writer: ByteWriter, { info, name }: { readonly name: string; readonly info: number }): void => {
  writer.byte(DataType.Custom)
  writer.string(name)
  writer.int(info)
  writer.byte(0)
}

/** Writes a point, circle or box. */
export const writeGeoshape = (writer: ByteWriter, { kilometres, shape }: Geoshape): void => {
  head(writer, janusGraph.geoshape)
  writer.byte(2)
  const numbers: ReadonlyArray<number> =
    shape.kind === "point"
      ? [shape.latitude, shape.longitude]
      : shape.kind === "circle"
        ? [shape.latitude, shape.longitude, kilometres]
        : shape.kind === "box"
          ? [shape.south, shape.west, shape.north, shape.east]
          : []
  writer.int(shape.kind === "point" ? 0 : shape.kind === "circle" ? 1 : 2)
  for (const number of numbers) writer.double(number)
}

/** Writes the id of an edge or a property. */
export const writeRelationIdentifier = (writer: ByteWriter, { into, out, relation, type }: RelationParts): void => {
  head(writer, janusGraph.relationIdentifier)
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
