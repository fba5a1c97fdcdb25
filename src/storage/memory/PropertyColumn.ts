import { BigMap } from "../../structure/containers/BigMap.ts"
import type { NaturalIds } from "../shared/IdManager.ts"
import { Entry, type PropertyState } from "../shared/Properties.ts"
import { Column } from "./Column.ts"
import type { Meter } from "./Growth.ts"
import type { HashIndex } from "./HashIndex.ts"
import { Undo } from "./Undo.ts"

/**
 * The newest states of one property key of all vertices, or of all edges, with their undo log. Values are stored in a column. A
 * state of a vertex is in a Map, too, unless it is one property that has no meta-properties and whose id comes from a counter.
 */
export class PropertyColumn {
  readonly key: string
  /** Position among the columns of vertices, or among the columns of edges. */
  readonly number: number
  readonly values: Column
  readonly undo = new Undo<number, PropertyState | undefined>()
  /** The index on this key, which may still be incomplete; null if there is none. */
  index: HashIndex | null = null
  readonly #ids: Column | null
  readonly #natural: NaturalIds | null
  readonly #details = new BigMap<number, PropertyState>()
  readonly #meter: Meter

  /** `natural` is null for edge properties, which have no ids. */
  constructor(key: string, number: number, natural: NaturalIds | null, meter: Meter) {
    this.key = key
    this.number = number
    this.#natural = natural
    this.#meter = meter
    this.values = new Column(meter)
    this.#ids = natural === null ? null : new Column(meter)
  }

  /** True when some element may have several values. */
  get hasDetails(): boolean {
    return this.#details.size > 0
  }

  /** The newest state of a slot. */
  state(slot: number): PropertyState | undefined {
    if (this.#details.size > 0) {
      const state = this.#details.get(slot)
      if (state !== undefined) return state
    }
    const value = this.values.get(slot)
    if (value === undefined) return undefined
    return new Entry(
      this.#ids === null ? undefined : this.#natural!.restore(this.#ids.get(slot) as number),
      value,
      null
    )
  }

  /** The state that a snapshot sees. */
  stateAt(slot: number, snapshot: number): PropertyState | undefined {
    if (this.undo.size > 0) {
      const replaced = this.undo.at(slot, snapshot)
      if (replaced !== undefined) return replaced.old
    }
    return this.state(slot)
  }

  /** The value that a read in a snapshot returns. */
  valueAt(slot: number, snapshot: number): unknown {
    if (this.undo.size > 0) {
      const replaced = this.undo.at(slot, snapshot)
      if (replaced !== undefined) return replaced.old?.value
    }
    return this.values.get(slot)
  }

  /** Sets the newest state of a slot; undefined removes it. */
  write(slot: number, state: PropertyState | undefined): void {
    this.values.set(slot, state?.value)
    if (this.#ids === null) return
    const number = state instanceof Entry && state.meta === null ? this.#natural!.number(state.id) : undefined
    this.#ids.set(slot, number)
    if (state !== undefined && number === undefined) {
      this.#meter.heap += DETAIL_BYTES * (state.entries.length - (this.#details.get(slot)?.entries.length ?? 0))
      this.#details.set(slot, state)
    } else if (this.#details.size > 0) {
      const had = this.#details.get(slot)
      if (had === undefined) return
      this.#meter.heap -= DETAIL_BYTES * had.entries.length
      this.#details.delete(slot)
    }
  }
}

/** Estimated bytes that a property takes in the Map, without its value. */
const DETAIL_BYTES = 160
