/**
 * The rows of vertices that a commit has changed, as the processes that share a folder tell each other. The record of a
 * commit is written in its transaction. The records are a ring: a new one replaces that of an old version.
 */

/** The number of versions whose records are kept. */
const VERSIONS = 2048
/** A record of more bytes is not written: readers then forget all rows that they have decoded. */
const MAX_RECORD_BYTES = 8000
/** The version at the start of a record, and the length before each key. */
const [VERSION_BYTES, LENGTH_BYTES] = [8, 2]

/** The name of the record of a version. */
export const recordName = (version: number): Buffer => {
  const name = Buffer.from("rows..")
  name.writeUInt16BE(version % VERSIONS, 4)
  return name
}

/** Collects the keys of the rows that the commits of one version change. */
export class ChangedRows {
  readonly #keys = new Map<string, Uint8Array>()
  #bytes = VERSION_BYTES

  /** Adds the key of a row. */
  add(key: Uint8Array): void {
    if (this.#bytes > MAX_RECORD_BYTES) return
    const name = Buffer.prototype.latin1Slice.call(key, 0, key.length)
    if (this.#keys.has(name)) return
    this.#keys.set(name, key)
    this.#bytes += LENGTH_BYTES + key.length
  }

  /** Makes the record say nothing about the rows. */
  addUnknown(): void {
    this.#bytes = Number.POSITIVE_INFINITY
  }

  /** The record; undefined when the rows are unknown or too many. */
  record(version: number): Buffer | undefined {
    if (this.#bytes > MAX_RECORD_BYTES) return undefined
    const record = Buffer.allocUnsafe(this.#bytes)
    let at = record.writeDoubleBE(version, 0)
    for (const key of this.#keys.values()) {
      at = record.writeUInt16BE(key.length, at)
      record.set(key, at)
      at += key.length
    }
    return record
  }
}

/**
 * The keys in the record of a version; undefined when the record is missing or that of another version, because the process that
 * made the version was alone, has changed too many rows, or made it long ago.
 */
export const keysIn = (record: Buffer | undefined, version: number): ReadonlyArray<Uint8Array> | undefined => {
  if (record === undefined || record.readDoubleBE(0) !== version) return undefined
  const keys: Array<Uint8Array> = []
  for (let at = VERSION_BYTES; at < record.length; ) {
    const start = at + LENGTH_BYTES
    at = start + record.readUInt16BE(at)
    keys.push(record.subarray(start, at))
  }
  return keys
}
