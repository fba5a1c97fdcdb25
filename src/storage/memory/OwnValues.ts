import { BigMap, BigSet } from "../../structure/containers/BigMap.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import type { Journal } from "../shared/Journal.ts"
import { indexKeys } from "./HashIndex.ts"

/** Estimated bytes of an index key, of a set of elements, and of an element in a set. */
const KEY_BYTES = 60
const SET_BYTES = 120
const REF_BYTES = 16

/** The changes of a transaction in their order. */
interface Changes {
  readonly changedRefs: ReadonlyArray<Ref>
  readonly changedKeys: ReadonlyArray<string>
}

/**
 * The elements whose property under one key a transaction has changed, by the index keys of the values that they have had since. A search
 * within the transaction then does not visit all changes. Some of the elements have another value by now: a search tests them.
 */
export class OwnValues {
  readonly #changes: Changes
  readonly #key: string
  readonly #journal: Journal
  /** The number of changes before the first search. */
  readonly #end: number
  /** The place of the next one of them that is visited. */
  #at = 0
  /** Elements that have changed since the first search, each once. */
  readonly #waiting: Array<Ref> = []
  /** How many of these are entered, from the first one on. */
  #entered = 0
  readonly #isWaiting = new BigSet<Ref>()
  readonly #refs = new BigMap<unknown, Ref | BigSet<Ref>>()

  constructor(changes: Changes, key: string, journal: Journal) {
    this.#changes = changes
    this.#key = key
    this.#journal = journal
    this.#end = changes.changedRefs.length
  }

  /** Notes that the value of an element changes now. */
  note(ref: Ref): void {
    if (this.#isWaiting.has(ref)) return
    this.#isWaiting.add(ref)
    this.#waiting.push(ref)
    this.#journal.countLasting(REF_BYTES)
  }

  /** Visits one change, and enters the value of its element. `read` returns values as a reader does. False when none is left. */
  enterNext(read: (ref: Ref) => unknown): boolean {
    const { changedKeys, changedRefs } = this.#changes
    if (this.#at < Math.min(this.#end, changedRefs.length)) {
      const at = this.#at++
      if (changedKeys[at] === this.#key) this.#enterAll(changedRefs[at]!, read)
      return true
    }
    const ref = this.#waiting[this.#entered]
    if (ref === undefined) return false
    this.#isWaiting.delete(ref)
    if (++this.#entered === this.#waiting.length) {
      this.#journal.countLasting(-REF_BYTES * this.#entered)
      this.#waiting.length = this.#entered = 0
    }
    this.#enterAll(ref, read)
    return true
  }

  #enterAll(ref: Ref, read: (ref: Ref) => unknown): void {
    for (const key of indexKeys(read(ref))) this.#enter(key, ref)
  }

  #enter(key: unknown, ref: Ref): void {
    const found = this.#refs.get(key)
    if (found === undefined) {
      this.#refs.set(key, ref)
      this.#journal.countLasting(KEY_BYTES)
    } else if (found instanceof BigSet) {
      if (found.has(ref)) return
      found.add(ref)
      this.#journal.countLasting(REF_BYTES)
    } else if (found !== ref) {
      this.#refs.set(key, new BigSet<Ref>().add(found).add(ref))
      this.#journal.countLasting(SET_BYTES + 2 * REF_BYTES)
    }
  }

  /** The elements that have, or have had, a value with an index key, each once. */
  of(key: unknown): Iterator<Ref, unknown> {
    const found = this.#refs.get(key)
    if (found instanceof BigSet) return found[Symbol.iterator]()
    return (found === undefined ? [] : [found])[Symbol.iterator]()
  }
}
