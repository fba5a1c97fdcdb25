import { randomUUID } from "node:crypto"
import { closeSync, ftruncateSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { type ProcessIdentity, stateOf, thisProcess } from "../../shared/ProcessIdentity.ts"
import { isAbandoned } from "../UnfinishedFiles.ts"

/**
 * The file in which a process hands commits to the process that holds lmdb's write mutex. Both are on one machine, and nothing
 * is synced: a commit that was only handed over has not been answered.
 *
 * Offset 0: the format, 4: the offset after the last record, 8: the number of the first record, 16: the number of the last
 * record, 64: the process as JSON. Records begin at 1024. A record is the length of the rest but the number (4 bytes), its number (8
 * bytes), the commit, and a checksum of number and commit (4 bytes). Numbers are big-endian. Processes of older versions write no
 * checksum, and ignore what follows a commit.
 */
const FORMAT = 1
const [END_AT, FIRST_AT, LAST_AT, PROCESS_AT, RECORDS_AT] = [4, 8, 16, 64, 1024]
const [RECORD_NUMBER_AT, RECORD_HEAD_BYTES] = [4, 12]
const CHECKSUM_BYTES = 4
/** The size of a file. Commits that do not fit are not handed over. */
export const FILE_BYTES = 1024 * 1024
const PREFIX = "server.handed."

/** The owner of a file. */
interface Owner extends ProcessIdentity {
  readonly server: string
  /** Its records have checksums. */
  readonly checksums?: true
}

/** The checksum of a record. `head` begins with its length, which is not part of it: with another one, other bytes are summed. */
const checksumOf = (head: Uint8Array, commit: Uint8Array): number =>
  crc32(commit, crc32(head.subarray(RECORD_NUMBER_AT, RECORD_HEAD_BYTES)))

/** Writes all bytes. A part of them is no success: a record must not end with bytes of an older one. Throws an error of the file system. */
const writeWhole = (file: number, bytes: Uint8Array, at: number): void => {
  // The write after one of a part has the error of the system.
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, at + done)
}

/** The file of this process. */
export class OwnFile {
  readonly name = PREFIX + randomUUID()
  readonly #path: string
  readonly #file: number
  readonly #head = Buffer.alloc(PROCESS_AT)
  #end = RECORDS_AT
  #next = 1

  /**
   * Creates the file with all of its blocks, so that a sync of the graph has no new block of it to write. Throws an error of the
   * file system.
   */
  constructor(directory: string, server: string) {
    this.#path = join(directory, this.name)
    this.#file = openSync(this.#path, "wx", 0o600)
    try {
      const bytes = Buffer.alloc(FILE_BYTES)
      bytes.write(JSON.stringify({ server, checksums: true, ...thisProcess() } satisfies Owner), PROCESS_AT)
      this.#setHead().copy(bytes)
      writeWhole(this.#file, bytes, 0)
    } catch (cause) {
      this.close()
      throw cause
    }
  }

  #setHead(first = this.#next): Buffer {
    this.#head.writeUInt32BE(FORMAT, 0)
    this.#head.writeUInt32BE(this.#end, END_AT)
    this.#head.writeDoubleBE(first, FIRST_AT)
    this.#head.writeDoubleBE(this.#next - 1, LAST_AT)
    return this.#head
  }

  /** The number of the next commit. A number is never used again. */
  get next(): number {
    return this.#next
  }

  /** True if no commit is in the file that was not taken back. */
  get isEmpty(): boolean {
    return this.#end === RECORDS_AT
  }

  /** Adds commits. Returns how many had room. */
  add(commits: ReadonlyArray<Uint8Array>): number {
    const first = this.#next
    const parts: Array<Uint8Array> = []
    let end = this.#end
    let count = 0
    for (const commit of commits) {
      const length = commit.length + CHECKSUM_BYTES
      if (end + RECORD_HEAD_BYTES + length > FILE_BYTES) break
      const head = Buffer.alloc(RECORD_HEAD_BYTES)
      head.writeUInt32BE(length, 0)
      head.writeDoubleBE(first + count, RECORD_NUMBER_AT)
      const checksum = Buffer.alloc(CHECKSUM_BYTES)
      checksum.writeUInt32BE(checksumOf(head, commit))
      parts.push(head, commit, checksum)
      end += RECORD_HEAD_BYTES + length
      count++
    }
    const bytes = Buffer.concat(parts)
    if (count === 0) return 0
    writeWhole(this.#file, bytes, this.#end)
    const before = this.#end === RECORDS_AT ? first : this.#head.readDoubleBE(FIRST_AT)
    this.#end = end
    this.#next += count
    // After the records: a reader never sees an end without the records before it.
    writeWhole(this.#file, this.#setHead(before).subarray(END_AT), END_AT)
    return count
  }

  /**
   * Takes all commits back. Only while this process holds the write mutex: no other process reads the file then. Throws an error of the
   * file system: the file then still has the commits, and is not empty.
   */
  withdraw(): void {
    const end = this.#end
    this.#end = RECORDS_AT
    try {
      writeWhole(this.#file, this.#setHead().subarray(END_AT), END_AT)
    } catch (cause) {
      this.#end = end
      throw cause
    }
  }

  /**
   * Takes all commits back as {@link withdraw}, and ends the use of the file. On some file systems a full disk has no room even for bytes
   * in the place of others, but it can make a file empty. Throws an error of the file system: the file then still has the commits, and is
   * in use.
   */
  abandon(): void {
    ftruncateSync(this.#file)
    this.close()
  }

  /**
   * Ends the use of the file, and removes it. If the file system refuses, the next process that opens the folder removes it. This must not
   * throw: the caller would use the file again, and its descriptor may be that of another file by then.
   */
  close(): void {
    for (const step of [() => closeSync(this.#file), () => rmSync(this.#path, { force: true })]) {
      try {
        step()
      } catch {
        // A descriptor is free also after an error. Some file systems cannot remove a file while the disk is full.
      }
    }
  }
}

/** A commit in the file of another process. */
interface HandedRecord {
  readonly number: number
  /** The first number that the owner has not taken back. */
  readonly first: number
  readonly commit: Uint8Array
}

/** The file of another process. */
export class OtherFile {
  readonly name: string
  readonly owner: Owner | undefined
  readonly #file: number

  constructor(directory: string, name: string) {
    this.name = name
    this.#file = openSync(join(directory, name), "r")
    this.owner = ownerIn(this.#read(0, RECORDS_AT))
  }

  #read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from)
    const length = readSync(this.#file, bytes, 0, bytes.length, from)
    return length === bytes.length ? bytes : Buffer.alloc(bytes.length)
  }

  /** The number of commits whose number is above `after`. */
  count(after: number): number {
    const head = this.#read(0, PROCESS_AT)
    if (head.readUInt32BE(END_AT) <= RECORDS_AT) return 0
    return Math.max(0, head.readDoubleBE(LAST_AT) - Math.max(after, head.readDoubleBE(FIRST_AT) - 1))
  }

  /** The commits whose number is above `after`. Only while this process holds the write mutex. */
  records(after: number): ReadonlyArray<HandedRecord> {
    const head = this.#read(0, PROCESS_AT)
    const end = head.readUInt32BE(END_AT)
    if (end <= RECORDS_AT || end > FILE_BYTES) return []
    const first = head.readDoubleBE(FIRST_AT)
    const bytes = this.#read(RECORDS_AT, end)
    const found: Array<HandedRecord> = []
    let at = 0
    // A record with another number is one that the owner has taken back: the end was read while the owner wrote it. One that is torn or
    // changed is not applied, nor are those after it: the length may be what has changed. Their owner applies them itself.
    for (let number = first; at + RECORD_HEAD_BYTES <= bytes.length; number++) {
      const from = at + RECORD_HEAD_BYTES
      if (bytes.readDoubleBE(at + RECORD_NUMBER_AT) !== number) break
      const head = bytes.subarray(at, from)
      at = from + bytes.readUInt32BE(at)
      if (at > bytes.length) break
      const commit = this.#commitIn(head, bytes.subarray(from, at))
      if (commit === undefined) break
      if (number > after) found.push({ number, first, commit })
    }
    return found
  }

  /** The commit of a record; undefined if its bytes are not those that the owner wrote. */
  #commitIn(head: Buffer, rest: Buffer): Uint8Array | undefined {
    if (this.owner?.checksums !== true) return rest
    const end = rest.length - CHECKSUM_BYTES
    if (end < 0) return undefined
    const commit = rest.subarray(0, end)
    return checksumOf(head, commit) === rest.readUInt32BE(end) ? commit : undefined
  }

  close(): void {
    closeSync(this.#file)
  }
}

const ownerIn = (bytes: Buffer): Owner | undefined => {
  if (bytes.readUInt32BE(0) !== FORMAT) return undefined
  try {
    return JSON.parse(bytes.toString("utf8", PROCESS_AT, bytes.indexOf(0, PROCESS_AT)))
  } catch {
    return undefined
  }
}

/** The owner of a file; undefined for one that is incomplete or cannot be read. */
const ownerOf = (directory: string, name: string): Owner | undefined => {
  try {
    const file = new OtherFile(directory, name)
    file.close()
    return file.owner
  } catch {
    return undefined
  }
}

/** Whether the file of a process is in a folder; true if that cannot be known. */
export const isHandedFile = (directory: string, name: string): boolean => {
  try {
    return statSync(join(directory, name), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** The names of the files in a folder, with that of this process. */
export const handedFiles = (directory: string): ReadonlyArray<string> =>
  readdirSync(directory).filter((name) => name.startsWith(PREFIX))

/** Removes the files of processes that have ended, also of those that ended while they created theirs. */
export const removeHandedFiles = (directory: string): void => {
  for (const name of handedFiles(directory)) {
    const path = join(directory, name)
    const owner = ownerOf(directory, name)
    const isLeft = owner === undefined ? isIncomplete(path) && isAbandoned(path) : stateOf(owner) === "ended"
    if (isLeft) rmSync(path, { force: true })
  }
}

const isIncomplete = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) < RECORDS_AT
