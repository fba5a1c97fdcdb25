import { BigMap } from "../../structure/BigMap.ts"
import type { RefColumn } from "../../structure/GraphStore.ts"

/** Entries from which on a mark for each ref is cheaper than a Map. */
const MANY = 1024

/** Numbers under keys that are refs, or refs with an origin, or keys of values: the place of each in a table. */
export class Places {
  readonly #places = new BigMap<unknown, number>()
  /** By ref: place + 1, 0 where there is none. */
  #marks: Int32Array<ArrayBuffer> | null = null
  readonly #marksRefs: boolean
  /** `marksRefs`: keys are refs that are small integers, save a few. */
  constructor(marksRefs: boolean) {
    this.#marksRefs = marksRefs
  }

  /** The place of a key, or -1 when it is new: then `next` is its place from now on. */
  place(key: unknown, next: number): number {
    const marks = this.#marks
    if (marks !== null && (key as number) >= 0) {
      if ((key as number) >= marks.length) {
        this.#marks = grown(marks, key as number)
        this.#marks[key as number] = next + 1
        return -1
      }
      const place = marks[key as number]! - 1
      if (place < 0) marks[key as number] = next + 1
      return place
    }
    const place = this.#places.get(key)
    if (place !== undefined) return place
    this.#places.set(key, next)
    if (next === MANY && this.#marksRefs) this.#mark()
    return -1
  }

  /** The same for a ref, where {@link Places} was told that keys are refs. */
  placeOfRef(ref: number, next: number): number {
    const marks = this.#marks
    if (marks === null || ref < 0 || ref >= marks.length) return this.place(ref, next)
    const place = marks[ref]!
    if (place === 0) marks[ref] = next + 1
    return place - 1
  }

  #mark(): void {
    let marks = new Int32Array(2 * MANY)
    for (const [ref, place] of this.#places as BigMap<number, number>) {
      if (ref < 0) continue
      if (ref >= marks.length) marks = grown(marks, ref)
      marks[ref] = place + 1
    }
    this.#marks = marks
  }
}

const grown = (marks: Int32Array<ArrayBuffer>, ref: number): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(2 ** Math.ceil(Math.log2(ref + 2)))
  out.set(marks)
  return out
}

/** Which refs were seen: for dedup(). */
export class RefSet {
  readonly #places: Places
  #size = 0
  constructor(refs: RefColumn) {
    this.#places = new Places(refs instanceof Int32Array)
  }

  /** True the first time a ref comes. */
  add(ref: number): boolean {
    if (this.#places.placeOfRef(ref, this.#size) >= 0) return false
    this.#size++
    return true
  }
}
