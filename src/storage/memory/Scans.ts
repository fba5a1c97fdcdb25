import { BigSet } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import type { RefColumn, RefScan } from "../../structure/graph/GraphReads.ts"
import type { HashIndex } from "./HashIndex.ts"
import type { MemoryLabelSet } from "./Labels.ts"
import { ownRef } from "./Overlay.ts"
import type { OwnValues } from "./OwnValues.ts"
import type { TableView } from "./TableView.ts"

/** Slots that one call examines, at most: a scan for a rare label must return to its run from time to time. */
const EXAMINED_SLOTS = 65_536

interface Found {
  refs: RefColumn
  length: number
}

/** The column with room for `more` rows. */
const room = (out: Found, more: number): Int32Array => {
  if (out.length + more <= out.refs.length) return out.refs as Int32Array
  const grown = new Int32Array(Math.max(out.length + more, out.refs.length * 2))
  grown.set(out.refs.subarray(0, out.length))
  out.refs = grown
  return grown
}

/** Scans every element, or those with some labels, in slot order; then those that the transaction had added before the scan. */
export class TableScan implements RefScan {
  readonly #view: TableView
  readonly #labels: MemoryLabelSet | null
  readonly #ownEnd: number
  #slot = 0
  #own = 0

  constructor(view: TableView, labels: MemoryLabelSet | null) {
    view.assertOpen()
    this.#view = view
    this.#labels = labels
    this.#ownEnd = view.own?.labels.length ?? 0
  }

  next(max: number, out: Found): boolean {
    const refs = room(out, max)
    const full = out.length + max
    const view = this.#view
    const end = Math.min(view.high, this.#slot + EXAMINED_SLOTS)
    out.length = view.isPlain ? this.#plain(refs, out.length, full, end) : this.#carefully(refs, out.length, full, end)
    if (this.#slot < view.high) return true
    while (this.#own < this.#ownEnd && out.length < full) {
      const ref = ownRef(this.#own++)
      if (view.has(ref) && matches(view.labelNumber(ref), this.#labels)) refs[out.length++] = ref
    }
    return this.#own < this.#ownEnd
  }

  #plain(refs: Int32Array, start: number, full: number, end: number): number {
    const numbers = this.#view.table.labelNumbers
    const labels = this.#labels
    const single = labels === null ? -1 : labels.single
    let length = start
    let slot = this.#slot
    if (labels !== null && single !== -1) {
      for (; slot < end && length < full; slot++) if (numbers[slot] === single) refs[length++] = slot
    } else {
      const flags = labels?.flags
      for (; slot < end && length < full; slot++) {
        const label = numbers[slot]!
        if (label >= 0 && (flags === undefined || flags[label] === 1)) refs[length++] = slot
      }
    }
    this.#slot = slot
    return length
  }

  #carefully(refs: Int32Array, start: number, full: number, end: number): number {
    const view = this.#view
    let length = start
    let slot = this.#slot
    for (; slot < end && length < full; slot++) {
      if (view.has(slot) && matches(view.table.label(slot), this.#labels)) refs[length++] = slot
    }
    this.#slot = slot
    return length
  }

  close(): void {
    this.#slot = this.#view.high
    this.#own = this.#ownEnd
  }
}

const matches = (label: number, labels: MemoryLabelSet | null): boolean =>
  labels === null || label === labels.single || labels.flags[label] === 1

/** Scans the elements of an index under some keys, each once; then those that the transaction had changed before the scan. */
export class IndexScan implements RefScan {
  readonly #view: TableView
  readonly #index: HashIndex
  readonly #keys: readonly unknown[]
  readonly #labels: MemoryLabelSet | null
  /** Number of changes of the transaction when the scan began: it does not find later ones. */
  readonly #changesEnd: number
  /** What the transaction has changed: the index does not have it. Null when nothing, and after the end. */
  #own: OwnValues | null
  #ownKey = 0
  #ownRefs: Iterator<Ref, unknown> | null = null
  /** The changed elements that were returned, of a search for several keys: each may get another of them meanwhile. */
  readonly #returned: BigSet<Ref> | null
  #key = 0
  #after = -1

  constructor(view: TableView, index: HashIndex, keys: readonly unknown[], labels: MemoryLabelSet | null) {
    view.assertOpen()
    this.#view = view
    this.#index = index
    this.#keys = keys
    this.#labels = labels
    this.#returned = keys.length > 1 ? new BigSet() : null
    const { own } = view
    this.#own = own?.searched(index.key) ?? null
    this.#changesEnd = this.#own === null ? 0 : own!.changedRefs.length
  }

  next(max: number, out: Found): boolean {
    const refs = room(out, max)
    const full = out.length + max
    let examined = 0
    while (this.#key < this.#keys.length && out.length < full && examined < EXAMINED_SLOTS) {
      const wanted = full - out.length
      const read = this.#index.read(this.#keys[this.#key], this.#after, wanted, refs, out.length)
      examined += read
      if (read > 0) {
        this.#after = refs[out.length + read - 1]!
        out.length = this.#keep(refs, out.length, read)
      }
      if (read < wanted) {
        this.#key++
        this.#after = -1
      }
    }
    if (this.#key < this.#keys.length) return true
    while (this.#own?.enterNext(this.#read)) if (++examined >= EXAMINED_SLOTS) return true
    return this.#nextOwn(refs, full, out, examined)
  }

  /** Finds elements that the transaction has changed. False after the last one. */
  #nextOwn(refs: Int32Array, full: number, out: Found, examined: number): boolean {
    const limit = EXAMINED_SLOTS - examined
    for (let visited = 0; this.#own !== null && this.#ownKey < this.#keys.length; ) {
      if (out.length >= full || visited >= limit) return true
      visited++
      this.#ownRefs ??= this.#own.of(this.#keys[this.#ownKey])
      const { done, value: ref } = this.#ownRefs.next() as IteratorResult<Ref, undefined>
      if (done === true) {
        this.#ownKey++
        this.#ownRefs = null
      } else if (this.#wasChanged(ref) && this.#view.has(ref) && this.#firstKey(ref) === this.#ownKey) {
        if (this.#hasLabel(ref) && this.#isFirst(ref)) refs[out.length++] = ref
      }
    }
    return false
  }

  #isFirst(ref: Ref): boolean {
    if (this.#returned?.has(ref)) return false
    this.#returned?.add(ref)
    return true
  }

  readonly #read = (ref: Ref): unknown => {
    const { key } = this.#index
    return this.#view.valueCarefully(key, this.#view.table.column(key), ref)
  }

  #wasChanged(ref: Ref): boolean {
    const change = this.#changesEnd === 0 ? undefined : this.#view.own?.change(this.#index.key, ref)
    return change !== undefined && change.index < this.#changesEnd
  }

  /** Keeps the slots that are answers, and moves them together. */
  #keep(refs: Int32Array, start: number, read: number): number {
    const view = this.#view
    const several = this.#keys.length > 1 && view.table.column(this.#index.key)?.hasDetails
    const exact = view.isPlain && this.#index.stale === 0 && !several
    if (exact && this.#labels === null) return start + read
    let length = start
    for (let i = start; i < start + read; i++) {
      const slot = refs[i]!
      if (!exact && (this.#wasChanged(slot) || !view.has(slot) || this.#firstKey(slot) !== this.#key)) continue
      if (this.#hasLabel(slot)) refs[length++] = slot
    }
    return length
  }

  /** Place of the first key that the element has, or -1: an element with several values is returned once. */
  #firstKey(ref: Ref): number {
    const value = this.#read(ref)
    return this.#keys.findIndex((wanted) => this.#index.holds(wanted, value))
  }

  #hasLabel(ref: Ref): boolean {
    return this.#labels === null || matches(this.#view.labelNumber(ref), this.#labels)
  }

  close(): void {
    this.#key = this.#keys.length
    this.#own = null
  }
}
