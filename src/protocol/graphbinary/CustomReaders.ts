import { LONGEST_TEXT_ID } from "../JanusGraphTypes.ts"
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
  const { bytes, position: start } = reader
  const limit = Math.min(bytes.length, start + LONGEST_TEXT_ID)
  let last = start
  while (last < limit && bytes[last]! < 0x80) last++
  if (last === limit) {
    return reader.fail(
      `A relation identifier has a vertex id without an end, or of more than ${LONGEST_TEXT_ID} characters`
    )
  }
  reader.skip(last + 1 - start)
  return `S${bytes.toString("latin1", start, last)}${String.fromCharCode(bytes[last]! & 0x7f)}`
}
