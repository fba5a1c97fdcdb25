import type { VertexId } from "../format/Ids.ts"
import type { VertexRow } from "./Row.ts"

/** Places of a new table; a power of two. */
const SMALLEST = 32

/**
 * Rows by their ids. A Map that grows leaves the tables it grew out of to the garbage collector linked with the rest of
 * its transaction, so that what was promoted once keeps what comes after it: with one in every transaction half of what
 * short reads made outlived them.
 */
export class RowTable {
  #places: Array<VertexRow | undefined> = new Array(SMALLEST).fill(undefined)
  size = 0

  get(id: VertexId): VertexRow | undefined {
    const places = this.#places
    const mask = places.length - 1
    for (let place = hashOf(id) & mask; ; place = (place + 1) & mask) {
      const row = places[place]
      if (row === undefined || row.id === id) return row
    }
  }

  set(row: VertexRow): void {
    if (this.size * 2 >= this.#places.length) this.#grow()
    if (put(this.#places, row)) this.size++
  }

  #grow(): void {
    const places = new Array<VertexRow | undefined>(this.#places.length * 4).fill(undefined)
    for (const row of this.#places) if (row !== undefined) put(places, row)
    this.#places = places
  }
}

/** False when it takes the place of another one with its id. */
const put = (places: Array<VertexRow | undefined>, row: VertexRow): boolean => {
  const mask = places.length - 1
  for (let place = hashOf(row.id) & mask; ; place = (place + 1) & mask) {
    const other = places[place]
    if (other !== undefined && other.id !== row.id) continue
    places[place] = row
    return other === undefined
  }
}

/** 16 bits of an id. */
export const hashOf = (id: VertexId): number =>
  Math.imul(typeof id === "number" ? id | 0 : numberOf(String(id)), 0x9e3779b1) >>> 16

/** A number for a text: two of the same number are rare. */
export const numberOf = (text: string): number => {
  let number = 1
  for (let i = 0; i < text.length; i++) number = (Math.imul(number, 31) + text.charCodeAt(i)) | 0
  return number
}
