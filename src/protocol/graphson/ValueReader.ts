import type { GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import type { Detached } from "../../structure/elements/Element.ts"
import type { JsonReader } from "../json/JsonReader.ts"

/** A reader of GraphSON values, as the functions that read one type need it. */
export interface ValueReader {
  /** The tokens of the text. */
  readonly json: JsonReader
  /** The container of the vertices and edges of the text. */
  readonly elements: Detached
  /** Reads the value that begins here, typed or plain. */
  value(): unknown
  /** Reads an array of values. */
  list(): Array<unknown>
  /** Reads an array of values as a set. */
  set(): GremlinSet
  /** Reads a map: a JSON object, or an array of keys and values in turn. */
  map(): GremlinMap
}

/** A reader with the tokens of a text. */
interface TokenReader {
  readonly json: JsonReader
}

/**
 * Reads all elements of an array that was opened and is not empty.
 *
 * @param items receives the elements
 * @param read reads one element and adds it to the items
 * @returns the items: those of an earlier slice when it began this array
 */
export const readElements = <R extends TokenReader, A>(reader: R, items: A, read: (reader: R, items: A) => void): A => {
  const { json } = reader
  const { slices } = json
  if (slices === null) {
    do read(reader, items)
    while (json.moreElements())
    return items
  }
  const loop = slices.enter(json.position, items, json.position, 0)
  const found = loop.items as A
  json.position = loop.position
  let count = loop.state as number
  if (count === 0 || json.moreElements()) {
    do {
      read(reader, found)
      slices.step(json.position, ++count)
    } while (json.moreElements())
  }
  slices.leave(count)
  return found
}

/**
 * Reads all members of an object that was opened and is not empty.
 *
 * @param items receives the members
 * @param read reads the value of the member with this name and adds it to the items
 * @returns the items: those of an earlier slice when it began this object
 */
export const readMembers = <R extends TokenReader, A>(
  reader: R,
  items: A,
  read: (reader: R, items: A, name: string) => void
): A => {
  const { json } = reader
  const { slices } = json
  if (slices === null) {
    do read(reader, items, json.memberName())
    while (json.moreMembers())
    return items
  }
  const loop = slices.enter(json.position, items, json.position, 0)
  const found = loop.items as A
  json.position = loop.position
  let count = loop.state as number
  if (count === 0 || json.moreMembers()) {
    do {
      read(reader, found, json.memberName())
      slices.step(json.position, ++count)
    } while (json.moreMembers())
  }
  slices.leave(count)
  return found
}
