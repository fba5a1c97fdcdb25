/** Each row has the number of a way; `ways` lists, for each way, the indexes of its options in order. */
export interface Choices {
  readonly way: Int32Array
  readonly ways: ReadonlyArray<ReadonlyArray<number>>
}

/** Records the options that take each row. */
export interface Taken {
  add(row: number, place: number): void
  /** Returns true while no option has taken the row. */
  isOpen(row: number): boolean
  choices(options: number): Choices
}

/** choose(): the way of a row is the first option that takes it; way 0 means no option. */
export class FirstTaken implements Taken {
  readonly #way: Int32Array
  constructor(length: number) {
    this.#way = new Int32Array(length)
  }
  add(row: number, place: number): void {
    if (this.#way[row] === 0) this.#way[row] = place + 1
  }
  isOpen(row: number): boolean {
    return this.#way[row] === 0
  }
  choices(options: number): Choices {
    return { way: this.#way, ways: Array.from({ length: options + 1 }, (_, way) => (way === 0 ? [] : [way - 1])) }
  }
}

/** branch(): the way of a row is all options that take it, in the order of the options. */
export class AllTaken implements Taken {
  readonly #places: Array<Array<number>>
  constructor(length: number) {
    this.#places = Array.from({ length }, () => [])
  }
  add(row: number, place: number): void {
    this.#places[row]!.push(place)
  }
  isOpen(row: number): boolean {
    return this.#places[row]!.length === 0
  }
  choices(): Choices {
    const ways: Array<ReadonlyArray<number>> = []
    const known = new Map<string, number>()
    const way = Int32Array.from(this.#places, (places) => {
      const key = places.sort((a, b) => a - b).join(",")
      const number = known.get(key) ?? ways.length
      if (number === ways.length) {
        known.set(key, number)
        ways.push(places)
      }
      return number
    })
    return { way, ways }
  }
}
