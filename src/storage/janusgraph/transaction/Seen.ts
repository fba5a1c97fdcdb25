import { BigSet } from "../../../structure/containers/BigMap.ts"

/** Estimated bytes of an entry in a large set. Most ids are no small integers, so each is an object. */
const ENTRY_BYTES = 50

/** What remembers the sum of several sets. */
interface Sum {
  /** Estimated bytes of the sets. */
  seenBytes: number
}

/** The elements that a transaction or a search has met. They count as memory of the transaction until they are cleared. */
export class Seen<K> {
  readonly #sum: Sum
  /** Undefined until the first element. */
  #keys: BigSet<K> | undefined

  constructor(sum: Sum) {
    this.#sum = sum
  }

  has(key: K): boolean {
    return this.#keys?.has(key) === true
  }

  /** Adds an element. False if it was added before. */
  add(key: K): boolean {
    this.#keys ??= new BigSet()
    const before = this.#keys.size
    if (this.#keys.add(key).size === before) return false
    this.#sum.seenBytes += ENTRY_BYTES
    return true
  }

  clear(): void {
    this.#sum.seenBytes -= (this.#keys?.size ?? 0) * ENTRY_BYTES
    this.#keys = undefined
  }
}
