import { setTimeout as pause } from "node:timers/promises"
import { FNV_PRIME, hashOfText } from "../../structure/characters/TextHash.ts"
import { TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import type { OtherWriter, PartHash, SharedWrites } from "../../structure/graph/SharedWrites.ts"
import type { ChangedColumns, RowRange, SeenParts } from "./RecentChanges.ts"

/** How often a commit looks whether another worker still writes what it has read, ms. */
const LOOK_MS = 1

/** A commit that has looked this often ends its announcement: others may write the same part without a pause. */
const MAX_LOOKS = 50

/** How often a commit without an announcement looks while the same write lasts, ms. */
const LONG_WRITE_LOOK_MS = 10

/** How long a commit waits at least while the same write lasts, such as that of a worker that hangs, ms. */
const LONGEST_WAIT_MS = 60_000

/**
 * The parts of a row, besides one for each first byte of a column, which separates properties from edges. A change of columns also
 * changes `any`. The removal of a row changes `whole` and `any`.
 */
const WHOLE = 256
const ANY = 257

/** The part of a group of rows that a commit of many rows announces: the parts of all its rows would fill the table of the server. */
const GROUP = 258

/** A commit that would announce more parts than this announces groups of rows. */
const MAX_PARTS = 1024

/** The first bytes of a key in an index that name the index, and no value. */
const INDEX_BYTES = 3

/** The name of the group of a row. Vertices whose ids follow each other are a group, and so are the entries of an index. */
const groupOf = (row: string): string =>
  row.startsWith("edgestore ") ? row.slice(0, -2) : row.slice(0, row.indexOf(" ") + 1 + INDEX_BYTES)

/** The last byte is mixed into all bits: the table of the server uses the low ones. */
const partOf = (row: number, part: number): PartHash => {
  const hash = Math.imul(row ^ part, FNV_PRIME)
  return Math.imul(hash ^ (hash >>> 15), FNV_PRIME)
}

/** The first byte of all columns of a range; undefined if they differ. */
const firstByteOf = ({ end, start }: RowRange): number | undefined => {
  const first = start?.[0]
  if (first === undefined || end === undefined || end.length === 0) return undefined
  // The end is excluded.
  const last = end.length === 1 ? end[0]! - 1 : end[0]!
  return last === first || (last < first && end[0] === first) ? first : undefined
}

const partsOf = (reads: ReadonlyArray<SeenParts>): ReadonlyArray<PartHash> => reads.flatMap(({ parts }) => parts)

/**
 * The writes of the other workers of the server to a keyspace. They do for the workers of a server what {@link RecentChanges} does for
 * the commits of one process: a commit that has read what another worker changes runs again. Like Cassandra itself, other servers do
 * not take part.
 */
export class SiblingWrites {
  readonly #shared: SharedWrites
  readonly #keyspace: number
  /** The name of the rows of bulk writes, which are not announced one by one. */
  readonly #bulk: number
  readonly #renewSchema: () => void
  /** How long a commit waits for the same write, ms: longer than those of a dead worker are held. */
  readonly #longestWait: number
  #schemaChanges: number

  /**
   * @param keyspace names the keyspace among those that the server has open
   * @param writesLast ms after which a statement that was sent no longer reaches the cluster
   * @param renewSchema is called when another worker has changed the schema
   */
  constructor(shared: SharedWrites, keyspace: string, writesLast: number, renewSchema: () => void) {
    this.#shared = shared
    this.#keyspace = hashOfText(keyspace)
    this.#bulk = hashOfText("rows of bulk writes", this.#keyspace)
    this.#renewSchema = renewSchema
    this.#schemaChanges = shared.wholeChangesByOthers(this.#keyspace)
    shared.lasting(writesLast)
    this.#longestWait = Math.max(LONGEST_WAIT_MS, 2 * writesLast)
  }

  /** Renews the schema if another worker has changed it. */
  learnSchema(): void {
    const changes = this.#shared.wholeChangesByOthers(this.#keyspace)
    if (changes === this.#schemaChanges) return
    this.#schemaChanges = changes
    this.#renewSchema()
  }

  /** This worker has changed the schema. */
  schemaChanged(): void {
    this.#shared.changedWhole(this.#keyspace)
  }

  /** This worker has written rows that it has not announced. */
  bulkWritten(): void {
    this.#shared.changedWhole(this.#bulk)
  }

  /** What others have changed so far of what is about to be read. */
  see(range: RowRange): SeenParts {
    const parts = this.#partsRead(range)
    return { parts, changes: this.#changesOf(parts) }
  }

  /** Whether another worker has changed what was read. */
  hasChanged({ changes, parts }: SeenParts): boolean {
    return this.#changesOf(parts) !== changes
  }

  /** How often others have written rows that they have not announced. A commit does not run again for them, as in one process. */
  bulkWrites(): number {
    return this.#shared.wholeChangesByOthers(this.#bulk)
  }

  #changesOf(parts: ReadonlyArray<PartHash>): number {
    let changes = 0
    for (const part of parts) changes = (changes + this.#shared.changesByOthers(part)) | 0
    return changes
  }

  /** Announces a write. Returns its parts, for {@link end}. */
  announce(changed: ReadonlyMap<string, ChangedColumns>): ReadonlyArray<PartHash> {
    const parts = this.#partsWritten(changed) ?? this.#groupsWritten(changed)
    this.#shared.begin(parts)
    return parts
  }

  /** Undefined if there are too many. */
  #partsWritten(changed: ReadonlyMap<string, ChangedColumns>): ReadonlyArray<PartHash> | undefined {
    const parts: Array<PartHash> = []
    for (const [name, columns] of changed) {
      const row = hashOfText(name, this.#keyspace)
      parts.push(partOf(row, ANY))
      if (columns === null) parts.push(partOf(row, WHOLE))
      else for (const first of new Set(columns.map((column) => column[0] ?? 0))) parts.push(partOf(row, first))
      if (parts.length > MAX_PARTS) return undefined
    }
    return parts
  }

  #groupsWritten(changed: ReadonlyMap<string, ChangedColumns>): ReadonlyArray<PartHash> {
    return Array.from(new Set(Array.from(changed.keys(), groupOf)), (group) => this.#groupPart(group))
  }

  #groupPart(group: string): PartHash {
    return partOf(hashOfText(group, this.#keyspace), GROUP)
  }

  /** Ends an announcement. `isChanged`: the rows may be changed. */
  end(parts: ReadonlyArray<PartHash>, isChanged: boolean): void {
    this.#shared.end(parts, isChanged)
  }

  /**
   * Waits until no other worker writes what was read. Undefined: none does. False: the commit must end its announcement, and read again.
   * After the wait, others may have changed what was read.
   */
  othersGone(reads: ReadonlyArray<SeenParts>): Promise<boolean> | undefined {
    const parts = partsOf(reads)
    return this.#writer(parts) === "none" ? undefined : this.#wait(parts)
  }

  async #wait(parts: ReadonlyArray<PartHash>): Promise<boolean> {
    for (let look = 0; look < MAX_LOOKS; look++) {
      const writer = this.#writer(parts)
      if (writer === "none") return true
      if (writer === "goes on") return false
      await pause(LOOK_MS)
    }
    return false
  }

  /**
   * Waits until no other worker writes what was read, or for a while if others have changed it: the commit then reads again. It has
   * announced nothing. While the same write lasts, there is nothing new to read. Fails with TransactionConflict if it lasts too long.
   */
  async giveWay(reads: ReadonlyArray<SeenParts>): Promise<void> {
    const parts = partsOf(reads)
    const begun = performance.now()
    for (let look = 0; this.#writer(parts) !== "none"; look++) {
      if (look >= MAX_LOOKS) {
        if (reads.some((read) => this.hasChanged(read))) return
        if (performance.now() - begun > this.#longestWait) {
          throw new TransactionConflict(
            `a commit of another worker has lasted for more than ${this.#longestWait / 1000} s`
          )
        }
      }
      await pause(look < MAX_LOOKS ? LOOK_MS : LONG_WRITE_LOOK_MS)
    }
  }

  #writer(parts: ReadonlyArray<PartHash>): OtherWriter {
    let found: OtherWriter = "none"
    for (const part of parts) {
      const writer = this.#shared.otherWriter(part)
      if (writer === "goes on") return writer
      if (writer === "gives way") found = writer
    }
    return found
  }

  #partsRead(read: RowRange): ReadonlyArray<PartHash> {
    const row = hashOfText(read.row, this.#keyspace)
    const group = this.#groupPart(groupOf(read.row))
    const first = firstByteOf(read)
    return first === undefined ? [partOf(row, ANY), group] : [partOf(row, first), partOf(row, WHOLE), group]
  }

  /** The time stamp of a write: later than those of all workers, so that what a worker has read is older than what it writes. */
  timeFrom(time: bigint): bigint {
    return this.#shared.timeFrom(time)
  }
}
