import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { keyOf } from "../../structure/collections/Equivalence.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import { isInt } from "../../structure/numbers/Numbers.ts"
import { lookupKey } from "../shared/LookupKey.ts"
import { growTask, type Meter, valueBytes } from "./Growth.ts"
import { IdCells } from "./IdCells.ts"

const NONE = 0
const INT = 1
const LONG = 2
const OTHER = 3

/** Ids of the elements of one kind: slot to id, and newest state id to slot. Numeric ids take 9 bytes and a hash cell. */
export class IdTable {
  #numbers: Float64Array<ArrayBuffer> = new Float64Array(0)
  #kinds: Uint8Array<ArrayBuffer> = new Uint8Array(0)
  readonly #others = new BigMap<number, unknown>()
  readonly #slots = new BigMap<unknown, number>()
  readonly #cells: IdCells
  #highest = -1
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
    this.#cells = new IdCells((bytes) => {
      meter.arrays += bytes
    })
  }

  /** Makes room for slots up to this count. */
  *growTask(slots: number, slice: TimeSlice): Task {
    this.#numbers = yield* growTask(this.#numbers, slots, this.#meter, slice)
    this.#kinds = yield* growTask(this.#kinds, slots, this.#meter, slice)
  }

  /** The id at a slot; also of one that was removed, until the slot is cleared. */
  id(slot: number): unknown {
    switch (this.#kinds[slot]) {
      case INT:
        return this.#numbers[slot]
      case LONG:
        return BigInt(this.#numbers[slot]!)
      default:
        return this.#others.get(slot)
    }
  }

  /** The highest number that was ever an id; -1 for none. */
  get highest(): number {
    return this.#highest
  }

  /** The slot of a look-up key, or -1. */
  find(key: unknown): number {
    if (typeof key !== "number" || !Number.isSafeInteger(key)) return this.#slots.get(key) ?? -1
    return this.#cells.find(key, this.#numbers)
  }

  /** True when this id, of the same number type, is in use. */
  hasExact(id: unknown): boolean {
    const slot = this.find(lookupKey(id))
    return slot !== -1 && keyOf(this.id(slot)) === keyOf(id)
  }

  /** Maps an id to a slot. When this throws, because there is no memory, nothing has changed. */
  add(slot: number, id: unknown): void {
    const key = lookupKey(id)
    const numeric = typeof key === "number" && Number.isSafeInteger(key)
    let kind = OTHER
    if (numeric && typeof id === "number" && isInt(id)) kind = INT
    else if (numeric && typeof id === "bigint") kind = LONG
    if (kind === OTHER) this.#others.set(slot, id)
    if (numeric) this.#insert(key, slot)
    else this.#slots.set(key, slot)
    this.#kinds[slot] = kind
    if (kind === OTHER) this.#meter.heap += OTHER_BYTES + valueBytes(id)
  }

  /** {@link add} for a Long, or an Int, that is this number. */
  addNumber(slot: number, number: number, isInt: boolean): void {
    this.#insert(number, slot)
    this.#kinds[slot] = isInt ? INT : LONG
  }

  /** Undoes {@link remove}, as long as the slot was not cleared. */
  restore(slot: number): void {
    const key = lookupKey(this.id(slot))
    if (typeof key === "number" && Number.isSafeInteger(key)) this.#insert(key, slot)
    else this.#slots.set(key, slot)
  }

  /** Removes the id of a slot from look-ups; {@link id} still answers. */
  remove(slot: number): void {
    const key = lookupKey(this.id(slot))
    if (typeof key !== "number" || !Number.isSafeInteger(key)) {
      if (this.#slots.get(key) === slot) this.#slots.delete(key)
      return
    }
    this.#cells.remove(key, slot)
  }

  /** Drops the id of a slot after {@link remove}. */
  clear(slot: number): void {
    if (this.#kinds[slot] === OTHER) {
      this.#meter.heap -= OTHER_BYTES + valueBytes(this.#others.get(slot))
      this.#others.delete(slot)
    }
    this.#kinds[slot] = NONE
  }

  #insert(key: number, slot: number): void {
    this.#numbers[slot] = key
    this.#cells.add(key, slot, this.#numbers)
    if (key > this.#highest) this.#highest = key
  }
}

/** Estimated bytes of an id that is no number, besides its value. */
const OTHER_BYTES = 100
