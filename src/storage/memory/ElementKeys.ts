import type { Task } from "../../scheduling/Task.ts"
import type { TimeSlice } from "../../scheduling/TimeSlice.ts"
import { BigMap } from "../../structure/containers/BigMap.ts"
import { growTask, type Meter } from "./Growth.ts"
import { Shapes } from "./Shapes.ts"

/** In place of a shape number: the element has a list of its own, because it has too many keys, or there are too many shapes. */
export const WIDE = -1
/** Largest number of keys in a shape. */
const MAX_SHAPE_KEYS = 256
/** Estimated bytes of a list of an element's own, and of each of its keys. */
const LIST_BYTES = 250
const KEY_BYTES = 30

/** The property keys of the elements of a table, as the numbers of their columns. */
export class ElementKeys {
  readonly #meter: Meter
  readonly #shapes: Shapes
  /** By slot: the number of the shape, or WIDE. */
  #shapeOf: Int32Array<ArrayBuffer> = new Int32Array(0)
  /** By slot: the keys of an element whose shape is WIDE. */
  readonly #wide = new BigMap<number, Set<number>>()

  constructor(meter: Meter) {
    this.#meter = meter
    this.#shapes = new Shapes(meter)
  }

  /** Makes room for the slots below `needed`. */
  *growTask(needed: number, slice: TimeSlice): Task {
    this.#shapeOf = yield* growTask(this.#shapeOf, needed, this.#meter, slice)
  }

  /** Columns in which an element has a value in the newest state, in insertion order. */
  of(slot: number): readonly number[] {
    const shape = this.#shapeOf[slot]!
    return shape === WIDE ? [...this.#wide.get(slot)!] : this.#shapes.keys(shape)
  }

  /** Number of keys of an element in the newest state. */
  count(slot: number): number {
    const shape = this.#shapeOf[slot]!
    return shape === WIDE ? this.#wide.get(slot)!.size : this.#shapes.keys(shape).length
  }

  /** Number of the shape of an element: equal numbers mean equal keys until {@link trim}. {@link WIDE} if it has none. */
  shape(slot: number): number {
    return this.#shapeOf[slot]!
  }

  /** Sets the shape of an element. `shape` must not be WIDE. */
  setShape(slot: number, shape: number): void {
    this.#leave(slot)
    this.#shapeOf[slot] = shape
    this.#shapes.move(0, shape)
  }

  /** The element at the slot has no keys any more. */
  clear(slot: number): void {
    this.setShape(slot, 0)
  }

  #leave(slot: number): void {
    const shape = this.#shapeOf[slot]!
    if (shape !== WIDE) this.#shapes.move(shape, 0)
    else {
      this.#meter.heap -= LIST_BYTES + KEY_BYTES * this.#wide.get(slot)!.size
      this.#wide.delete(slot)
    }
  }

  /** Adds a column to the keys of an element if `present` is true; otherwise removes it. */
  set(slot: number, column: number, present: boolean): void {
    const shape = this.#shapeOf[slot]!
    if (shape === WIDE) this.#setWide(this.#wide.get(slot)!, column, present)
    else {
      const next = this.#next(shape, column, present)
      if (next === undefined) this.#widen(slot, column, present)
      else {
        this.#shapes.move(shape, next)
        this.#shapeOf[slot] = next
      }
    }
  }

  /** The shape with one column more or less; undefined if no shape can have these keys. */
  #next(shape: number, column: number, present: boolean): number | undefined {
    if (!present) return this.#shapes.without(shape, column)
    return this.#shapes.keys(shape).length === MAX_SHAPE_KEYS ? undefined : this.#shapes.with(shape, column)
  }

  #setWide(keys: Set<number>, column: number, present: boolean): void {
    const before = keys.size
    if (present) keys.add(column)
    else keys.delete(column)
    this.#meter.heap += KEY_BYTES * (keys.size - before)
  }

  #widen(slot: number, column: number, present: boolean): void {
    const shape = this.#shapeOf[slot]!
    const keys = new Set(this.#shapes.keys(shape))
    if (present) keys.add(column)
    else keys.delete(column)
    this.#wide.set(slot, keys)
    this.#shapes.move(shape, 0)
    this.#shapeOf[slot] = WIDE
    this.#meter.heap += LIST_BYTES + KEY_BYTES * keys.size
  }

  /** Frees shapes that no element has. Call it before a commit: until its end, an undo may need the former shapes of elements. */
  trim(): void {
    this.#shapes.trim()
  }
}
