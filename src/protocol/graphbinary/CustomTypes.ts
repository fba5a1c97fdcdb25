import type { ByteReader } from "./ByteReader.ts"
import { janusGraph } from "./DataType.ts"

/**
 * Reads a custom value, behind its type code. Of JanusGraph's types the relation identifier is known: an id that its
 * clients send back, carried as its text. Custom values have no common length, so that an unknown one ends the message.
 */
export const readCustom = (reader: ByteReader): string | null => {
  const name = reader.string()
  const { relationIdentifier } = janusGraph
  if (name !== relationIdentifier.name) return reader.fail(`The custom type '${name}' is not known`)
  if (reader.int() !== relationIdentifier.info) return reader.fail(`The custom type '${name}' has an unknown form`)
  if ((reader.unsignedByte() & 1) === 1) return null
  const out = vertexId(reader)
  const type = base36(reader, reader.long())
  const relation = base36(reader, reader.long())
  const into = vertexId(reader)
  // A property has no vertex at the other end: its id is 0 there.
  return into === "0" ? `${relation}-${out}-${type}` : `${relation}-${out}-${type}-${into}`
}

const base36 = (reader: ByteReader, id: bigint): string =>
  id < 0n ? reader.fail("A relation identifier has a negative part") : id.toString(36)

/** The id of a vertex: a marker, then a Long or ASCII text whose last character has the highest bit set. */
const vertexId = (reader: ByteReader): string => {
  const marker = reader.unsignedByte()
  if (marker === 0) return base36(reader, reader.long())
  if (marker !== 1) return reader.fail("A relation identifier has an unknown kind of vertex id")
  let text = "S"
  for (;;) {
    const byte = reader.unsignedByte()
    text += String.fromCharCode(byte & 0x7f)
    if (byte > 127) return text
  }
}
