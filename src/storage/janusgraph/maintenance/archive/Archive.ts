import { createHash, type Hash } from "node:crypto"
import { StorageFailure } from "../../../../structure/StoreErrors.ts"
import { type CellSnapshot, type Page, type RowChange, type Table, tables } from "../../cells/CellStore.ts"
import { CellCursor, Cells, noCells } from "../../cells/Cells.ts"
import { ByteWriter } from "../../format/ByteWriter.ts"
import { after, lastColumn } from "../../schema/SchemaRead.ts"

/**
 * All cells of a graph as one stream: a line that says what it is, a line of JSON, then rows of the tables, and at the
 * end how many there were and a digest of everything before. Independent of the store that the cells come from.
 */

const MAGIC = "engine-server cells 1\n"

/** What begins each part. */
const TABLE = 1
const ROW = 2
const END = 3

const DIGEST = 32

/** Bytes of a part at which it is given away. */
const PART = 64 * 1024

interface ArchiveHead {
  /** Name of the graph. */
  readonly graph: string
  /** ISO 8601. */
  readonly created: string
}

/** What is in an archive. */
interface ArchiveCounts {
  readonly rows: number
  readonly bytes: number
}

/** Everything of a snapshot; `progress` is told of the rows so far. */
export function* writeArchive(
  snapshot: CellSnapshot,
  head: ArchiveHead,
  progress: (rows: number) => void
): Generator<Buffer, ArchiveCounts> {
  const hash = createHash("sha256")
  const writer = new ByteWriter(2 * PART)
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
    for (let found = scan.next(64); found.length > 0; found = scan.next(64)) {
      for (const { cells, key: rowKey, more } of found) {
        rows++
        const key = Uint8Array.prototype.slice.call(rowKey)
        rowPart(writer, key, cells)
        for (let page: Page = { cells, more }; page.more; ) {
          page = snapshot.slice({ table, key, start: after(lastColumn(page.cells)) })
          rowPart(writer, key, page.cells)
          if (writer.length >= PART) yield take()
        }
        if (writer.length >= PART) yield take()
      }
      progress(rows)
    }
  }
  writer.byte(END)
  writer.varint(rows)
  yield take()
  yield hash.digest()
  return { rows, bytes: bytes + DIGEST }
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

/** Takes the rows of an archive; several one after the other may be parts of the same row. */
type TakeRow = (table: Table, row: RowChange) => void

const problem = (what: string): StorageFailure =>
  new StorageFailure(
    `The backup ${what}: it was not made by this program, is damaged, or was cut off. Use another one.`
  )

/** Reads an archive that comes in pieces. Throws StorageFailure for anything else than a whole and undamaged one. */
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

  push(piece: Buffer): void {
    this.#bytes = this.#at === this.#bytes.length ? piece : Buffer.concat([this.#bytes.subarray(this.#at), piece])
    this.#at = 0
    while (this.#part()) {
      // Parts are taken as long as they are whole.
    }
  }

  end(): void {
    if (!this.#done || this.#at !== this.#bytes.length) throw problem("has no end, or more behind it")
  }

  /** Takes the next part; false when it is not here in whole. */
  #part(): boolean {
    if (this.#done) return false
    const begin = this.#at
    if (this.#digest !== undefined) {
      if (this.#bytes.length - begin < DIGEST) return false
      if (!this.#digest.equals(this.#bytes.subarray(begin, begin + DIGEST)))
        throw problem("has another digest than its contents")
      this.#at += DIGEST
      this.#done = true
      return false
    }
    const whole = this.#head === undefined ? this.#readHead() : this.#readPart()
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
    if (!MAGIC.startsWith(known)) throw problem("does not begin as one")
    const line = this.#bytes.indexOf("\n", MAGIC.length)
    if (line === -1) {
      if (this.#bytes.length > PART) throw problem("does not begin as one")
      return false
    }
    try {
      this.#head = JSON.parse(this.#bytes.toString("utf8", MAGIC.length, line)) as ArchiveHead
    } catch {
      throw problem("does not begin as one")
    }
    this.#at = line + 1
    return true
  }

  #readPart(): boolean {
    const kind = this.#bytes[this.#at]
    if (kind === undefined) return false
    this.#at++
    switch (kind) {
      case TABLE: {
        const name = this.#text()
        if (name === undefined) return false
        const table = tables.find((each) => each === name.toString("latin1"))
        if (table === undefined)
          throw problem(`has a table '${name.toString("latin1").slice(0, 40)}' that is not known`)
        this.#table = table
        this.#lastKey = undefined
        return true
      }
      case ROW: {
        const key = this.#text()
        const cells = key === undefined ? undefined : this.#text()
        if (key === undefined || cells === undefined) return false
        if (this.#table === undefined) throw problem("has rows of no table")
        if (this.#lastKey === undefined || !this.#lastKey.equals(key)) this.#rows++
        this.#lastKey = Buffer.from(key)
        this.#take(this.#table, { key: this.#lastKey, changes: changesOf(cells) })
        return true
      }
      case END: {
        const rows = this.#number()
        if (rows === undefined) return false
        if (rows !== this.#rows) throw problem(`has ${this.#rows} rows, and should have ${rows}`)
        this.#ended = true
        return true
      }
      default:
        throw problem("has a part of an unknown kind")
    }
  }

  #number(): number | undefined {
    let value = 0
    for (let at = this.#at; at < this.#bytes.length; at++) {
      const byte = this.#bytes[at]!
      value = value * 128 + (byte & 127)
      if (value > Number.MAX_SAFE_INTEGER) throw problem("has a length beyond all bounds")
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
    if (cursor.valueEnd > copy.length) throw problem("has a cell that is longer than its row")
    changes.push({ column: cursor.column(), value: cursor.value() })
  }
  return changes
}
