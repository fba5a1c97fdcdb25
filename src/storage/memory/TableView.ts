import type { Ref } from "../../structure/elements/Element.ts"
import { ElementNotFound, StorageFailure, UnsupportedValue } from "../../structure/errors/StoreErrors.ts"
import type { PropertyReader } from "../../structure/graph/GraphReads.ts"
import type { Journal } from "../shared/Journal.ts"
import type { PropertyState } from "../shared/Properties.ts"
import type { Column } from "./Column.ts"
import { ALL_LABELS, type ElementTable } from "./ElementTable.ts"
import { type Change, MAX_KEYS, OwnElements, ownIndex } from "./Overlay.ts"
import type { PropertyColumn } from "./PropertyColumn.ts"

/** Versions of commits. They differ while a long commit is being applied. */
export interface Clock {
  /** The last commit that has changed the newest state, completely or in part. */
  version: number
  /** The last commit that is applied completely: what new transactions see. */
  complete: number
  /** Why the graph is closed; undefined while it is open. */
  closed: string | undefined
}

/** The vertices, or the edges, as one transaction sees them: a snapshot and its own changes on top. */
export class TableView {
  readonly table: ElementTable
  readonly snapshot: number
  /** Slots from here on came after the snapshot. */
  readonly high: number
  readonly #clock: Clock
  /** Null while nothing of this kind was changed. */
  own: OwnElements | null = null
  #plainAt: number
  /** After the end of the transaction: what {@link id} needs. */
  #past: { readonly own: OwnElements | null; readonly reusedSlots: number } | null = null

  readonly journal: Journal

  constructor(table: ElementTable, clock: Clock, journal: Journal) {
    this.journal = journal
    this.table = table
    this.#clock = clock
    this.snapshot = clock.complete
    this.high = table.completeHigh
    this.#plainAt = clock.complete
  }

  /**
   * The one compare of a reader: true while the newest state is what the transaction sees, because there was no commit since
   * its snapshot and it changed nothing itself. False after its end, so that the slower path reports the use.
   */
  get isPlain(): boolean {
    return this.#plainAt === this.#clock.version
  }

  /** The transaction's own changes, which it may add to. */
  open(): OwnElements {
    if (this.own === null) {
      this.own = new OwnElements(this.table.idManager, this.journal)
      this.#plainAt = -1
    }
    return this.own
  }

  end(): void {
    this.#past = { own: this.own, reusedSlots: this.table.reusedSlots }
    this.#plainAt = -1
    this.own = null
  }

  get isEnded(): boolean {
    return this.#past !== null
  }

  assertOpen(): void {
    if (this.#past !== null) throw new Error("The transaction was used after its end; begin another one.")
    if (this.#clock.closed !== undefined) throw new StorageFailure(this.#clock.closed)
  }

  /** True when the element exists for the transaction. */
  has(ref: Ref): boolean {
    this.assertOpen()
    if (ref < 0) return ref < -1 && this.own !== null && this.own.labels[ownIndex(ref)]! >= 0
    return this.table.existsAt(ref, this.snapshot, this.high) && !(this.own?.isRemoved(ref) ?? false)
  }

  /** The ref of a look-up key, or -1. */
  find(key: unknown): Ref {
    if (this.isPlain) return this.table.ids.find(key)
    this.assertOpen()
    const own = this.own?.find(key)
    if (own !== undefined) return own
    const slot = this.table.findAt(key, this.snapshot, this.high)
    return slot === -1 || this.own?.removed.has(slot) ? -1 : slot
  }

  /** The id of an element that the transaction has read or added, also after its end. */
  id(ref: Ref): unknown {
    if (this.#past !== null) return this.#pastId(ref, this.#past)
    return ref >= 0 ? this.table.ids.id(ref) : this.#own(ref).id(ownIndex(ref))
  }

  labelNumber(ref: Ref): number {
    return ref >= 0 ? this.table.label(ref) : this.#own(ref).label(ref)
  }

  label(ref: Ref): string {
    return this.table.labels.name(this.labelNumber(ref))
  }

  #pastId(ref: Ref, { own, reusedSlots }: { readonly own: OwnElements | null; readonly reusedSlots: number }): unknown {
    if (ref < 0 && own !== null) return own.id(ownIndex(ref))
    if (ref >= 0 && this.table.reusedSlots === reusedSlots && this.table.isUsed(ref)) return this.table.ids.id(ref)
    throw new ElementNotFound(
      "The element was read in a transaction that has ended, and may have been removed since. Find it again by its id."
    )
  }

  #own(ref: Ref): OwnElements {
    this.assertOpen()
    if (this.own === null || ownIndex(ref) >= this.own.labels.length || ref === -1) {
      throw new Error(`The transaction has no element with the number ${ref}`)
    }
    return this.own
  }

  /** The properties of an element under a key. */
  state(key: string, ref: Ref): PropertyState | undefined {
    const column = this.table.column(key)
    if (this.isPlain) return column?.state(ref)
    this.assertOpen()
    const change = this.own?.change(key, ref)
    if (change !== undefined) return change.state
    return ref < 0 ? undefined : column?.stateAt(ref, this.snapshot)
  }

  /** What a reader returns when the view is not plain. */
  valueCarefully(key: string, column: PropertyColumn | undefined, ref: Ref): unknown {
    this.assertOpen()
    if (this.own !== null) {
      const change = this.own.change(key, ref)
      if (change !== undefined) return change.state?.value
    }
    return ref < 0 ? undefined : column?.valueAt(ref, this.snapshot)
  }

  reader(key: string): PropertyReader {
    return new ColumnReader(this, key)
  }

  /** Keys with a value, in insertion order. */
  keys(ref: Ref): Array<string> {
    const { columns } = this.table
    if (this.isPlain) return this.table.keys.of(ref).map((number) => columns[number]!.key)
    this.assertOpen()
    const keys = new Set(ref < 0 ? [] : this.table.keys.of(ref).map((number) => columns[number]!.key))
    if (ref >= 0 && this.snapshot !== this.#clock.version) {
      for (const { key, undo } of columns) {
        if (undo.size > 0 && undo.changedSince(ref, this.snapshot)) keys.add(key)
      }
    }
    if (this.own !== null) for (const key of this.own.keysOf(ref)) keys.add(key)
    return [...keys].filter((key) => this.state(key, ref) !== undefined)
  }

  /** Number of elements with one of the labels; null = all. */
  count(labels: readonly string[] | null): number {
    this.assertOpen()
    if (labels === null) return this.#countOf(ALL_LABELS)
    let count = 0
    for (const name of new Set(labels)) {
      const label = this.table.labels.find(name)
      if (label !== -1) count += this.#countOf(label)
    }
    return count
  }

  /** Number of elements by label; labels without elements are left out. */
  countByLabel(): ReadonlyMap<string, number> {
    this.assertOpen()
    const counts = new Map<string, number>()
    for (let label = 0; label < this.table.labels.size; label++) {
      const count = this.#countOf(label)
      if (count > 0) counts.set(this.table.labels.name(label), count)
    }
    return counts
  }

  #countOf(label: number): number {
    let count = this.table.countAt(label, this.snapshot)
    if (this.own !== null) {
      if (label !== ALL_LABELS) count += this.own.countChanges.get(label) ?? 0
      else for (const change of this.own.countChanges.values()) count += change
    }
    return count
  }

  /** The change of an element under a key, created when there is none yet. */
  openChange(key: string, ref: Ref): Change {
    const state = this.state(key, ref)
    const own = this.open()
    let change = own.change(key, ref)
    if (change === undefined) {
      if (state === undefined && ref >= 0 && this.table.keys.count(ref) >= MAX_KEYS) {
        throw new UnsupportedValue(
          `An element has at most ${MAX_KEYS} property keys, and ${key} is one more. Keep such data in ` +
            "elements of their own, or as values of one key."
        )
      }
      change = { base: state, state, replaced: false, distinct: false, index: own.changedRefs.length, bytes: 0 }
      own.addChange(key, ref, change)
    } else {
      own.noteChange(key, ref)
      if (this.journal.isOpen) {
        const known = change
        const before = { ...known }
        this.journal.add(() => {
          Object.assign(known, before)
          own.noteChange(key, ref)
        })
      }
    }
    return change
  }
}

/** The only class of readers, so that calls of them stay monomorphic. */
class ColumnReader implements PropertyReader {
  readonly #view: TableView
  readonly #key: string
  #column: PropertyColumn | undefined
  #values: Column | undefined

  constructor(view: TableView, key: string) {
    this.#view = view
    this.#key = key
    this.#find()
  }

  #find(): void {
    this.#column = this.#view.table.column(this.#key)
    this.#values = this.#column?.values
  }

  value(ref: Ref): unknown {
    if (this.#values !== undefined && this.#view.isPlain) return this.#values.get(ref)
    // The key may have been added since the reader was made.
    if (this.#column === undefined) this.#find()
    return this.#view.valueCarefully(this.#key, this.#column, ref)
  }
}
