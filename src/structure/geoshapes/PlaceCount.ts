/** The maximum number of places of a shape that is checked, with those of all its parts: the check takes about 100 ms. */
export const MAX_PLACES = 100_000

/** Counts the places of a shape while it is read: nothing interrupts the reading, so that it must end at the limit. */
export class PlaceCount {
  #count = 0

  /** Adds places. An empty list counts as a place, too. Throws RangeError above {@link MAX_PLACES}. */
  add(places: number): void {
    this.#count += places
    if (this.#count <= MAX_PLACES) return
    throw new RangeError(`a shape has at most ${MAX_PLACES} places, not ${Math.ceil(this.#count)}`)
  }
}
