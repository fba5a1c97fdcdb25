import { describe, expect, it } from "vitest"
import { TinkerGraphOrder } from "../../../src/layers/graphs/GratefulDead.ts"
import type { StreamedEdge } from "../../../src/structure/GraphStream.ts"

/** The ids of the edges, [id, out, in, label], in the order in which they are handed on. */
const ordered = (
  edges: ReadonlyArray<readonly [number, number, number, string]>,
  place: "out" | "in" | "alone" = "out"
): ReadonlyArray<unknown> => {
  const given: Array<unknown> = []
  const order = new TinkerGraphOrder({ vertex: () => {}, edge: (edge) => given.push(edge.id) })
  for (const [id, from, to, label] of edges) {
    order.edge({ id, out: from, in: to, label, properties: [] } as unknown as StreamedEdge, place)
  }
  expect(given).toEqual([])
  order.finish()
  return given
}

describe("the order of TinkerGraph's edges", () => {
  it("is that of the buckets of a hash set: by the lowest bits of the id, for up to 12 edges the lowest four", () => {
    expect(
      ordered([
        [33, 1, 2, "a"],
        [16, 1, 3, "a"],
        [5, 1, 4, "a"]
      ])
    ).toEqual([16, 33, 5])
  })

  it("has twice as many buckets where three quarters of them are full", () => {
    const edges = [16, ...Array.from({ length: 12 }, (_, i) => i)].map((id) => [id, 1, 100 + id, "a"] as const)
    expect(ordered(edges)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16])
    expect(ordered(edges.slice(0, 12))).toEqual([0, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it("is the order by in-vertex within a bucket", () => {
    expect(
      ordered([
        [16, 1, 9, "a"],
        [32, 1, 2, "a"]
      ])
    ).toEqual([32, 16])
  })

  it("keeps the labels apart, and takes each edge of an adjacency list once", () => {
    expect(
      ordered([
        [2, 1, 2, "b"],
        [1, 1, 2, "a"],
        [0, 1, 2, "b"]
      ])
    ).toEqual([0, 2, 1])
    expect(ordered([[1, 1, 2, "a"]], "in")).toEqual([])
  })

  it("agrees with the order of the in-edges, too, where both can be had", () => {
    // Out of 1: 3 before 4. Into 9: 2 before 3.
    expect(
      ordered([
        [4, 1, 8, "a"],
        [3, 1, 9, "a"],
        [2, 5, 9, "a"]
      ])
    ).toEqual([2, 3, 4])
  })
})
