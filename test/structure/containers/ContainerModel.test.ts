import { describe, expect, it } from "vitest"
import { BigMap, BigSet } from "../../../src/structure/containers/BigMap.ts"
import { enlarged, isFull, type OrderedMap } from "../../../src/structure/containers/OrderedMap.ts"
import { Ring } from "../../../src/structure/containers/Ring.ts"
import type { Random } from "../../fuzz/Random.ts"
import { steps, withRandom } from "../../fuzz/Seeds.ts"

/** Makes keys of one kind out of numbers. */
const keysOf = (random: Random): ((i: number) => unknown) =>
  random.one<(i: number) => unknown>([
    (i) => i,
    (i) => -i,
    (i) => i * 65_536,
    (i) => i / 7,
    (i) => BigInt(i),
    (i) => `key ${i}`,
    (i) => (i % 2 === 0 ? i : `${i}`)
  ])

interface Changing {
  get(key: unknown): number | undefined
  set(key: unknown, value: number): unknown
  delete(key: unknown): boolean
}

/** Sets, deletes and reads keys at random in phases that mostly add, mostly delete, or replace. */
const change = (random: Random, map: Changing, expected: Map<unknown, number>): number => {
  const key = keysOf(random)
  const range = 1 + random.below(random.one([10, 5_000, 100_000]))
  const adds = random.one([0, 0.3, 0.5, 0.7, 1])
  const count = random.below(100_000)
  for (let i = 0; i < count; i++) {
    const each = key(random.chance(0.5) ? i % range : random.below(range))
    if (random.chance(adds)) {
      map.set(each, i)
      expected.set(each, i)
    } else if (map.delete(each) !== expected.delete(each)) expect.fail(`${String(each)} was deleted wrongly`)
    const other = key(random.below(range))
    if (map.get(other) !== expected.get(other)) {
      expect.fail(`${String(other)} is ${map.get(other)}, expected ${expected.get(other)}`)
    }
  }
  return count
}

/** Fails unless both have the same entries. */
const compare = (map: Iterable<[unknown, number]>, size: number, expected: ReadonlyMap<unknown, number>): void => {
  let found = 0
  for (const [key, value] of map) {
    found++
    if (expected.get(key) !== value) expect.fail(`${String(key)} is ${value}, expected ${expected.get(key)}`)
  }
  expect([found, size]).toEqual([expected.size, expected.size])
}

describe("Over hundreds of thousands of changes", () => {
  it("a large map has the entries of a Map", () =>
    withRandom((random) => {
      const map = new BigMap<unknown, number>()
      const expected = new Map<unknown, number>()
      for (let done = 0; done < steps(300_000); ) {
        done += change(random, map, expected)
        compare(map, map.size, expected)
        if (random.chance(0.1)) for (const each of [map, expected]) each.clear()
        // All keys, one by one: the map becomes small again.
        if (random.chance(0.1)) for (const key of [...expected.keys()]) map.delete(key) && expected.delete(key)
      }
    }))

  it("a large set has the members of a Set, and can be emptied while it is read", () =>
    withRandom((random) => {
      const set = new BigSet<unknown>()
      const expected = new Set<unknown>()
      for (let done = 0; done < steps(300_000); ) {
        const key = keysOf(random)
        const range = 1 + random.below(random.one([10, 100_000]))
        const adds = random.next()
        for (let count = random.below(100_000); count > 0; count--, done++) {
          const each = key(random.below(range))
          if (random.chance(adds)) for (const one of [set, expected]) one.add(each)
          else if (set.delete(each) !== expected.delete(each)) expect.fail(`${String(each)} was deleted wrongly`)
        }
        expect([set.size, [...set].every((each) => expected.has(each))]).toEqual([expected.size, true])
        if (!random.chance(0.2)) continue
        for (const each of set)
          if (!set.delete(each) || !expected.delete(each)) expect.fail(`${String(each)} came twice`)
        expect([set.size, expected.size]).toEqual([0, 0])
      }
    }))

  it("a map in insertion order has the entries of a Map in the same order", () =>
    withRandom((random) => {
      for (let done = 0; done < steps(300_000); ) {
        let map: OrderedMap<unknown, number> = new Map()
        const growing = {
          set: (key: unknown, value: number) => {
            map.set(key, value)
            if (isFull(map)) map = enlarged(map)
          },
          delete: (key: unknown) => map.delete(key),
          get: (key: unknown) => map.get(key)
        }
        const expected = new Map<unknown, number>()
        for (let phase = random.below(8); phase >= 0; phase--) {
          done += change(random, growing, expected)
          compare(map, map.size, expected)
          const [keys, values] = [map.keys(), map.values()]
          for (const [key, value] of expected) {
            const found = [keys.next().value, values.next().value]
            if (found[0] !== key || found[1] !== value) expect.fail(`${String(key)} is not in its place`)
          }
        }
      }
    }))

  it("a ring returns its items in the order in which they were added", () =>
    withRandom((random) => {
      const ring = new Ring<number>()
      let [first, next] = [0, 0]
      for (let done = 0; done < steps(2_000_000); ) {
        const pushes = random.one([0, 0.3, 0.5, 0.7, 1])
        for (let count = random.below(20_000); count > 0; count--, done++) {
          if (random.chance(pushes)) ring.push(next++)
          else if (ring.shift() !== (first === next ? undefined : first++)) expect.fail(`not ${first - 1}`)
          if (ring.length !== next - first || ring.first !== (first === next ? undefined : first)) expect.fail("length")
        }
        const kept = random.below(next - first + 1)
        if (random.chance(0.2)) ring.keep((item) => item >= next - kept)
        if (ring.first !== undefined) first = ring.first
        else if (ring.length === 0) first = next
      }
    }))
})
