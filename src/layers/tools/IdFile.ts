import { createHash } from "node:crypto"
import { rmSync } from "node:fs"
import { dirname } from "node:path"
import { type Database, open, type RootDatabase } from "lmdb"
import { normalId, type VertexId } from "../../storage/janusgraph/format/Ids.ts"
import { causeOf, writeFailure } from "../../storage/lmdb/Failures.ts"
import { binary, dataMode, MAX_READERS, makeRoom } from "../../storage/lmdb/GraphFiles.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { StorageFailure, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"

/** Maps ids of the files to vertices of the graph. */
export interface IdMap {
  get(name: string): VertexId | undefined
  set(name: string, id: VertexId): void
  /**
   * Stores the ids that were set since the last call. They belong to the commit with this number, which must wait until they are
   * stored. No id may be set meanwhile.
   */
  keep(commit: number): Promise<void>
  close(): Promise<void>
  remove(): void
}

/** An id map in memory, for graphs that end with the process. */
export class IdsInMemory implements IdMap {
  readonly #ids = new BigMap<string, VertexId>()

  get(name: string): VertexId | undefined {
    return this.#ids.get(name)
  }
  set(name: string, id: VertexId): void {
    this.#ids.set(name, id)
  }
  keep(): Promise<void> {
    return Promise.resolve()
  }
  close(): Promise<void> {
    return Promise.resolve()
  }
  remove(): void {}
}

/** Maximum number of ids in each of the two generations of the cache. The file has all ids. */
const GENERATION_IDS = 1_000_000
/** Maximum size of a name that is part of its key. The key of a longer name is its digest. */
const MAX_NAME_BYTES = 500

/** Kinds of ids in the file. Kind 0 are the doubles of earlier versions, which do not have all digits of a large id. */
const TEXT = 1
const LONG = 2

/**
 * An id map in an lmdb file beside the graph, so that an interrupted import can resume and a large one needs little memory.
 * Ids are stored before the commit that creates their vertices. Entries of a commit that was not applied are ignored, so
 * its number is never used again.
 */
export class IdFile implements IdMap {
  readonly #path: string
  readonly #root: RootDatabase<Buffer, Buffer>
  readonly #table: Database<Buffer, Buffer>
  /** Highest number of a commit whose ids were stored, whether it was applied or not; 0 without any. */
  readonly last: number
  readonly #isCommitted: (commit: number) => boolean
  #new = new BigMap<string, VertexId>()
  #young = new BigMap<string, VertexId>()
  #old = new BigMap<string, VertexId>()

  /**
   * `isCommitted`: true for the number of a commit of an earlier run that was applied. Throws StorageFailure when the file cannot be
   * opened, or the disk has no room for it.
   */
  constructor(path: string, isCommitted: (commit: number) => boolean) {
    this.#path = path
    this.#isCommitted = isCommitted
    const { root, table } = openFile(path)
    this.#root = root
    this.#table = table
    this.last = this.#table.getBinary(LAST)?.readUInt32BE(0) ?? 0
  }

  get(name: string): VertexId | undefined {
    const known = this.#new.get(name) ?? this.#young.get(name)
    if (known !== undefined) return known
    const id = this.#old.get(name) ?? this.#stored(name)
    if (id !== undefined) this.#hold(name, id)
    return id
  }

  #stored(name: string): VertexId | undefined {
    const bytes = this.#table.getBinaryFast(keyOf(name))
    if (bytes === undefined) return undefined
    const commit = bytes.readUInt32BE(0)
    if (!this.#kept.has(commit) && !this.#isCommitted(commit)) return undefined
    return idIn(bytes)
  }

  /** Commits of this run. */
  readonly #kept = new Set<number>()

  #hold(name: string, id: VertexId): void {
    if (this.#young.size >= GENERATION_IDS) {
      this.#old = this.#young
      this.#young = new BigMap()
    }
    this.#young.set(name, id)
  }

  set(name: string, id: VertexId): void {
    this.#new.set(name, id)
  }

  /** The names are written in one turn of the event loop. Another thread syncs the file. Rejects with StorageFailure. */
  async keep(commit: number): Promise<void> {
    if (this.#new.size === 0) return
    this.#kept.add(commit)
    try {
      await this.#root.childTransaction(() => {
        for (const [name, id] of this.#new) this.#table.put(keyOf(name), entry(id, commit))
        const last = Buffer.alloc(4)
        last.writeUInt32BE(commit)
        this.#table.put(LAST, last)
      })
    } catch (error) {
      throw writeFailure(dirname(this.#path), await causeOf(error))
    }
    for (const [name, id] of this.#new) this.#hold(name, id)
    this.#new = new BigMap()
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  remove(): void {
    for (const end of ["", "-lock"]) rmSync(`${this.#path}${end}`, { force: true })
  }
}

const keyOf = (name: string): Buffer => {
  const bytes = Buffer.from(name)
  if (bytes.length <= MAX_NAME_BYTES) return Buffer.concat([ORDINARY, bytes])
  return createHash("sha256").update(bytes).digest()
}

/** Prefix of a key that contains its name. LMDB allows no empty keys, and a name may be empty. */
const ORDINARY = Buffer.from([0])

/** Key of the number of the last commit. It cannot be a name: those begin with ORDINARY or are digests. */
const LAST = Buffer.from([1])

const entry = (id: VertexId, commit: number): Buffer => {
  const data = typeof id === "string" ? Buffer.from(id) : Buffer.alloc(8)
  if (typeof id !== "string") data.writeBigInt64BE(BigInt(id))
  const head = Buffer.alloc(5)
  head.writeUInt32BE(commit)
  head[4] = typeof id === "string" ? TEXT : LONG
  return Buffer.concat([head, data])
}

/** The id in an entry. Throws UnsupportedValue for an id of an earlier version that may have lost digits. */
const idIn = (bytes: Buffer): VertexId => {
  if (bytes[4] === TEXT) return bytes.toString("utf8", 5, bytes.length)
  if (bytes[4] === LONG) return normalId(bytes.readBigInt64BE(5))
  const id = bytes.readDoubleBE(5)
  if (Number.isSafeInteger(id)) return id
  throw new UnsupportedValue(
    "An earlier version of the server began this import, and its file of ids does not have all digits of large ids: remove the " +
      "imported elements, or restore a backup, and give --again."
  )
}

interface OpenedFile {
  readonly root: RootDatabase<Buffer, Buffer>
  readonly table: Database<Buffer, Buffer>
}

const openFile = (path: string): OpenedFile => {
  let root: RootDatabase<Buffer, Buffer> | undefined
  try {
    makeRoom(path, "the ids of an import")
    root = open<Buffer, Buffer>({
      path,
      noSubdir: true,
      maxReaders: MAX_READERS,
      overlappingSync: false,
      // lmdb's batching has promises whose rejections cannot be handled.
      eventTurnBatching: false,
      ...dataMode,
      ...binary
    })
    return { root, table: root.openDB<Buffer, Buffer>({ name: "ids", ...binary }) }
  } catch (cause) {
    void root?.close()
    const reason = `The file ${path} with the ids of the import cannot be opened (${reasonOf(cause)}).`
    throw new StorageFailure(`${reason} Make room on the disk, and check that this user may write the folder.`, {
      cause
    })
  }
}
