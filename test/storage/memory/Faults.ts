import { Adjacency } from "../../../src/storage/memory/Adjacency.ts"
import { Arena } from "../../../src/storage/memory/Arena.ts"
import { Column } from "../../../src/storage/memory/Column.ts"
import { ElementKeys } from "../../../src/storage/memory/ElementKeys.ts"
import { ElementTable } from "../../../src/storage/memory/ElementTable.ts"
import { HashIndex } from "../../../src/storage/memory/HashIndex.ts"
import { IdCells } from "../../../src/storage/memory/IdCells.ts"
import { IdTable } from "../../../src/storage/memory/IdTable.ts"
import { PropertyColumn } from "../../../src/storage/memory/PropertyColumn.ts"
import { SortedSlots } from "../../../src/storage/memory/SortedSlots.ts"
import { Undo } from "../../../src/storage/memory/Undo.ts"
import { BigMap } from "../../../src/structure/containers/BigMap.ts"

type Methods = Record<string, (...given: Array<unknown>) => unknown>

/**
 * What a commit calls that changes something, and may fail: each of them changes nothing then. A Map deletes without
 * fail.
 */
const failing: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
  [Adjacency.prototype, ["open", "delete"]],
  [Arena.prototype, ["allocate"]],
  [BigMap.prototype, ["set"]],
  [Column.prototype, ["set"]],
  [ElementTable.prototype, ["growTask", "add", "kill", "openColumn", "release"]],
  [ElementKeys.prototype, ["growTask", "set"]],
  [HashIndex.prototype, ["add", "remove"]],
  [IdCells.prototype, ["add", "remove"]],
  [IdTable.prototype, ["add", "addNumber", "remove", "growTask"]],
  [PropertyColumn.prototype, ["write"]],
  [SortedSlots.prototype, ["add", "delete"]],
  [Undo.prototype, ["push", "trim"]]
]

/** Typed arrays that a commit makes, which fail as V8 does without memory. */
const arrays = ["Int32Array", "Float64Array", "Uint8Array"] as const

export class Fault extends Error {}

/**
 * Counts the calls of everything in a commit that may fail, and makes one of them fail instead: the call with the
 * number `failing`, from 0. Works until {@link end}.
 */
export class Faults {
  #calls = 0
  #again: number
  readonly #failing: number
  readonly #restore: Array<() => void> = []

  /** `again`: this many calls later another one fails. */
  constructor(failingCall: number, again = Number.POSITIVE_INFINITY) {
    this.#failing = failingCall
    this.#again = failingCall + again
    for (const [prototype, names] of failing) for (const name of names) this.#wrap(prototype as Methods, name)
    for (const name of arrays) this.#wrapArray(name)
  }

  get calls(): number {
    return this.#calls
  }

  #fails(): boolean {
    const call = this.#calls++
    return call === this.#failing || call === this.#again
  }

  #wrap(prototype: Methods, name: string): void {
    const method = prototype[name]!
    const faults = this
    prototype[name] = function (this: unknown, ...given) {
      if (faults.#fails()) throw new Fault(`${name} failed`)
      return method.apply(this, given)
    }
    this.#restore.push(() => {
      prototype[name] = method
    })
  }

  #wrapArray(name: (typeof arrays)[number]): void {
    const original = globalThis[name]
    const replaced = new Proxy(original, {
      construct: (target, given) => {
        if (this.#fails()) throw new RangeError("Array buffer allocation failed")
        return Reflect.construct(target, given)
      }
    })
    const set = (value: unknown): void => {
      Object.assign(globalThis, { [name]: value })
      original.prototype.constructor = value as (typeof original)["prototype"]["constructor"]
    }
    set(replaced)
    this.#restore.push(() => set(original))
  }

  end(): void {
    for (const restore of this.#restore.splice(0)) restore()
  }
}
