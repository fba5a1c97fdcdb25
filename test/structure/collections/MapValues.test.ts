import { describe, expect, it } from "vitest"
import { DefaultMap } from "../../../src/gremlin/script/values/DefaultMap.ts"
import { EntrySet, KeySet, liveEntries } from "../../../src/gremlin/script/values/MapParts.ts"
import { GremlinMap } from "../../../src/structure/collections/Collections.ts"
import { viewedBy } from "../../../src/structure/collections/MapValues.ts"
import { bytesOf } from "../../../src/structure/memory/HeldBytes.ts"

/** A map that counts how often all its values are read. */
class CountingMap extends GremlinMap {
  reads = 0
  override values(): IterableIterator<unknown> {
    this.reads++
    return super.values()
  }
}

describe("The values of a map", () => {
  it("give their number without a copy, and are copied once after each change", () => {
    const map = new CountingMap([["a", 1]])
    const values = viewedBy(map)
    expect([values.length, map.reads]).toEqual([1, 0])
    expect([values[0], values[0], map.reads]).toEqual([1, 1, 1])
    map.set("b", 2)
    expect([[...values], values.flat(), 1 in values, map.reads]).toEqual([[1, 2], [1, 2], true, 2])
    map.delete("a")
    expect([Object.keys(values).includes("1"), values.map((it) => it)]).toEqual([false, [2]])
  })

  it("cannot be written past the methods of scripts", () => {
    const values = viewedBy(new GremlinMap([["a", 1]]))
    expect(() => values.push(2)).toThrow(TypeError)
    expect(() => {
      values[0] = 2
    }).toThrow(TypeError)
    expect(() => values.pop()).toThrow(TypeError)
  })
})

describe("The memory of a view of a map", () => {
  const largeMap = (): GremlinMap =>
    new GremlinMap([
      ["a", 1],
      ["b", "x".repeat(100_000)]
    ])
  const viewOf = {
    "keySet()": (map: GremlinMap) => new KeySet(map),
    "entrySet()": (map: GremlinMap) => new EntrySet(map),
    "values()": viewedBy
  }

  for (const [name, view] of Object.entries(viewOf)) {
    it(`is that of the map for ${name}, which keeps it, and counts once in a list`, () => {
      const map = largeMap()
      const bytes = bytesOf([view(map)])
      expect(bytes).toBeGreaterThan(200_000)
      expect(bytesOf([view(map), view(map)])).toBeLessThan(1.1 * bytes)
      expect(bytesOf(Array.from({ length: 50 }, () => view(largeMap())))).toBeGreaterThan(9_000_000)
    })
  }

  it("is that of the key and the value for an entry, which does not keep the map", () => {
    const [first, second] = liveEntries(largeMap())
    expect(bytesOf(first)).toBeLessThan(1_000)
    expect(bytesOf(second)).toBeGreaterThan(200_000)
  })

  it("of a map counts the entries that it keeps for loops", () => {
    const map = new GremlinMap(Array.from({ length: 1000 }, (_, at) => [at, at]))
    const before = bytesOf(map)
    liveEntries(map)
    expect(bytesOf(map)).toBeGreaterThan(before + 50_000)
    expect(bytesOf(new DefaultMap(map, undefined as never))).toBe(bytesOf(map))
    for (let at = 0; at < 1000; at++) map.delete(at)
    expect(bytesOf(map)).toBeLessThan(1_000)
  })
})
