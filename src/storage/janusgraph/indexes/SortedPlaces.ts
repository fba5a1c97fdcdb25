import type { Ref } from "../../../structure/elements/Element.ts"
import type { PropertyKey } from "../schema/Schema.ts"
import type { TransactionView } from "../transaction/TransactionView.ts"
import type { CellIndexChoice } from "./IndexChoice.ts"
import { orderedValue } from "./OrderedValues.ts"

/** Where an element is in a sorted search: at an entry, at a later place, or nowhere. */
type Place = "here" | "later" | "nowhere"

/**
 * The places of vertices in a sorted search of a key whose values can expire. The entry of a value that has expired may be there still,
 * because it has the TTL of the first field, or because another field was set later. And an entry may be of another moment than the row of
 * its vertex, which is then at the place of the value in the row, as far as the search has not passed it.
 */
export class SortedPlaces {
  readonly #reading: TransactionView
  readonly #choice: CellIndexChoice
  readonly #key: PropertyKey
  /** Vertices whose places come later, the next one last. */
  readonly #held: Array<{ readonly ref: Ref; readonly place: Uint8Array }> = []

  constructor(reading: TransactionView, choice: CellIndexChoice, key: PropertyKey) {
    this.#reading = reading
    this.#choice = choice
    this.#key = key
  }

  /** True if {@link next} returns no more vertices. */
  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  /** Where the vertex of an entry is. */
  of(ref: Ref, column: Uint8Array): Place {
    const state = this.#reading.liveState(ref, this.#key.name)
    if (state === undefined) return "nowhere"
    const { sortedAt } = this.#choice
    const value = orderedValue(this.#key, state.entries[0]!.value)
    if (value.equals(column.subarray(sortedAt, sortedAt + value.length))) return "here"
    const place = Buffer.concat([column.subarray(0, sortedAt), value])
    if (!this.#isFound(place)) return "nowhere"
    if (this.#isBefore(place, column)) return "here"
    let [low, high] = [0, this.#held.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#isBefore(place, this.#held[middle]!.place)) low = middle + 1
      else high = middle
    }
    this.#held.splice(low, 0, { ref, place })
    return "later"
  }

  /** The next vertex whose place is before a column, or after all columns; undefined if there is none. */
  next(column: Uint8Array | undefined): Ref | undefined {
    const held = this.#held.at(-1)
    if (held === undefined || (column !== undefined && !this.#isBefore(held.place, column))) return undefined
    this.#held.pop()
    return held.ref
  }

  /** Whether the search finds entries at a place. */
  #isFound(place: Uint8Array): boolean {
    const { filter, slices } = this.#choice
    const { end, start } = slices[0]!
    if (start !== undefined && Buffer.compare(place, start) < 0) return false
    if (end !== undefined && Buffer.compare(place, end) >= 0) return false
    return filter === undefined || filter(place)
  }

  /** Whether the search passes a place first. */
  #isBefore(place: Uint8Array, column: Uint8Array): boolean {
    const order = Buffer.compare(place, column)
    return this.#choice.descending ? order > 0 : order < 0
  }

  clear(): void {
    this.#held.length = 0
  }
}
