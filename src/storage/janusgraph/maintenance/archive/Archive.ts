import { createHash, type Hash } from "node:crypto"
import { StorageFailure } from "../../../../structure/errors/StoreErrors.ts"
import { type CellSnapshot, type Page, type RowChange, type Table, tables } from "../../cells/CellStore.ts"
import { CellCursor, Cells, noCells } from "../../cells/Cells.ts"
import { ByteWriter } from "../../format/ByteWriter.ts"
import { after, lastColumn } from "../../schema/SchemaRead.ts"

/**
 * All cells of a graph as one stream, independent of the store: a line with the format, a line of JSON, the rows of the
 * tables, the number of rows, and a digest of everything before.
 */

const MAGIC = "engine-server cells 1\n"

/** The first byte of a record: the start of a table, cells of a row, and the end with the number of rows. */
const TABLE = 1
const ROW = 2
const END = 3

/** The size of the SHA-256 digest. */
const DIGEST_BYTES = 32

/** The approximate size of the chunks of the stream. */
const CHUNK_BYTES = 64 * 1024

/** Rows that are read from the store at once. */
const ROWS_PER_READ = 64

interface ArchiveHead {
  /** The name of the graph. */
  readonly graph: string
  /** When the archive was created (ISO 8601). */
  readonly created: string
}

/** The size of an archive. */
interface ArchiveCounts {
  readonly rows: number
  readonly bytes: number
}

/** Writes the cells of a snapshot as chunks of bytes. `progress` is called with the number of rows so far. */
export function* writeArchive(
  snapshot: CellSnapshot,
  head: ArchiveHead,
  progress: (rows: number) => void
): Generator<Buffer, ArchiveCounts> {
  const hash = createHash("sha256")
  const writer = new ByteWriter(2 * CHUNK_BYTES)
  let rows = 0
  let bytes = 0
  const take = (): Buffer => {
    const part = writer.copy()
    writer.reset()
    hash.update(part)
    bytes += part.length
    return part
  }
  writer.raw(Buffer.from(`${MAGIC}${JSON.stringify(head)}\n`))
  for (const table of tables) {
    writer.byte(TABLE)
    text(writer, Buffer.from(table))
    const scan = snapshot.scan(table)
    for (let found = scan.next(ROWS_PER_READ); found.length > 0; found = scan.next(ROWS_PER_READ)) {
      for (const { cells, key: rowKey, more } of found) {
        rows++
        const key = Uint8Array.prototype.slice.call(rowKey)
        rowPart(writer, key, cells)
        for (let page: Page = { cells, more }; page.more; ) {
          page = snapshot.slice({ table, key, start: after(lastColumn(page.cells)) })
          rowPart(writer, key, page.cells)
          if (writer.length >= CHUNK_BYTES) yield take()
        }
        if (writer.length >= CHUNK_BYTES) yield take()
      }
      progress(rows)
    }
  }
  writer.byte(END)
  writer.varint(rows)
  yield take()
  yield hash.digest()
  return { rows, bytes: bytes + DIGEST_BYTES }
}

const text = (writer: ByteWriter, bytes: Uint8Array): void => {
  writer.varint(bytes.length)
  writer.raw(bytes)
}

const rowPart = (writer: ByteWriter, key: Uint8Array, { bytes, end, start }: Cells): void => {
  writer.byte(ROW)
  text(writer, key)
  writer.varint(end - start)
  writer.raw(bytes, start, end)
}

/** Called with the rows of an archive. Consecutive calls may have cells of the same row. */
type TakeRow = (table: Table, row: RowChange) => void

/** The error of a backup that cannot be read. `what` is the second half of a sentence about it. */
export const damagedBackup = (what: string): StorageFailure =>
  new StorageFailure(
    `The backup ${what}: it was not made by this program, is damaged or is incomplete. Use another backup.`
  )

/** Reads an archive from a stream of chunks. Throws StorageFailure unless it is complete and undamaged. */
export class ArchiveReader {
  readonly #take: TakeRow
  readonly #hash: Hash = createHash("sha256")
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  #table: Table | undefined
  #rows = 0
  #lastKey: Buffer | undefined
  #head: ArchiveHead | undefined
  #digest: Buffer | undefined
  #done = false

  constructor(take: TakeRow) {
    this.#take = take
  }

  get head(): ArchiveHead | undefined {
    return this.#head
  }

  get rows(): number {
    return this.#rows
  }

  /** Reads the next chunk. */
  push(chunk: Buffer): void {
    this.#bytes = this.#at === this.#bytes.length ? chunk : Buffer.concat([this.#bytes.subarray(this.#at), chunk])
    this.#at = 0
    while (this.#record()) {
      // Read all complete records.
    }
  }

  /** Checks that the archive is complete. Call it after the last chunk. */
  end(): void {
    if (!this.#done || this.#at !== this.#bytes.length) throw damagedBackup("has no end, or has data after its end")
  }

  /** Reads the next record; false when it is not complete yet. */
  #record(): boolean {
    if (this.#done) return false
    const begin = this.#at
    if (this.#digest !== undefined) {
      if (this.#bytes.length - begin < DIGEST_BYTES) return false
      if (!this.#digest.equals(this.#bytes.subarray(begin, begin + DIGEST_BYTES)))
        throw damagedBackup("has a digest that does not match its contents")
      this.#at += DIGEST_BYTES
      this.#done = true
      return false
    }
    const whole = this.#head === undefined ? this.#readHead() : this.#readRecord()
    if (!whole) {
      this.#at = begin
      return false
    }
    this.#hash.update(this.#bytes.subarray(begin, this.#at))
    if (this.#ended) this.#digest = this.#hash.digest()
    return true
  }

  #ended = false

  #readHead(): boolean {
    const known = this.#bytes.subarray(0, MAGIC.length).toString("latin1")
    if (!MAGIC.startsWith(known)) throw damagedBackup("does not begin as a backup")
    const line = this.#bytes.indexOf("\n", MAGIC.length)
    if (line === -1) {
      if (this.#bytes.length > CHUNK_BYTES) throw damagedBackup("does not begin as a backup")
      return false
    }
    try {
      this.#head = JSON.parse(this.#bytes.toString("utf8", MAGIC.length, line)) as ArchiveHead
    } catch {
      throw damagedBackup("does not begin as a backup")
    }
    this.#at = line + 1
    return true
  }

  #readRecord(): boolean {
    const kind = this.#bytes[this.#at]
    if (kind === undefined) return false
    this.#at++
    switch (kind) {
      case TABLE: {
        const name = this.#text()
        if (name === undefined) return false
        const table = tables.find((each) => each === name.toString("latin1"))
        if (table === undefined) throw damagedBackup(`has the unknown table '${name.toString("latin1").slice(0, 40)}'`)
        this.#table = table
        this.#lastKey = undefined
        return true
      }
      case ROW: {
        const key = this.#text()
        const cells = key === undefined ? undefined : this.#text()
        if (key === undefined || cells === undefined) return false
        if (this.#table === undefined) throw damagedBackup("has rows outside of a table")
        if (this.#lastKey === undefined || !this.#lastKey.equals(key)) this.#rows++
        this.#lastKey = Buffer.from(key)
        this.#take(this.#table, { key: this.#lastKey, changes: changesOf(cells) })
        return true
      }
      case END: {
        const rows = this.#number()
        if (rows === undefined) return false
        if (rows !== this.#rows) throw damagedBackup(`has ${this.#rows} rows instead of ${rows}`)
        this.#ended = true
        return true
      }
      default:
        throw damagedBackup("has a record of an unknown kind")
    }
  }

  #number(): number | undefined {
    let value = 0
    for (let at = this.#at; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at]!
      value = value * 128 + (byte & 127)
      if (value > Number.MAX_SAFE_INTEGER) throw damagedBackup("has an invalid length")
      if (byte > 127) {
        this.#at = at + 1
        return value
      }
    }
    return undefined
  }

  #text(): Buffer | undefined {
    const length = this.#number()
    if (length === undefined || this.#at + length > this.#bytes.length) return undefined
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }
}

const changesOf = (cells: Buffer): RowChange["changes"] => {
  const copy = Buffer.from(cells)
  const cursor = new CellCursor().over(copy.length === 0 ? noCells : new Cells(copy, 0, copy.length))
  const changes: Array<{ readonly column: Uint8Array; readonly value: Uint8Array }> = []
  while (cursor.next()) {
    if (cursor.valueEnd > copy.length) throw damagedBackup("has a cell that is longer than its row")
    changes.push({ column: cursor.column(), value: cursor.value() })
  }
  return changes
}
