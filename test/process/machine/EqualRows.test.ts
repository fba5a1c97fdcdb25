import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { mergeEqualRows as mergeTask } from "../../../src/process/machine/EqualRows.ts"
import type { Activation } from "../../../src/process/plan/Activation.ts"
import { Batch, PathNode, VALUE } from "../../../src/process/plan/Batch.ts"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { toy } from "../run.ts"

/** The members of an activation that mergeEqualRows() uses. */
const activation = (bulk = true): Activation =>
  ({ transaction: toy().begin(), run: { bulk }, slice: new TimeSlice() }) as unknown as Activation

const batchOf = (values: ReadonlyArray<unknown>, columns: Partial<Batch> = {}): Batch =>
  Object.assign(new Batch(VALUE, values, values.length), columns)

const mergeEqualRows = (batch: Batch, activation: Activation): Batch => runWhole(mergeTask(batch, activation))

/** The rows as [value, bulk]. */
const rows = (batch: Batch): ReadonlyArray<readonly [unknown, number]> =>
  Array.from({ length: batch.length }, (_, row) => [batch.data[row], batch.bulkOf(row)] as const)

const pathOf = (...places: ReadonlyArray<readonly [unknown, string]>): PathNode | null =>
  places.reduce<PathNode | null>((before, [object, label]) => new PathNode(VALUE, object, [label], before), null)

describe("Equal rows at a barrier", () => {
  it("become one row in the position of the first, with the sum of their bulks", () => {
    const batch = batchOf(["a", "b", "a", "c", "b", "a"], { bulk: Float64Array.of(1, 2, 3, 1, 1, 1) })
    expect(rows(mergeEqualRows(batch, activation()))).toEqual([
      ["a", 5],
      ["b", 3],
      ["c", 1]
    ])
  })

  it("do not merge if their types, origins, sacks or paths differ", () => {
    const merged = (values: ReadonlyArray<unknown>, columns: Partial<Batch> = {}): number =>
      mergeEqualRows(batchOf(values, columns), activation()).length
    expect(merged([1, 1n])).toBe(2)
    expect(merged(["a", "a"], { origin: Int32Array.of(0, 1) })).toBe(2)
    expect(merged(["a", "a"], { sack: [1, 2] })).toBe(2)
    expect(merged(["a", "a"], { sack: [1, 1] })).toBe(1)
    expect(merged(["a", "a"], { path: [pathOf(["x", "l"]), pathOf(["x", "l"])] })).toBe(1)
    expect(merged(["a", "a"], { path: [pathOf(["x", "l"]), pathOf(["x", "k"])] })).toBe(2)
    expect(merged(["a", "a"], { path: [pathOf(["x", "l"], ["y", "l"]), pathOf(["y", "l"])] })).toBe(2)
    expect(merged(["a", "a"], { path: [null, pathOf(["a", "l"])] })).toBe(2)
    const labelled = (...labels: ReadonlyArray<string>) => new PathNode(VALUE, "x", labels, null)
    expect(merged(["a", "a"], { path: [labelled("l", "k"), labelled("l,k")] })).toBe(2)
    expect(merged(["a", "a"], { path: [labelled(""), new PathNode(VALUE, "x", null, null)] })).toBe(2)
  })

  it("count once without bulk", () => {
    expect(rows(mergeEqualRows(batchOf(["a", "a", "b"]), activation(false)))).toEqual([
      ["a", 1],
      ["b", 1]
    ])
  })

  it("may have paths of any length", () => {
    const long = (): PathNode | null => pathOf(...Array.from({ length: 100_000 }, (_, i) => [i, "l"] as const))
    expect(mergeEqualRows(batchOf(["a", "a"], { path: [long(), long()] }), activation()).length).toBe(1)
  })

  it("keep the sum of bulks and the order of first occurrences", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.constantFrom("a", "b", 1, 1n, null)), (values) => {
        const merged = rows(mergeEqualRows(batchOf(values), activation()))
        expect(merged.map(([value]) => value)).toEqual([...new Set(values)])
        expect(merged.reduce((sum, [, bulk]) => sum + bulk, 0)).toBe(values.length)
      })
    )
  })
})
