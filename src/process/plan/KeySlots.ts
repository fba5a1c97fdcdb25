import { BigMap } from "../../structure/containers/BigMap.ts"

/** Number of entries above which an array indexed by ref is cheaper than a Map. */
const MIN_ARRAY_ENTRIES = 1024

/** Maps keys to slots in a table. Keys are refs, refs combined with an origin, or keys of values. */
export class KeySlots {
  readonly #slots = new BigMap<unknown, number>()
  /** By ref: slot + 1, or 0 without a slot. */
  #byRef: Int32Array<ArrayBuffer> | null = null
  readonly #areSmallRefs: boolean
  /** @param areSmallRefs Nearly all keys are refs that are small integers. */
  constructor(areSmallRefs: boolean) {
    this.#areSmallRefs = areSmallRefs
  }

  /** The slot of a key, or -1 for a new key, which gets the slot `next`. */
  slot(key: unknown, next: number): number {
    const byRef = this.#byRef
    if (byRef !== null && (key as number) >= 0) {
      if ((key as number) >= byRef.length) {
        this.#byRef = grown(byRef, key as number)
        this.#byRef[key as number] = next + 1
        return -1
      }
      const slot = byRef[key as number]! - 1
      if (slot < 0) byRef[key as number] = next + 1
      return slot
    }
    const slot = this.#slots.get(key)
    if (slot !== undefined) return slot
    this.#slots.set(key, next)
    if (next === MIN_ARRAY_ENTRIES && this.#areSmallRefs) this.#index()
    return -1
  }

  /** The slot of a key; -1 = none. */
  find(key: unknown): number {
    const byRef = this.#byRef
    if (byRef !== null && (key as number) >= 0) return (byRef[key as number] ?? 0) - 1
    return this.#slots.get(key) ?? -1
  }

  /** The slot of a ref, as {@link slot} gives that of a key. Only for tables with `areSmallRefs`. */
  slotOfRef(ref: number, next: number): number {
    const byRef = this.#byRef
    if (byRef === null || ref < 0 || ref >= byRef.length) return this.slot(ref, next)
    const slot = byRef[ref]!
    if (slot === 0) byRef[ref] = next + 1
    return slot - 1
  }

  #index(): void {
    let byRef = new Int32Array(2 * MIN_ARRAY_ENTRIES)
    for (const [ref, slot] of this.#slots as BigMap<number, number>) {
      if (ref < 0) continue
      if (ref >= byRef.length) byRef = grown(byRef, ref)
      byRef[ref] = slot + 1
    }
    this.#byRef = byRef
  }
}

const grown = (byRef: Int32Array<ArrayBuffer>, ref: number): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(2 ** Math.ceil(Math.log2(ref + 2)))
  out.set(byRef)
  return out
}
