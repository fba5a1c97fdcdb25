import { describe, expect, it } from "vitest"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { MAX_SHAPES, Shapes } from "../../../src/storage/memory/Shapes.ts"
import { Random } from "../../fuzz/Random.ts"
import { drain } from "../Reads.ts"
import { emptyGraph, read, setProperty, writeMany } from "./Fixture.ts"

/** The shape of some keys in their order. */
const shapeOf = (shapes: Shapes, keys: ReadonlyArray<number>): number => {
  let shape: number | undefined = 0
  for (const key of keys) shape = shapes.with(shape!, key)
  return shape!
}

describe("The shapes of elements", () => {
  it("share a number for the same keys in the same order", () => {
    const shapes = new Shapes(new Meter())
    const ab = shapeOf(shapes, [7, 3])
    expect(shapes.keys(ab)).toEqual([7, 3])
    expect(shapes.with(ab, 7)).toBe(ab)
    expect(shapes.without(shapeOf(shapes, [7, 3, 1]), 1)).toBe(ab)
    expect(shapes.keys(shapes.without(ab, 7)!)).toEqual([3])
    expect(shapes.without(shapes.without(ab, 7)!, 3)).toBe(0)
  })

  it("are limited in number, and are freed if no element has them", () => {
    const meter = new Meter()
    const shapes = new Shapes(meter)
    const used = shapeOf(shapes, [1, 2, 3])
    shapes.move(0, used)
    const one = meter.heap / 3
    for (let key = 10; shapes.with(used, key) !== undefined; key++) if (key > 2 * MAX_SHAPES) expect.fail("no limit")
    expect(meter.heap).toBeGreaterThan(one * 0.9 * MAX_SHAPES)
    expect(shapes.without(used, 2)).toBeUndefined()
    shapes.trim()
    expect(meter.heap).toBeLessThan(one * 1.1)
    expect(shapes.keys(used)).toEqual([1, 2, 3])
    expect(shapeOf(shapes, [1, 2, 3])).toBe(used)
    expect(shapes.keys(shapes.without(used, 2)!)).toEqual([1, 3])
    expect(shapes.keys(shapes.with(used, 10)!)).toEqual([1, 2, 3, 10])
  })
})

describe("Elements with more lists of keys than there are shapes", () => {
  it("keep their keys in order, in memory that counts and is freed with them", async () => {
    const [vertices, keys, perVertex] = [3_000, 300, 15]
    const graph = emptyGraph()
    /** The keys of a vertex, in an order of its own. */
    const listOf = (id: number): Array<string> => {
      const random = new Random(id, 0)
      const list = new Set<string>()
      while (list.size < perVertex) list.add(`k${random.below(keys)}`)
      return [...list]
    }
    await writeMany(graph, (transaction) => {
      const ref = transaction.addVertex("all", "all")
      for (let key = 0; key < keys; key++) setProperty(transaction, ref, `k${key}`, 0)
    })
    const empty = graph.usedBytes
    for (let from = 0; from < vertices; from += 500) {
      await writeMany(graph, (transaction) => {
        for (let id = from; id < from + 500; id++) {
          const ref = transaction.addVertex("v", id)
          for (const key of listOf(id)) setProperty(transaction, ref, key, 1)
        }
      })
    }
    expect(graph.usedBytes - empty).toBeGreaterThan(5_000_000)
    expect(graph.usedBytes - empty).toBeLessThan(20_000_000)
    read(graph, (transaction) => {
      for (let id = 0; id < vertices; id++) {
        const found = transaction.vertexKeys(transaction.vertexRef(id)).join()
        if (found !== listOf(id).join()) expect.fail(`the vertex ${id} has ${found}`)
      }
    })
    await writeMany(graph, (transaction) => {
      for (const ref of drain(transaction.scanVertices(["v"]))) transaction.removeVertex(ref)
    })
    await writeMany(graph, (transaction) => transaction.addVertex("w", undefined))
    // Some unused shapes remain, and the arrays by slot keep their length.
    expect(graph.usedBytes - empty).toBeLessThan(1_000_000)
  })
})
