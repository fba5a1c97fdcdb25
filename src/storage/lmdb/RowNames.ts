import { createHash } from "node:crypto"

/**
 * Keys of lmdb's entries. A row is kept in chunks of its cells: the first under the name of the row, each further one
 * under the name and a separator, which is not after its first column and behind the last column of the chunk before. A
 * name begins with the length of the row's key, so that no name is the begin of another. lmdb's keys have at most 1978
 * bytes: of a longer row key the name has the begin and a digest, and the first chunk has the whole of it.
 */

/** Row keys up to this length are in the name as they are. */
export const LONGEST_KEY = 900
/** Separators are never longer: columns with such a begin in common stay in one chunk. */
export const LONGEST_SEPARATOR = 1000

const SHORT = 253
const TWO_BYTES = 254
const DIGEST = 255
const KEPT = 800

/** The name of a row. */
export const rowName = (key: Uint8Array): Buffer => {
  if (key.length <= SHORT) {
    const name = Buffer.allocUnsafe(key.length + 1)
    name[0] = key.length
    name.set(key, 1)
    return name
  }
  if (key.length <= LONGEST_KEY) {
    const name = Buffer.allocUnsafe(key.length + 3)
    name[0] = TWO_BYTES
    name.writeUInt16BE(key.length, 1)
    name.set(key, 3)
    return name
  }
  const digest = createHash("sha256").update(key).digest()
  return Buffer.concat([Buffer.from([DIGEST]), key.subarray(0, KEPT), digest])
}

/** How many bytes of an entry's key are the name of its row. */
export const nameLength = (name: Uint8Array): number => {
  const first = name[0]!
  if (first <= SHORT) return first + 1
  return first === TWO_BYTES ? 3 + name[1]! * 256 + name[2]! : 1 + KEPT + 32
}

/** The row key in a name; undefined when the name has only a digest of it. */
export const keyOfName = (name: Uint8Array): Uint8Array | undefined => {
  const first = name[0]!
  if (first === DIGEST) return undefined
  const start = first === TWO_BYTES ? 3 : 1
  return name.subarray(start, nameLength(name))
}

/** The key of the entry of a chunk that begins at a separator, or of the place where a column is looked for. */
export const chunkName = (name: Uint8Array, separator: Uint8Array): Buffer =>
  Buffer.concat([name, separator.length > LONGEST_SEPARATOR ? separator.subarray(0, LONGEST_SEPARATOR) : separator])
