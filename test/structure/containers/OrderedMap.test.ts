import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"

/** Many more than a Map that grows at once may have. */
const LARGE = 100_000
/** Of several types, with some whose key is not the value itself. */
const member = (i: number): unknown => (i % 3 === 0 ? i : i % 3 === 1 ? `text ${i}` : new Double(i + 0.5))
const values = Array.from({ length: LARGE }, (_, i) => member(i))

describe("A large collection", () => {
  it("keeps the order of insertion, and finds what is in it: a map", () => {
    const map = new GremlinMap(values.map((value, i) => [value, i]))
    expect(map.size).toBe(LARGE)
    expect([...map.keys()]).toEqual(values)
    expect([...map.values()]).toEqual(values.map((_, i) => i))
    const visited: Array<unknown> = []
    map.forEach((value, key) => {
      visited.push(key, value)
    })
    expect(visited).toEqual([...map].flat())
    expect([map.get(member(70_001)), map.get(member(70_000)), map.has("nothing")]).toEqual([70_001, 70_000, false])
    map.set(member(5), "other")
    expect([map.size, map.get(new Double(5.5)), [...map.values()][5]]).toEqual([LARGE, "other", "other"])
  })

  it("keeps the order of insertion, and finds what is in it: a set", () => {
    const set = new GremlinSet([...values, ...values])
    expect(set.size).toBe(LARGE)
    expect([...set]).toEqual(values)
    expect([set.add(member(99_998)), set.add("new"), set.has("new")]).toEqual([false, true, true])
  })

  it("keeps the order of insertion, and finds what is in it: a bulk set", () => {
    const set = new BulkSet()
    for (const value of values) set.add(value, 2)
    expect([set.size, set.uniqueSize, set.count(member(77_777))]).toEqual([2 * LARGE, LARGE, 2])
    expect([...set.distinct()]).toEqual(values)
  })

  it("removes a deleted key, and adds it at the end when it is set again", () => {
    const map = new GremlinMap(values.map((value, i) => [value, i]))
    for (let i = 0; i < LARGE; i += 2) expect(map.delete(member(i))).toBe(true)
    expect(map.delete(member(0))).toBe(false)
    map.set(member(0), "again")
    expect([map.size, map.has(member(2)), [...map.keys()].at(-1), [...map.values()].at(-1)]).toEqual([
      LARGE / 2 + 1,
      false,
      0,
      "again"
    ])
    const visited: Array<unknown> = []
    map.forEach((value, key) => {
      visited.push([key, value])
    })
    // The difference of two long lists takes minutes to print.
    expect(visited.length).toBe(map.size)
    expect(visited).toEqual([...map])
    expect([...map.keys()].map((key) => map.get(key))).toEqual([...map.values()])
    for (const key of [...map.keys()]) map.delete(key)
    expect([map.size, [...map]]).toEqual([0, []])
    map.set("a", 1)
    expect([...map]).toEqual([["a", 1]])
  })
})
