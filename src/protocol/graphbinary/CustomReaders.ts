import { predicateOfValue } from "../Predicates.ts"
import type { ByteReader } from "./ByteReader.ts"
import { janusGraph } from "./DataType.ts"
import { readGeoshape } from "./Geoshapes.ts"
import type { ValueReader } from "./ValueReader.ts"

/**
 * Reads a custom value without its type code. JanusGraph's types are known: relation identifiers, whose value here is their
 * text, predicates and shapes. Custom values have no common length, so a message with an unknown one cannot be read further.
 */
export const readCustom = (reader: ValueReader): unknown => {
  const { input } = reader
  const name = input.string()
  const type = Object.values(janusGraph).find((known) => known.name === name)
  if (type === undefined) return input.fail(`The custom type '${name}' is not known`)
  if (input.int() !== type.info) return input.fail(`The custom type '${name}' has an unknown form`)
  if ((input.unsignedByte() & 1) === 1) return null
  switch (type) {
    case janusGraph.geoshape:
      return readGeoshape(input)
    case janusGraph.predicate: {
      const operator = input.string()
      return predicateOfValue(operator, reader.value())
    }
    default:
      return relationIdentifier(input)
  }
}

const relationIdentifier = (reader: ByteReader): string => {
  const out = vertexId(reader)
  const type = base36(reader, reader.long())
  const relation = base36(reader, reader.long())
  const into = vertexId(reader)
  // A property has no second vertex: the id is 0.
  return into === "0" ? `${relation}-${out}-${type}` : `${relation}-${out}-${type}-${into}`
}

const base36 = (reader: ByteReader, id: bigint): string =>
  id < 0n ? reader.fail("A relation identifier has a negative part") : id.toString(36)

/** Reads the id of a vertex: a marker, then a Long or ASCII text whose last character has the highest bit set. */
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
