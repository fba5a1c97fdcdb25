import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { BigDecimal, BigInteger } from "../../../../src/structure/numbers/Numbers.ts"
import { runLater } from "../../../process/run.ts"
import { settled } from "../../Completion.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Exponents whose power of ten has a hundred megabytes: a test that writes one out does not end in its time. */
const values = [
  new BigDecimal(1n, -300_000_000),
  new BigDecimal(1n, 300_000_000),
  new BigDecimal(0n, -300_000_000),
  new BigDecimal(15n, 1),
  new BigDecimal(1n, -15_000),
  new BigInteger(10n ** 15_001n)
]

const types = { age: "Integer", weight: "Double", decimal: "BigDecimal", integer: "BigInteger", any: "Object" } as const

const graphOf = async (isLate: boolean): Promise<CellGraph> => {
  const graph = await cellGraph(new MemoryCellStore(), { schemaMaker: "none" })
  const index = async () => {
    const editor = await graph.management.edit()
    for (const name of Object.keys(types)) {
      editor.makeIndex({
        name: `by ${name}`,
        element: "vertex",
        unique: false,
        kind: "equality",
        keys: [editor.key(name)!]
      })
    }
    editor.makeIndex({ name: "sorted", element: "vertex", unique: false, kind: "ordered", keys: [editor.key("age")!] })
    await graph.management.commit(editor)
    for (const { name } of editor.indexes) await graph.management.built(name)
  }
  const editor = await graph.management.edit()
  for (const [name, type] of Object.entries(types)) editor.makeKey(name, dataTypeOf(type), "SINGLE")
  editor.makeVertexLabel("item", false, false)
  await graph.management.commit(editor)
  if (!isLate) await index()
  const transaction = graph.begin()
  for (const value of values) {
    const ref = transaction.addVertex("item", undefined)
    transaction.setVertexProperty(ref, null, "any", value)
    transaction.setVertexProperty(ref, null, "age", 7)
    transaction.setVertexProperty(ref, null, "weight", 1.5)
    transaction.setVertexProperty(ref, null, "integer", new BigInteger(9n))
    if (value instanceof BigDecimal) transaction.setVertexProperty(ref, null, "decimal", value)
  }
  await settled(transaction.commit())
  if (isLate) await index()
  return graph
}

describe("BigDecimals with large exponents", () => {
  it.each([false, true])(
    "are indexed and found without writing their digits out; index built later: %s",
    async (isLate) => {
      const graph = await graphOf(isLate)
      const counts: Array<unknown> = []
      for (const traversal of [
        "has('age', 1e300000000m)",
        "has('age', 1e-300000000m)",
        "has('age', gt(1e300000000m))",
        "has('age', lt(1e300000000m))",
        "has('age', gt(1e-300000000m))",
        "has('age', between(-1e300000000m, 1e300000000m))",
        "has('age', within(7.00m, 1e300000000m))",
        "has('weight', 1e300000000m)",
        "has('weight', lt(1e300000000m))",
        "has('decimal', 1e300000000m)",
        "has('decimal', 1e-300000000m)",
        "has('decimal', 0)",
        "has('decimal', 10e299999999m)",
        "has('decimal', 1.5d)",
        "has('decimal', 1.50m)",
        "has('integer', 9)",
        "has('integer', 9.00m)",
        "has('integer', 9.5m)",
        "has('any', 1e300000000m)",
        "has('any', 1.50m)",
        "has('any', 1e15000m)",
        "has('any', 10e15000m)"
      ]) {
        counts.push([traversal, Number((await runLater(graph, `g.V().${traversal}.count()`))[0])])
      }
      expect(counts).toEqual([
        ["has('age', 1e300000000m)", 0],
        ["has('age', 1e-300000000m)", 0],
        ["has('age', gt(1e300000000m))", 0],
        ["has('age', lt(1e300000000m))", 6],
        ["has('age', gt(1e-300000000m))", 6],
        ["has('age', between(-1e300000000m, 1e300000000m))", 6],
        ["has('age', within(7.00m, 1e300000000m))", 6],
        ["has('weight', 1e300000000m)", 0],
        ["has('weight', lt(1e300000000m))", 6],
        ["has('decimal', 1e300000000m)", 1],
        ["has('decimal', 1e-300000000m)", 1],
        ["has('decimal', 0)", 1],
        ["has('decimal', 10e299999999m)", 1],
        ["has('decimal', 1.5d)", 1],
        ["has('decimal', 1.50m)", 1],
        ["has('integer', 9)", 6],
        ["has('integer', 9.00m)", 6],
        ["has('integer', 9.5m)", 0],
        ["has('any', 1e300000000m)", 1],
        ["has('any', 1.50m)", 1],
        ["has('any', 1e15000m)", 1],
        ["has('any', 10e15000m)", 1]
      ])
    }
  )
})
