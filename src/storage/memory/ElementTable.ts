import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import type { IdManager } from "../shared/IdManager.ts"
import { ElementKeys } from "./ElementKeys.ts"
import { growTask, type Meter, valueBytes } from "./Growth.ts"
import type { HashIndex } from "./HashIndex.ts"
import { IdTable } from "./IdTable.ts"
import { Labels } from "./Labels.ts"
import type { OwnElements } from "./Overlay.ts"
import { PropertyColumn } from "./PropertyColumn.ts"
import { Undo } from "./Undo.ts"

/** Estimated size of an empty column, without its key. */
const COLUMN_BYTES = 1_000
/** In place of a label number: the slot has no element. */
const FREE = -0x80000000
/** In place of a label number: all elements of the table, whatever their label. */
export const ALL_LABELS = -1

/**
 * The vertices or the edges of a graph. Each element has a slot. The table stores the label, the id, the property keys and the
 * existence of each element in the newest state. The undo logs have the older states that snapshots see. A deleted element
 * keeps its data until no snapshot sees it. Then {@link release} frees its slot.
 */
export class ElementTable {
  readonly kind: "vertex" | "edge"
  readonly idManager: IdManager
  readonly labels: Labels
  readonly ids: IdTable
  readonly keys: ElementKeys
  /** The property columns by number. */
  readonly columns: Array<PropertyColumn> = []
  /** The indexes by property key. */
  readonly indexes = new Map<string, HashIndex>()
  /** All used slots are below this number. A snapshot does not see slots at or above the value at its start. */
  high = 0
  /** Counts how often a slot got, or may get, another element. */
  reusedSlots = 0
  /** The value of {@link high} before the long commit that is being applied; -1 if there is no such commit. */
  #highBefore = -1
  /** The highest value that {@link high} ever had. `high` returns to 0 when the last element is released. */
  peak = 0
  /** Number of elements. */
  total = 0
  /** Number of elements by label number. */
  readonly perLabel: Array<number> = []
  /** By slot: version of the commit that put a new element in a reused slot, while a snapshot needs it. */
  readonly bornAt = new BigMap<number, number>()
  /** By slot: version of the commit that deleted the element, while a snapshot needs it. */
  readonly diedAt = new BigMap<number, number>()
  /** By look-up key of an id: the slots of deleted elements. */
  readonly idUndo = new Undo<unknown, number>()
  /** By label number or {@link ALL_LABELS}: the counts that commits replaced. */
  readonly countUndo = new Undo<number, number>()
  readonly #byKey = new Map<string, PropertyColumn>()
  readonly #propertyIds: IdManager | null
  readonly #meter: Meter
  /** By slot: the label number, its bitwise complement if the element is deleted, or FREE. */
  #labelOf: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** Released slots, oldest first. Slots before index #firstFree are already in use again. */
  #freeSlots: Array<number> = []
  #firstFree = 0

  constructor(kind: "vertex" | "edge", idManager: IdManager, propertyIds: IdManager | null, meter: Meter) {
    this.kind = kind
    this.idManager = idManager
    this.#propertyIds = propertyIds
    this.#meter = meter
    this.labels = new Labels(meter)
    this.ids = new IdTable(meter)
    this.keys = new ElementKeys(meter)
  }

  /** A new transaction sees only slots below this number. */
  get completeHigh(): number {
    return this.#highBefore === -1 ? this.high : this.#highBefore
  }

  /** Call this before a long commit is applied. Transactions that begin before {@link endLongCommit} do not see its elements. */
  beginLongCommit(): void {
    this.#highBefore = this.high
  }

  /** Call this after a long commit was applied or rolled back. */
  endLongCommit(): void {
    this.#highBefore = -1
  }

  /**
   * For scans: by slot, the label number, its bitwise complement if the element is deleted, or FREE. {@link growTask} replaces
   * the array.
   */
  get labelNumbers(): Int32Array {
    return this.#labelOf
  }

  /** Label number of an element. The element may be deleted. */
  label(slot: number): number {
    const label = this.#labelOf[slot]!
    return label >= 0 ? label : ~label
  }

  /** Returns whether the newest state has an element at the slot. */
  isAlive(slot: number): boolean {
    return this.#labelOf[slot]! >= 0
  }

  /** Returns whether a snapshot sees an element at the slot. `high` is the value of {@link high} at the start of the snapshot. */
  existsAt(slot: number, snapshot: number, high: number): boolean {
    if (slot >= high) return false
    if (this.bornAt.size > 0 && (this.bornAt.get(slot) ?? 0) > snapshot) return false
    return this.#labelOf[slot]! >= 0 || (this.diedAt.get(slot) ?? 0) > snapshot
  }

  /** True if a slot has an element, which may be deleted. */
  isUsed(slot: number): boolean {
    return slot < this.high && this.#labelOf[slot] !== FREE
  }

  /** The slot of the element with a look-up key that a snapshot sees; -1 if there is none. `high` as in {@link existsAt}. */
  findAt(key: unknown, snapshot: number, high: number): number {
    const slot = this.ids.find(key)
    if (slot !== -1 && this.existsAt(slot, snapshot, high)) return slot
    const removed = this.idUndo.size > 0 ? this.idUndo.at(key, snapshot) : undefined
    return removed !== undefined && this.existsAt(removed.old, snapshot, high) ? removed.old : -1
  }

  /** Number of elements with a label that a snapshot sees. {@link ALL_LABELS} counts all elements. */
  countAt(label: number, snapshot: number): number {
    const replaced = this.countUndo.size > 0 ? this.countUndo.at(label, snapshot) : undefined
    if (replaced !== undefined) return replaced.old
    return label === ALL_LABELS ? this.total : (this.perLabel[label] ?? 0)
  }

  /**
   * Makes room for `more` elements. Each array is checked on its own, because an earlier call may have failed after only some
   * of the arrays had grown.
   */
  *growTask(more: number, slice: TimeSlice): Task {
    const needed = this.high + more
    yield* this.ids.growTask(needed, slice)
    yield* this.keys.growTask(needed, slice)
    this.#labelOf = yield* growTask(this.#labelOf, needed, this.#meter, slice)
  }

  /** Number of slots that have room after {@link growTask}. Other arrays by slot must have at least this length. */
  get capacity(): number {
    return this.#labelOf.length
  }

  /**
   * Puts a new element of a transaction into a slot and returns the slot. Call {@link growTask} before. Throws if there is no
   * memory for the id, and then changes nothing.
   *
   * @param place index of the element in `own`
   */
  add(own: OwnElements, place: number): number {
    const slot = this.#nextSlot
    const number = own.idNumber(place)
    if (Number.isNaN(number)) this.ids.add(slot, own.id(place))
    else this.ids.addNumber(slot, number, this.idManager.name === "INTEGER")
    this.#takeSlot(slot)
    this.#labelOf[slot] = own.labels[place]!
    return slot
  }

  /** Removes an element from the newest state, and keeps its data. */
  kill(slot: number): void {
    this.ids.remove(slot)
    this.#labelOf[slot] = ~this.#labelOf[slot]!
  }

  /** Undoes {@link kill}. The slot must not be released. */
  revive(slot: number): void {
    this.ids.restore(slot)
    this.#labelOf[slot] = ~this.#labelOf[slot]!
  }

  /** Removes the data and the index entries of a deleted element that no snapshot sees, and frees its slot. */
  release(slot: number): void {
    for (const number of this.keys.of(slot)) {
      const column = this.columns[number]!
      column.index?.removeAll(column.values.get(slot), slot)
      column.write(slot, undefined)
    }
    this.keys.clear(slot)
    this.ids.clear(slot)
    this.#labelOf[slot] = FREE
    this.#freeSlots.push(slot)
    if (this.#freeSlots.length - this.#firstFree < this.high) return
    this.reusedSlots++
    this.high = 0
    this.#freeSlots = []
    this.#firstFree = 0
  }

  /**
   * The slot for the next new element. A scan returns elements in slot order, which should be the order of insertion.
   * Therefore a new element gets a new slot while at least half of the slots are in use. Otherwise it gets the slot that was
   * released first.
   */
  get #nextSlot(): number {
    const isUsed = (this.#freeSlots.length - this.#firstFree) * 2 <= this.high
    return isUsed ? this.high : this.#freeSlots[this.#firstFree]!
  }

  /** Marks {@link #nextSlot} as used. */
  #takeSlot(slot: number): void {
    if (slot === this.high) {
      if (++this.high > this.peak) this.peak = this.high
      return
    }
    this.reusedSlots++
    this.#firstFree++
    if (this.#firstFree > 64 && this.#firstFree * 2 > this.#freeSlots.length) {
      this.#freeSlots = this.#freeSlots.slice(this.#firstFree)
      this.#firstFree = 0
    }
  }

  /** The column of a key; undefined if no element ever had the key. */
  column(key: string): PropertyColumn | undefined {
    return this.#byKey.get(key)
  }

  /** The column of a key. Creates the column if it does not exist. */
  openColumn(key: string): PropertyColumn {
    let column = this.#byKey.get(key)
    if (column === undefined) {
      column = new PropertyColumn(key, this.columns.length, this.#propertyIds, this.#meter)
      column.index = this.indexes.get(key) ?? null
      this.#meter.heap += COLUMN_BYTES + valueBytes(key)
      this.columns.push(column)
      this.#byKey.set(key, column)
    }
    return column
  }
}
