import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet, MapEntry } from "../../../src/structure/collections/Collections.ts"
import { Keyed, keyOf } from "../../../src/structure/collections/Equivalence.ts"
import { Tree } from "../../../src/structure/collections/Tree.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { BigDecimal, BigInteger, Byte, Double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { T } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { OffsetDateTime, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { values } from "../Values.ts"

describe("keyOf", () => {
  it("returns a different key for each number type", () => {
    const ones = [
      1,
      1n,
      new Double(1),
      new Float(1),
      new Byte(1),
      new Short(1),
      new BigInteger(1n),
      new BigDecimal(1n, 0)
    ]
    expect(new Set(ones.map(keyOf)).size).toBe(ones.length)
  })

  it("returns one key for NaN and NaN, -0.0 and 0.0, 1.0m and 1.00m", () => {
    expect(new Set([Number.NaN, Number.NaN].map(keyOf)).size).toBe(1)
    expect(keyOf(-0)).toBe(keyOf(new Double(0)))
    expect(keyOf(-0)).not.toBe(keyOf(0))
    expect(keyOf(new BigDecimal(10n, 1))).toBe(keyOf(new BigDecimal(100n, 2)))
    expect(keyOf(new BigDecimal(0n, 1))).toBe(keyOf(new BigDecimal(0n, 5)))
    expect(keyOf(new BigDecimal(1n, 0))).not.toBe(keyOf(new BigDecimal(1n, -1)))
  })

  it("never confuses a string with the key of another value", () => {
    for (const value of [new Double(1), new Uuid("a"), [], T.id, null, true, 1n]) {
      const key = keyOf(value)
      if (typeof key === "string") expect(keyOf(key)).not.toBe(key)
    }
    expect(keyOf(["a", "b"])).not.toBe(keyOf(["as1:b"]))
  })

  it("compares elements by id and type", () => {
    const left = new Detached()
    const right = new Detached()
    expect(keyOf(left.addVertex(1, "a"))).toBe(keyOf(right.addVertex(1, "b")))
    const vertex = right.addVertex(1, "a")
    expect(keyOf(vertex)).not.toBe(keyOf(right.addEdge(1, "a", vertex, vertex)))
  })

  it("respects the order of lists and paths, and no order in sets, maps and bulk sets", () => {
    expect(keyOf([1, 2])).toBe(keyOf([1, 2]))
    expect(keyOf([1, 2])).not.toBe(keyOf([2, 1]))
    expect(keyOf(new GremlinSet([1, "a"]))).toBe(keyOf(new GremlinSet(["a", 1])))
    expect(keyOf(new GremlinSet([1]))).not.toBe(keyOf([1]))
    const map = new GremlinMap([
      ["a", 1],
      ["b", 2]
    ])
    const turned = new GremlinMap([
      ["b", 2],
      ["a", 1]
    ])
    expect(keyOf(map)).toBe(keyOf(turned))
    expect(keyOf(new Tree(map))).toBe(keyOf(new Tree(turned)))
    expect(keyOf(new Tree(map))).not.toBe(keyOf(map))
    const bulk = new BulkSet()
    bulk.add("a", 2)
    bulk.add("b")
    const same = new BulkSet()
    for (const value of ["a", "b", "a"]) same.add(value)
    expect(keyOf(bulk)).toBe(keyOf(same))
    expect(keyOf(new MapEntry("a", 1))).toBe(keyOf(new MapEntry("a", 1)))
  })

  it("includes the labels of a path", () => {
    const path = (label: string) => new Path([1], [new Set([label])])
    expect(keyOf(path("a"))).toBe(keyOf(path("a")))
    expect(keyOf(path("a"))).not.toBe(keyOf(path("b")))
  })

  it("distinguishes dates, timestamps, characters and bytes by value", () => {
    expect(keyOf(new OffsetDateTime(5, 0, 0))).toBe(keyOf(new OffsetDateTime(5, 0, 0)))
    expect(keyOf(new OffsetDateTime(5, 0, 0))).not.toBe(keyOf(new OffsetDateTime(5, 0, 60)))
    expect(keyOf(new Timestamp(5))).not.toBe(keyOf(new OffsetDateTime(5, 0, 0)))
    expect(keyOf(new Char("a"))).not.toBe("a")
    expect(keyOf(Uint8Array.of(1, 2))).toBe(keyOf(Uint8Array.of(1, 2)))
  })

  it("falls back to identity for objects of unknown classes", () => {
    const one = { a: 1 }
    expect(keyOf(one)).toBe(one)
    expect(keyOf([one])).toBe(keyOf([one]))
    expect(keyOf([one])).not.toBe(keyOf([{ a: 1 }]))
  })

  it("finds the entries of a map by an equivalent key, and keeps the first key", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.tuple(values, FastCheck.integer())), (entries) => {
        const map = new GremlinMap(entries)
        const last = new Map(entries.map(([key, value]) => [keyOf(key), value]))
        expect(map.size).toBe(last.size)
        for (const [key] of entries) expect(map.get(key)).toBe(last.get(keyOf(key)))
        expect(Array.from(map.keys(), keyOf)).toEqual([...last.keys()])
      })
    )
  })

  it.each<readonly [string, (member: unknown) => unknown]>([
    ["sets", (member) => new GremlinSet([member])],
    ["maps as keys", (member) => new GremlinMap([[member, 1]])],
    ["bulk sets", (member) => bulkSetOf(member)]
  ])("of nested %s is built from the keys of the members, each of which is built once", (_, around) => {
    let made = 0
    class Counted extends Keyed {
      override equivalenceKey(): string {
        made++
        return "\0counted"
      }
    }
    let nested: unknown = new Counted()
    for (let depth = 0; depth < 50; depth++) nested = around(nested)
    expect(typeof keyOf(nested)).toBe("string")
    expect(made).toBe(1)
  })
})

const bulkSetOf = (member: unknown): BulkSet => {
  const set = new BulkSet()
  set.add(member)
  return set
}
