import type { GremlinMap } from "../../structure/collections/Collections.ts"
import type { Detached } from "../../structure/elements/Element.ts"
import type { ByteReader } from "./ByteReader.ts"

/** A reader of GraphBinary values, as the functions that read one type need it. */
export interface ValueReader {
  readonly input: ByteReader
  /** The container of the vertices and edges of the message. */
  readonly elements: Detached
  /** Reads a value of any type with its type code. */
  value(): unknown
  /** Reads a list without its type code. */
  list(): Array<unknown>
  /** Reads a map without its type code. */
  map(): GremlinMap
}

/** Estimated memory of a value that contains others, in bytes. It may be an empty collection. */
export const STRUCTURE_BYTES = 128

/**
 * Reads `count` items. A time slice may end between them when the message is read in slices.
 *
 * @param items receives the items
 * @param read reads one item and adds it to the items
 * @returns the items: those of an earlier slice when it began this collection
 */
export const readItems = <R extends ValueReader, A>(
  reader: R,
  count: number,
  items: A,
  read: (reader: R, items: A) => void
): A => {
  const { input } = reader
  const { slices } = input
  if (slices === null) {
    for (let i = 0; i < count; i++) read(reader, items)
    return items
  }
  const loop = slices.enter(input.position, items, input.position, 0)
  const found = loop.items as A
  input.position = loop.position
  for (let i = loop.state as number; i < count; i++) {
    read(reader, found)
    slices.step(input.position, i + 1)
  }
  slices.leave(count)
  return found
}
