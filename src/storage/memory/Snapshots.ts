import type { ElementTable } from "./ElementTable.ts"
import type { Meter } from "./Growth.ts"
import type { HashIndex } from "./HashIndex.ts"
import type { PropertyColumn } from "./PropertyColumn.ts"

/** Estimated bytes of a record. */
const RECORD_BYTES = 400
/** Estimated bytes of one replaced state besides its values. */
export const REPLACED_BYTES = 160

/** What the undo logs hold because of one commit, or a part of one. It is cut when no older snapshot is open. */
export class CommitRecord {
  readonly version: number
  readonly vertices = new TableRecord()
  readonly edges = new TableRecord()
  constructor(version: number) {
    this.version = version
  }

  get isEmpty(): boolean {
    return this.vertices.isEmpty && this.edges.isEmpty
  }

  /** Estimated bytes of the record and of the states that it keeps. */
  get bytes(): number {
    return RECORD_BYTES + this.vertices.bytes + this.edges.bytes
  }
}

/** The part of a {@link CommitRecord} about vertices, or about edges. */
export class TableRecord {
  /** Estimated bytes of the replaced states and of the notes about them. Only grows. */
  bytes = 0
  /** Reused slots that got an element. */
  readonly born: Array<number> = []
  readonly died: Array<number> = []
  readonly ids: Array<unknown> = []
  readonly counts: Array<number> = []
  /** Changed properties: columns, and the slot for each. */
  readonly columns: Array<PropertyColumn> = []
  readonly slots: Array<number> = []
  /** Index entries that are out of date since this commit: index, key and slot of each. */
  readonly staleIndexes: Array<HashIndex> = []
  readonly staleColumns: Array<PropertyColumn> = []
  readonly staleKeys: Array<unknown> = []
  readonly staleSlots: Array<number> = []
  /** Number of index entries of deleted elements, which are removed with their slots. */
  readonly dyingEntries = new Map<HashIndex, number>()

  get isEmpty(): boolean {
    return this.born.length + this.died.length + this.counts.length + this.slots.length + this.staleSlots.length === 0
  }
}

/** Transactions that read the same version. */
export interface Snapshot {
  readonly version: number
  open: number
}

/** The snapshots in use and the commits whose replaced states they may need, oldest first. */
export class Snapshots {
  readonly #meter: Meter
  readonly #open: Array<Snapshot> = []
  #log: Array<CommitRecord> = []
  #first = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** True when any transaction is open. */
  get any(): boolean {
    return this.#open.length > 0
  }

  /** Number of open transactions. */
  get count(): number {
    let count = 0
    for (const snapshot of this.#open) count += snapshot.open
    return count
  }

  /** Number of commits in the undo log. */
  get logged(): number {
    return this.#log.length - this.#first
  }

  acquire(version: number): Snapshot {
    const newest = this.#open[this.#open.length - 1]
    if (newest !== undefined && newest.version === version) {
      newest.open++
      return newest
    }
    const snapshot = { version, open: 1 }
    this.#open.push(snapshot)
    return snapshot
  }

  release(snapshot: Snapshot): void {
    if (--snapshot.open === 0) this.#open.splice(this.#open.indexOf(snapshot), 1)
  }

  record(commit: CommitRecord): void {
    this.#log.push(commit)
    this.#meter.heap += commit.bytes
  }

  /** Takes the next commit whose replaced states no open snapshot needs. */
  takeUnneeded(): CommitRecord | undefined {
    const commit = this.#log[this.#first]
    if (commit === undefined || (this.#open.length > 0 && commit.version > this.#open[0]!.version)) return undefined
    this.#meter.heap -= commit.bytes
    // Removing from the front of an array copies the rest of it: do that rarely.
    if (++this.#first > 64 && this.#first * 2 > this.#log.length) {
      this.#log = this.#log.slice(this.#first)
      this.#first = 0
    }
    return commit
  }
}

/** Cuts the undo logs of a table at a commit. Deleted elements are passed to `release`. */
export const trimTable = (
  table: ElementTable,
  record: TableRecord,
  version: number,
  release: (slot: number) => void
): void => {
  for (const slot of record.born) if (table.bornAt.get(slot) === version) table.bornAt.delete(slot)
  for (const key of record.ids) table.idUndo.trim(key, version)
  for (const label of record.counts) table.countUndo.trim(label, version)
  for (let i = 0; i < record.slots.length; i++) record.columns[i]!.undo.trim(record.slots[i]!, version)
  for (let i = 0; i < record.staleSlots.length; i++) {
    const index = record.staleIndexes[i]!
    const column = record.staleColumns[i]!
    const slot = record.staleSlots[i]!
    index.stale--
    // The value may have come back since, or be what a later snapshot sees: then another record removes the entry.
    const key = record.staleKeys[i]
    if (!index.holds(key, column.values.get(slot)) && !column.undo.some(slot, (old) => index.holds(key, old?.value))) {
      index.remove(key, slot)
    }
  }
  for (const [index, entries] of record.dyingEntries) index.stale -= entries
  for (const slot of record.died) {
    // The commit may have been rolled back.
    if (table.diedAt.get(slot) !== version) continue
    table.diedAt.delete(slot)
    release(slot)
  }
}
