import { ByteReader } from "./ByteReader.ts"
import { ByteWriter } from "./ByteWriter.ts"
import { type Id, isSchemaId, normalId, powerOfTwo, type VertexId } from "./Ids.ts"

/**
 * The key of a vertex's row in `edgestore`. A numeric id has 8 bytes, in which the partition of a user's vertex is
 * moved to the top bits, so that a partition is one range of keys. A text id is written as ByteWriter.vertexId does,
 * and padded when it would have 8 bytes.
 */
export const rowKey = (id: VertexId, partitionBits: number): Buffer => {
  if (typeof id === "string") return textKey(id)
  const key = Buffer.allocUnsafe(8)
  writeNumberKey(key, id, partitionBits)
  return key
}

const textKey = (id: string): Buffer => {
  const writer = new ByteWriter(id.length + 2)
  writer.vertexId(id)
  if (writer.length === 8) writer.byte(128)
  return writer.copy()
}

/** Writes the row key of a numeric id into 8 bytes. */
const writeNumberKey = (key: Buffer, id: Id, partitionBits: number): void => {
  if (typeof id === "bigint") {
    key.writeBigUInt64BE(isSchemaId(id) ? id : rotated(id, BigInt(partitionBits)))
    return
  }
  if (id % 4 === 1) {
    key.writeUInt32BE(Math.floor(id / 2 ** 32), 0)
    key.writeUInt32BE(id >>> 0, 4)
    return
  }
  const partition = Math.floor(id / 8) % powerOfTwo(partitionBits)
  const rest = Math.floor(id / powerOfTwo(3 + partitionBits)) * 8 + (id % 8)
  key.writeUInt32BE(partition * powerOfTwo(32 - partitionBits) + Math.floor(rest / 2 ** 32), 0)
  key.writeUInt32BE(rest >>> 0, 4)
}

const rotated = (id: bigint, bits: bigint): bigint => {
  const partition = (id >> 3n) & ((1n << bits) - 1n)
  return (partition << (64n - bits)) | ((id >> (3n + bits)) << 3n) | (id & 7n)
}

/** The vertex id of a row key. */
export const idOfRowKey = (key: Uint8Array, partitionBits: number): VertexId => {
  if (key.length !== 8) return new ByteReader(key).vertexId()
  const high = key[0]! * 2 ** 24 + ((key[1]! << 16) | (key[2]! << 8) | key[3]!)
  const low = key[4]! * 2 ** 24 + ((key[5]! << 16) | (key[6]! << 8) | key[7]!)
  if (low % 4 === 1) return high < 2 ** 21 ? high * 2 ** 32 + low : normalId((BigInt(high) << 32n) | BigInt(low))
  const partition = Math.floor(high / powerOfTwo(32 - partitionBits))
  const top = high % powerOfTwo(32 - partitionBits)
  const count = top * 2 ** 29 + Math.floor(low / 8)
  if (top < powerOfTwo(21 - partitionBits)) return (count * powerOfTwo(partitionBits) + partition) * 8 + (low % 8)
  const bits = BigInt(partitionBits)
  const whole = (BigInt(top) << 29n) | BigInt(low >>> 3)
  return normalId((((whole << bits) | BigInt(partition)) << 3n) | BigInt(low % 8))
}
