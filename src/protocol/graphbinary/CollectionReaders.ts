import { BulkSet, GremlinMap, GremlinSet } from "../../structure/collections/Collections.ts"
import { Tree } from "../../structure/collections/Tree.ts"
import { readItems, STRUCTURE_BYTES, type ValueReader } from "./ValueReader.ts"

// Collections other than lists and maps, without their type codes. The first argument of input.length() is the least size of
// an item in bytes.

/** Reads a set. */
export const readSet = (reader: ValueReader): GremlinSet =>
  readItems(reader, reader.input.length(2, "a set"), new GremlinSet(), addMember)

const addMember = (reader: ValueReader, set: GremlinSet): void => {
  set.add(reader.value())
}

/** Reads a bulk set: its different values with their counts. */
export const readBulkSet = (reader: ValueReader): BulkSet =>
  readItems(reader, reader.input.length(10, "a BulkSet"), new BulkSet(), addCounted)

const addCounted = (reader: ValueReader, set: BulkSet): void => {
  const value = reader.value()
  set.add(value, readCount(reader))
}

/** Reads a count: a Long from 0 on. */
export const readCount = ({ input }: ValueReader): number => {
  const count = input.safeLong("A count")
  return count < 0 ? input.fail("A count is negative") : count
}

/** Reads a tree. */
export const readTree = (reader: ValueReader): Tree => {
  const { input } = reader
  const count = input.length(6, "a tree")
  input.heldBytes += STRUCTURE_BYTES
  input.enter()
  const children = readItems(reader, count, new GremlinMap(), addBranch)
  input.leave()
  return new Tree(children)
}

const addBranch = (reader: ValueReader, children: GremlinMap): void => {
  const key = reader.value()
  children.set(key, readTree(reader))
}
