import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BigMap } from "../../structure/BigMap.ts"
import type { IdManager } from "../shared/IdManager.ts"
import { PropertyColumn, Shapes } from "../shared/Properties.ts"
import { growTask, type Meter, valueBytes } from "./Growth.ts"
import type { HashIndex } from "./HashIndex.ts"
import { IdTable } from "./IdTable.ts"
import { Labels } from "./Labels.ts"
import type { OwnElements } from "./Overlay.ts"
import { Undo } from "./Undo.ts"

/** Estimated bytes of an empty column besides its key. */
const COLUMN_BYTES = 1_000
/** Label of a slot without element. */
const FREE = -0x80000000
/** In place of a shape: the element has more keys than shapes have. */
export const WIDE = -1
/** Keys of the largest shape. */
const MAX_SHAPE_KEYS = 256
/** Key of the total in {@link ElementTable.countUndo}. */
export const ALL_LABELS = -1

/**
 * The vertices, or the edges, of a graph by slot: label, id, keys and existence, in the newest state. The undo logs tell what
 * snapshots see of it. A deleted element keeps its data until no snapshot sees it: only then its slot is {@link release}d.
 */
export class ElementTable {
  readonly kind: "vertex" | "edge"
  readonly idManager: IdManager
  readonly labels: Labels
  readonly ids: IdTable
  readonly shapes = new Shapes()
  readonly columns: Array<PropertyColumn> = []
  readonly indexes = new Map<string, HashIndex>()
  /** End of the slots in use. A snapshot sees nothing at or above the value that this had when it began. */
  high = 0
  /** What {@link high} was before the long commit that is being applied; -1 while none is. */
  #highBefore = -1
  /** The highest value of {@link high}, which falls back to 0 when every element is removed. */
  peak = 0
  /** Number of elements, and of those with each label. */
  total = 0
  readonly perLabel: Array<number> = []
  /** Commits that put an element in a used slot, or deleted one, while snapshots were open. */
  readonly bornAt = new BigMap<number, number>()
  readonly diedAt = new BigMap<number, number>()
  readonly idUndo = new Undo<unknown, number>()
  readonly countUndo = new Undo<number, number>()
  readonly #byKey = new Map<string, PropertyColumn>()
  readonly #propertyIds: IdManager | null
  readonly #meter: Meter
  /** Label number, its complement when the element is deleted, or FREE. */
  #labelOf: Int32Array<ArrayBuffer> = new Int32Array(0)
  #shapeOf: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** The columns of elements whose shape is WIDE. */
  readonly #wide = new BigMap<number, Set<number>>()
  /** Slots without element, in the order they were released, from #firstFree on. */
  #freeSlots: Array<number> = []
  #firstFree = 0

  constructor(kind: "vertex" | "edge", idManager: IdManager, propertyIds: IdManager | null, meter: Meter) {
    this.kind = kind
    this.idManager = idManager
    this.#propertyIds = propertyIds
    this.#meter = meter
    this.labels = new Labels(meter)
    this.ids = new IdTable(meter)
  }

  /** End of the slots that a new transaction may see. */
  get completeHigh(): number {
    return this.#highBefore === -1 ? this.high : this.#highBefore
  }

  /** A long commit begins to be applied: transactions that begin meanwhile do not see what it adds. */
  beginLongCommit(): void {
    this.#highBefore = this.high
  }

  /** The long commit was applied, or rolled back. */
  endLongCommit(): void {
    this.#highBefore = -1
  }

  /** For scans: a label number, its complement when the element is deleted, or FREE. Replaced when slots are added. */
  get labelNumbers(): Int32Array {
    return this.#labelOf
  }

  /** Label number of an element, also of a deleted one. */
  label(slot: number): number {
    const label = this.#labelOf[slot]!
    return label >= 0 ? label : ~label
  }

  /** True when the newest state has an element at the slot. */
  isAlive(slot: number): boolean {
    return this.#labelOf[slot]! >= 0
  }

  /** True when a snapshot sees an element at the slot; `high` is {@link high} at the begin of the snapshot. */
  existsAt(slot: number, snapshot: number, high: number): boolean {
    if (slot >= high) return false
    if (this.bornAt.size > 0 && (this.bornAt.get(slot) ?? 0) > snapshot) return false
    return this.#labelOf[slot]! >= 0 || (this.diedAt.get(slot) ?? 0) > snapshot
  }

  /** The slot that a snapshot finds for a look-up key, or -1. */
  findAt(key: unknown, snapshot: number, high: number): number {
    const slot = this.ids.find(key)
    if (slot !== -1 && this.existsAt(slot, snapshot, high)) return slot
    const removed = this.idUndo.size > 0 ? this.idUndo.at(key, snapshot) : undefined
    return removed !== undefined && this.existsAt(removed.old, snapshot, high) ? removed.old : -1
  }

  /** Number of elements with a label, or ALL_LABELS, that a snapshot sees. */
  countAt(label: number, snapshot: number): number {
    const replaced = this.countUndo.size > 0 ? this.countUndo.at(label, snapshot) : undefined
    if (replaced !== undefined) return replaced.old
    return label === ALL_LABELS ? this.total : (this.perLabel[label] ?? 0)
  }

  /**
   * Makes room for `more` elements. The length of each array is tested, because an earlier call may have failed after some
   * of them had grown.
   */
  *growTask(more: number, slice: TimeSlice): Task {
    const needed = this.high + more
    yield* this.ids.growTask(needed, slice)
    this.#shapeOf = yield* growTask(this.#shapeOf, needed, this.#meter, slice)
    this.#labelOf = yield* growTask(this.#labelOf, needed, this.#meter, slice)
  }

  /** Number of slots after {@link growTask}: other per-slot arrays need at least as many. */
  get capacity(): number {
    return this.#labelOf.length
  }

  /**
   * Puts a new element of a transaction in a slot and returns it. Room must have been reserved. Changes nothing when it
   * throws, because there is no memory for the id.
   */
  add(own: OwnElements, place: number): number {
    const slot = this.#nextSlot
    const number = own.idNumber(place)
    if (Number.isNaN(number)) this.ids.add(slot, own.id(place))
    else this.ids.addNumber(slot, number, this.idManager.name === "INTEGER")
    this.#takeSlot(slot)
    this.#shapeOf[slot] = 0
    this.#labelOf[slot] = own.labels[place]!
    return slot
  }

  /** Removes an element from the newest state; its data stays. */
  kill(slot: number): void {
    this.ids.remove(slot)
    this.#labelOf[slot] = ~this.#labelOf[slot]!
  }

  /** Undoes {@link kill}, as long as the slot was not released. */
  revive(slot: number): void {
    this.ids.restore(slot)
    this.#labelOf[slot] = ~this.#labelOf[slot]!
  }

  /** Drops a killed element that no snapshot sees, with its index entries, and frees its slot. */
  release(slot: number): void {
    for (const number of this.keysOf(slot)) {
      const column = this.columns[number]!
      column.index?.removeAll(column.values.get(slot), slot)
      column.write(slot, undefined)
    }
    this.#wide.delete(slot)
    this.ids.clear(slot)
    this.#labelOf[slot] = FREE
    this.#freeSlots.push(slot)
    if (this.#freeSlots.length - this.#firstFree < this.high) return
    this.high = 0
    this.#freeSlots = []
    this.#firstFree = 0
  }

  /**
   * A scan returns elements in slot order, which should be the order of insertion: a new element gets a new slot as long as at
   * least half of the slots are in use. Otherwise released slots are used again, oldest first.
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
    this.#firstFree++
    if (this.#firstFree > 64 && this.#firstFree * 2 > this.#freeSlots.length) {
      this.#freeSlots = this.#freeSlots.slice(this.#firstFree)
      this.#firstFree = 0
    }
  }

  /** The column of a key, if any element ever had it. */
  column(key: string): PropertyColumn | undefined {
    return this.#byKey.get(key)
  }

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

  /** Numbers of the columns that have a value of an element, newest state, in insertion order. */
  keysOf(slot: number): readonly number[] {
    const shape = this.#shapeOf[slot]!
    return shape === WIDE ? [...this.#wide.get(slot)!] : this.shapes.keys(shape)
  }

  /** Number of the {@link shapes | shape} of an element; WIDE for one with very many keys. */
  shape(slot: number): number {
    return this.#shapeOf[slot]!
  }

  /** Sets the shape of an element; not WIDE. */
  setShape(slot: number, shape: number): void {
    this.#wide.delete(slot)
    this.#shapeOf[slot] = shape
  }

  /** Number of keys of an element, newest state. */
  keyCount(slot: number): number {
    const shape = this.#shapeOf[slot]!
    return shape === WIDE ? this.#wide.get(slot)!.size : this.shapes.keys(shape).length
  }

  /** Adds a column to the keys of an element, or removes it. */
  setKey(slot: number, column: number, present: boolean): void {
    const shape = this.#shapeOf[slot]!
    const wide = shape === WIDE ? this.#wide.get(slot)! : undefined
    if (wide === undefined) {
      if (present && this.shapes.keys(shape).length === MAX_SHAPE_KEYS) {
        this.#wide.set(slot, new Set(this.shapes.keys(shape)).add(column))
        this.#shapeOf[slot] = WIDE
      } else this.#shapeOf[slot] = present ? this.shapes.with(shape, column) : this.shapes.without(shape, column)
    } else if (present) wide.add(column)
    else wide.delete(column)
  }
}
