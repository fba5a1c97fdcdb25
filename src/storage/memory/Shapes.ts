import type { Meter } from "./Growth.ts"

/**
 * Maximum number of shapes of a table. Most graphs have far fewer. Elements whose lists of keys are all different would get a shape
 * each, and one more for each beginning of their lists.
 */
export const MAX_SHAPES = 16_384
/** Number of unused shapes that are freed together, because all shapes are visited for this. */
const FREED_TOGETHER = MAX_SHAPES / 16
/** Estimated bytes of a shape, without its keys and with the lists that follow it. */
const SHAPE_BYTES = 300
/** Estimated bytes of a key of a shape: in its list, and in its name. */
const KEY_BYTES = 14

/**
 * Numbers the lists of property keys that elements have, in insertion order. Elements with the same list share a shape and
 * store only its number, in 4 bytes. Shape 0 has no keys.
 */
export class Shapes {
  readonly #meter: Meter
  readonly #keys: Array<readonly number[]> = [[]]
  readonly #known = new Map<string, number>([["", 0]])
  /** By shape: the shapes with one more key, as far as they were asked for. */
  #added: Array<Map<number, number> | undefined> = []
  /** By shape: the number of its elements. Elements without keys are not counted. */
  readonly #elements: Array<number> = [1]
  /** Numbers of freed shapes. */
  readonly #free: Array<number> = []
  /** Number of shapes without elements. */
  #unused = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** The keys of a shape, as the numbers of their columns. */
  keys(shape: number): readonly number[] {
    return this.#keys[shape]!
  }

  /** The shape with one more key at the end, or the same shape if it has the key; undefined if there are too many shapes. */
  with(shape: number, column: number): number | undefined {
    const next = this.#added[shape]?.get(column)
    if (next !== undefined) return next
    const keys = this.#keys[shape]!
    const found = keys.includes(column) ? shape : this.#intern([...keys, column])
    if (found !== undefined) (this.#added[shape] ??= new Map()).set(column, found)
    return found
  }

  /** The shape without a key; undefined if there are too many shapes. */
  without(shape: number, column: number): number | undefined {
    return this.#intern(this.#keys[shape]!.filter((key) => key !== column))
  }

  #intern(keys: readonly number[]): number | undefined {
    const name = keys.join(",")
    const known = this.#known.get(name)
    if (known !== undefined) return known
    if (this.#known.size >= MAX_SHAPES) return undefined
    const shape = this.#free.pop() ?? this.#keys.length
    this.#keys[shape] = keys
    this.#elements[shape] = 0
    this.#known.set(name, shape)
    this.#unused++
    this.#meter.heap += bytesOf(keys)
    return shape
  }

  /** Notes that an element has left one shape and has got another one. */
  move(from: number, to: number): void {
    if (from === to) return
    if (to !== 0 && this.#elements[to]!++ === 0) this.#unused--
    if (from !== 0 && --this.#elements[from]! === 0) this.#unused++
  }

  /** Frees the shapes without elements if they are many. Their numbers must not be used any more. */
  trim(): void {
    if (this.#unused < FREED_TOGETHER) return
    for (const [name, shape] of this.#known) {
      if (this.#elements[shape]! > 0) continue
      this.#known.delete(name)
      this.#meter.heap -= bytesOf(this.#keys[shape]!)
      this.#keys[shape] = []
      this.#free.push(shape)
    }
    // The remaining ones may name freed shapes.
    this.#added = []
    this.#unused = 0
  }
}

const bytesOf = (keys: readonly number[]): number => SHAPE_BYTES + KEY_BYTES * keys.length
