import { createHash } from "node:crypto"

/**
 * The keys of lmdb's entries. The key of the first chunk of a row is the name of the row. The key of a further chunk is
 * the name and a separator, which sorts after the last column of the previous chunk and not after the first column of
 * this one. A name begins with the length of the row key, so that no name is a prefix of another. Keys of lmdb have at
 * most 1,978 bytes: the name of a row with a long key has a prefix and a digest of the key, and the first chunk has the
 * whole key.
 */

/** A name contains row keys up to this length completely. */
export const MAX_KEY_BYTES = 900
/** The maximum length of a separator. Columns with a longer common prefix stay in one chunk. */
export const MAX_SEPARATOR_BYTES = 1000

/** The first byte of a name is the length of the key up to this value. */
const MAX_SHORT_KEY_BYTES = 253
/** The first byte of a name with a key of more bytes, whose length follows in two bytes. */
const TWO_BYTES = 254
/** The first byte of a name with a prefix and a digest of the key. */
const DIGEST = 255
/** The length of that prefix. */
const KEY_PREFIX_BYTES = 800
/** The length of a SHA-256 digest. */
const DIGEST_BYTES = 32

/** The name of the row with a key. */
export const rowName = (key: Uint8Array): Buffer => {
  if (key.length <= MAX_SHORT_KEY_BYTES) {
    const name = Buffer.allocUnsafe(key.length + 1)
    name[0] = key.length
    name.set(key, 1)
    return name
  }
  if (key.length <= MAX_KEY_BYTES) {
    const name = Buffer.allocUnsafe(key.length + 3)
    name[0] = TWO_BYTES
    name.writeUInt16BE(key.length, 1)
    name.set(key, 3)
    return name
  }
  const digest = createHash("sha256").update(key).digest()
  return Buffer.concat([Buffer.from([DIGEST]), key.subarray(0, KEY_PREFIX_BYTES), digest])
}

/** The length of the name of the row at the start of an entry's key. */
export const nameLength = (name: Uint8Array): number => {
  const first = name[0]!
  if (first <= MAX_SHORT_KEY_BYTES) return first + 1
  return first === TWO_BYTES ? 3 + name[1]! * 256 + name[2]! : 1 + KEY_PREFIX_BYTES + DIGEST_BYTES
}

/** The row key in a name; undefined when the name has only a digest of the key. */
export const keyOfName = (name: Uint8Array): Uint8Array | undefined => {
  const first = name[0]!
  if (first === DIGEST) return undefined
  const start = first === TWO_BYTES ? 3 : 1
  return name.subarray(start, nameLength(name))
}

/** The key of the chunk with a separator. With a column instead: the key at which a search for the column begins. */
export const chunkName = (name: Uint8Array, separator: Uint8Array): Buffer =>
  Buffer.concat([name, separator.length > MAX_SEPARATOR_BYTES ? separator.subarray(0, MAX_SEPARATOR_BYTES) : separator])
