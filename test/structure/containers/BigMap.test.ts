import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { BigMap, BigSet } from "../../../src/structure/containers/BigMap.ts"

const LARGE = 100_000

const keysOf: ReadonlyArray<readonly [string, (i: number) => unknown]> = [
  ["numbers in order", (i) => i],
  ["refs of new elements", (i) => -2 - i],
  ["numbers with a step of two's power", (i) => i * 65_536],
  ["large numbers", (i) => i * 2 ** 33],
  ["fractions", (i) => i / 7],
  ["texts", (i) => `person-${i}`],
  ["numbers beyond all integers", (i) => i * 1e300],
  ["numbers with few bits", (i) => i * 2 ** 60],
  ["long texts that differ in their middle", (i) => `${"x".repeat(200)}${100_000 + i}${"y".repeat(200)}`],
  ["long texts that differ at their ends", (i) => `${"x".repeat(100)}${i}`],
  ["bigints", (i) => BigInt(i) * 3n]
]

describe("A large map", () => {
  it("does what a Map does, whatever its keys", () => {
    const key = FastCheck.oneof(
      FastCheck.integer({ min: -5, max: 5 }),
      FastCheck.constantFrom<unknown>("a", "b", 1n, 2n, 0.5, Number.NaN, -0, null, undefined, true)
    )
    const change = FastCheck.tuple(FastCheck.constantFrom("set", "delete", "clear"), key, FastCheck.nat())
    FastCheck.assert(
      FastCheck.property(FastCheck.array(change, { maxLength: 100 }), FastCheck.boolean(), (changes, isLarge) => {
        const map = new BigMap<unknown, number>()
        const expected = new Map<unknown, number>()
        const filler = isLarge ? 33_000 : 0
        for (let i = 0; i < filler; i++) map.set(`filler ${i}`, i)
        for (let i = 0; i < filler; i++) expected.set(`filler ${i}`, i)
        for (const [what, key, value] of changes) {
          if (what === "set") for (const each of [map, expected]) each.set(key, value)
          else if (what === "delete") expect(map.delete(key)).toBe(expected.delete(key))
          else if (value % 20 === 0) for (const each of [map, expected]) each.clear()
          expect([map.size, map.has(key), map.get(key)]).toEqual([expected.size, expected.has(key), expected.get(key)])
        }
        expect(new Map(map)).toEqual(expected)
        expect(new Set(map.keys())).toEqual(new Set(expected.keys()))
        expect([...map.values()].sort()).toEqual([...expected.values()].sort())
      }),
      { numRuns: 8 }
    )
  })

  it.each(keysOf)("keeps %s in parts, none of which is large", (_, keyOf) => {
    const map = new BigMap<unknown, number>()
    const largest = { entries: 0 }
    const set = Map.prototype.set
    Map.prototype.set = function (this: Map<unknown, unknown>, key, value) {
      set.call(this, key, value)
      largest.entries = Math.max(largest.entries, this.size)
      return this
    }
    try {
      for (let i = 0; i < LARGE; i++) map.set(keyOf(i), i)
    } finally {
      Map.prototype.set = set
    }
    expect(largest.entries).toBeLessThan(40_000)
    expect(map.size).toBe(LARGE)
    for (let i = 0; i < LARGE; i += 7) expect(map.get(keyOf(i))).toBe(i)
    for (let i = 0; i < LARGE; i++) map.delete(keyOf(i))
    expect([map.size, [...map.keys()]]).toEqual([0, []])
  })

  it("used as a set has each key once", () => {
    const set = new BigSet<number>()
    for (let i = 0; i < 2 * LARGE; i++) set.add(i % LARGE)
    expect([set.size, [...set].length, set.has(LARGE - 1), set.has(LARGE)]).toEqual([LARGE, LARGE, true, false])
    set.clear()
    expect([set.size, set.has(1)]).toEqual([0, false])
  })
})
