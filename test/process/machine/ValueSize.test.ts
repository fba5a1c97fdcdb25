import { describe, expect, it } from "vitest"
import { LimitExceeded } from "../../../src/process/language/Errors.ts"
import { checkSizes } from "../../../src/process/machine/ValueSize.ts"
import { GremlinMap } from "../../../src/structure/collections/Collections.ts"

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
})
