import { describe, expect, it } from "vitest"
import { LimitExceeded } from "../../../src/process/language/Errors.ts"
import { checkSizes } from "../../../src/process/machine/ValueSize.ts"
import { GremlinMap } from "../../../src/structure/collections/Collections.ts"
import { Tree } from "../../../src/structure/collections/Tree.ts"

const check = (value: unknown): void => {
  const pieces = checkSizes([value], 1)
  while (pieces !== null && pieces.next().done !== true);
}

/** A list with 2^40 parts, most of which are the same object. */
const vast = (): unknown => {
  let list: unknown = [[1]]
  for (let i = 0; i < 40; i++) list = [list, list]
  return list
}

const lists = Array.from({ length: 1_000 }, (_, i) => [[i], i])

describe("The size of a value", () => {
  it("is computed again for a side effect that has grown", () => {
    const list: Array<unknown> = [...lists]
    const map = new GremlinMap(lists.map((member, i) => [i, member]))
    for (const value of [list, map, [list]]) check(value)
    list.push(vast())
    map.set("vast", vast())
    for (const value of [list, map]) expect(() => check(value)).toThrow(LimitExceeded)
  })

  it.each([1, 40_000])("has a limit of levels, also in maps, with %i members in the innermost one", (members) => {
    const nested = (levels: number): unknown => {
      const flat = Array.from({ length: levels > 1_000 ? 1 : members }, (_, i) => i)
      let value: unknown = flat
      for (let i = 1; i < levels; i++) value = i % 2 === 0 ? [value] : new GremlinMap([["a", value]])
      return value
    }
    check(nested(1_000))
    for (const levels of [1_002, 20_000]) {
      expect(() => check(nested(levels))).toThrow("A value has more than 1000 levels of nested collections")
    }
  })

  it("has a limit of levels in a tree", () => {
    let tree = new Tree(new GremlinMap())
    for (let i = 0; i < 3_000; i++) tree = new Tree(new GremlinMap([[i, tree]]))
    expect(() => check(tree)).toThrow("A value has more than 1000 levels of nested collections")
  })
})
