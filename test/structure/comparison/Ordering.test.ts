import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { BulkSet, GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { keyOf } from "../../../src/structure/collections/Equivalence.ts"
import { compare } from "../../../src/structure/comparison/Comparison.ts"
import { equals } from "../../../src/structure/comparison/Equality.ts"
import { order } from "../../../src/structure/comparison/Ordering.ts"
import { Detached } from "../../../src/structure/elements/Element.ts"
import { Path } from "../../../src/structure/elements/Path.ts"
import { BigDecimal, BigInteger, Byte, Double, double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { T } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { Duration, OffsetDateTime, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { numbers, values } from "../Values.ts"

const ones = [1, 1n, double(1), new Float(1), new Byte(1), new Short(1), new BigInteger(1n), new BigDecimal(100n, 2)]
const graph = new Detached()
const vertex = graph.addVertex(1, "person")
const edge = graph.addEdge(1, "knows", vertex, vertex)

describe("order", () => {
  it("ranks the types null, boolean, number, date, string, UUID, elements, path, set, list, map", () => {
    const ranked = [
      null,
      false,
      true,
      Number.NEGATIVE_INFINITY,
      1,
      double(2),
      Number.POSITIVE_INFINITY,
      Number.NaN,
      new OffsetDateTime(0, 0, 0),
      new OffsetDateTime(1, 0, 0),
      "bar",
      "foo",
      new Uuid("5100808b-62f9-42b7-957e-ed66c30f40d1"),
      new Uuid("f100808b-62f9-42b7-957e-ed66c30f40d1"),
      vertex,
      edge,
      new Path([1], [new Set()]),
      new GremlinSet(["x"]),
      ["a", "b"],
      ["a", "b", "c"],
      new GremlinMap([["a", false]]),
      new GremlinMap([["a", "b"]]),
      new Char("a")
    ]
    expect([...ranked].reverse().sort(order)).toEqual(ranked)
  })

  it("takes enum constants for their names, but not as the keys of maps, which come after texts in Java's order", () => {
    expect([T.label, "key", T.id].sort(order)).toEqual([T.id, "key", T.label])
    const map = (id: number, label: string, name: string) =>
      new GremlinMap([
        [T.id, id],
        [T.label, label],
        ["name", name]
      ])
    const maps = [map(3, "b", "x"), map(2, "a", "y"), map(1, "b", "y"), map(4, "b", "y")]
    expect([...maps].reverse().sort(order)).toEqual(maps)
    expect([[T.id], [T.label], ["z"]].sort(order)).toEqual([["z"], [T.label], [T.id]])
  })

  it("is total and transitive over all values", () => {
    FastCheck.assert(
      FastCheck.property(values, values, values, (a, b, c) => {
        expect(Math.sign(order(a, b)) + Math.sign(order(b, a))).toBe(0)
        expect(order(a, a)).toBe(0)
        const [x, y, z] = [a, b, c].sort(order)
        expect(order(x, y)).toBeLessThanOrEqual(0)
        expect(order(y, z)).toBeLessThanOrEqual(0)
        expect(order(x, z)).toBeLessThanOrEqual(0)
      }),
      { numRuns: 1000 }
    )
  })

  it("is total and transitive over numbers of all types", () => {
    FastCheck.assert(
      FastCheck.property(numbers, numbers, numbers, (a, b, c) => {
        const [x, y, z] = [a, b, c].sort(order)
        expect(Math.sign(order(a, b)) + Math.sign(order(b, a))).toBe(0)
        expect(order(x, z)).toBeLessThanOrEqual(0)
        if (order(x, y) === 0 && order(y, z) === 0) expect(order(x, z)).toBe(0)
      }),
      { numRuns: 3000 }
    )
  })

  it("returns 0 for equivalent values", () => {
    FastCheck.assert(
      FastCheck.property(values, values, (a, b) => {
        if (keyOf(a) === keyOf(b)) expect(order(a, b)).toBe(0)
      })
    )
  })
})

describe("equals", () => {
  it("compares numbers by value across all types", () => {
    for (const a of ones) for (const b of ones) expect(equals(a, b)).toBe(true)
    expect(equals(0.1, new BigDecimal(1n, 1))).toBe(true)
    expect(equals(-0, 0)).toBe(true)
    expect(equals(-0, new Double(0))).toBe(true)
    expect(equals(2n ** 53n + 1n, 2 ** 53)).toBe(false)
    expect(equals(new BigInteger(2n ** 63n), 2 ** 63)).toBe(true)
    expect(equals(Number.POSITIVE_INFINITY, new Float(Number.POSITIVE_INFINITY))).toBe(true)
    expect(equals(new BigDecimal(1n, -1_000_000_000), new BigDecimal(1n, 0))).toBe(false)
    expect(equals(new BigDecimal(1n, -15_000), new BigInteger(10n ** 15_000n))).toBe(true)
    expect(equals(new BigDecimal(1n, -15_000), new BigInteger(10n ** 15_000n + 1n))).toBe(false)
  })

  it("returns false if a value is NaN, and true for null only with null", () => {
    expect(equals(Number.NaN, Number.NaN)).toBe(false)
    expect(equals([Number.NaN], [Number.NaN])).toBe(false)
    expect(equals(null, null)).toBe(true)
    expect(equals(null, 0)).toBe(false)
    expect(equals(null, Number.NaN)).toBe(false)
  })

  it("returns false for values of different types", () => {
    expect(equals("1", 1)).toBe(false)
    expect(equals(new Uuid("5100808b-62f9-42b7-957e-ed66c30f40d1"), "5100808b-62f9-42b7-957e-ed66c30f40d1")).toBe(false)
    expect(equals(vertex, edge)).toBe(false)
    expect(equals([1], new GremlinSet([1]))).toBe(false)
    expect(equals([1], new Path([1], [new Set()]))).toBe(false)
    expect(equals(true, 1)).toBe(false)
  })

  it("compares collections member by member and elements by id", () => {
    expect(equals([1, 2n], [double(1), new Byte(2)])).toBe(true)
    expect(equals([1, 2], [1, 2, 3])).toBe(false)
    expect(equals(new GremlinSet([1, "foo"]), new GremlinSet(["foo", 1n]))).toBe(true)
    expect(equals(new GremlinSet([1, double(1), 2]), new GremlinSet([1, 2]))).toBe(false)
    expect(equals(new GremlinMap([[1, ["a"]]]), new GremlinMap([[1n, ["a"]]]))).toBe(true)
    expect(equals(new GremlinMap([[1, "a"]]), new GremlinMap([[1, "b"]]))).toBe(false)
    const bulk = new BulkSet()
    bulk.add("a", 2)
    expect(equals(bulk, new GremlinSet(["a"]))).toBe(false)
    expect(equals(vertex, new Detached().addVertex(1n, "other"))).toBe(true)
  })

  it("compares dates by their instant, regardless of offset and type", () => {
    expect(equals(new OffsetDateTime(0, 0, 0), new OffsetDateTime(0, 0, 3600))).toBe(true)
    expect(equals(new OffsetDateTime(5, 0, 0), new Timestamp(5))).toBe(true)
    expect(equals(new OffsetDateTime(5, 1, 0), new Timestamp(5))).toBe(false)
  })

  it("is symmetric, and true exactly if compare returns 0", () => {
    FastCheck.assert(
      FastCheck.property(values, values, (a, b) => {
        expect(equals(a, b)).toBe(equals(b, a))
        expect(equals(a, b)).toBe(compare(a, b) === 0)
        expect(equals(a, a)).toBe(compare(a, a) === 0)
      }),
      { numRuns: 2000 }
    )
  })
})

describe("compare", () => {
  it("cannot compare NaN, null with a value, or values of different types", () => {
    for (const [a, b] of [
      [Number.NaN, Number.NaN],
      [Number.NaN, 1],
      [1n, new Float(Number.NaN)],
      [null, 1],
      ["foo", 1],
      [[1], ["a"]],
      [vertex, edge],
      [new Duration(1n, 0), new Char("a")]
    ]) {
      expect(compare(a, b)).toBeUndefined()
    }
  })

  it("compares lists pair by pair, and a list is greater than its prefix", () => {
    expect(compare([], [])).toBe(0)
    expect(compare([], [1])).toBeLessThan(0)
    expect(compare([1, 2, 3], [1, 2, 4])).toBeLessThan(0)
    expect(compare([1, 2, 3, 4], [1, 2, 3])).toBeGreaterThan(0)
    expect(compare([1, "a"], [1, "b"])).toBeLessThan(0)
    expect(compare(false, true)).toBeLessThan(0)
    expect(compare(new Duration(1n, 0), new Duration(2n, 0))).toBeLessThan(0)
  })

  it("has the sign of order for numbers that it can compare", () => {
    FastCheck.assert(
      FastCheck.property(numbers, numbers, (a, b) => {
        const result = compare(a, b)
        if (result !== undefined) expect(Math.sign(result)).toBe(Math.sign(order(a, b)))
      })
    )
  })
})
