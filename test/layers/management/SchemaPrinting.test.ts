import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import {
  printEdgeLabels,
  printIndexes,
  printPropertyKeys,
  printSchema,
  printVertexLabels
} from "../../../src/layers/management/SchemaPrinting.ts"
import { dumpedStore } from "../../storage/janusgraph/DumpedStore.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"

const fixtures = join(import.meta.dirname, "../../fixtures/janusgraph-format")

describe("The printed schema of a graph that JanusGraph wrote", () => {
  it("is that of JanusGraph", async () => {
    const graph = await cellGraph(await dumpedStore({}))
    const printed = printSchema(await graph.management.edit())
    const expected = readFileSync(join(fixtures, "jgfmt.schema.txt"), "utf8")
    // The types come in another order, and the key `late` was made after JanusGraph had printed.
    const lines = printed.split("\n").filter((line) => line !== "" && !line.startsWith("late "))
    expect(lines.sort()).toEqual(expected.trimEnd().split("\n").sort())
    await graph.close()
  })

  it("has the same tables alone, each between lines", async () => {
    const graph = await cellGraph(await dumpedStore({}))
    const editor = await graph.management.edit()
    for (const print of [printVertexLabels, printEdgeLabels, printPropertyKeys, printIndexes]) {
      const lines = print(editor).trimEnd().split("\n")
      expect(lines.at(0)).toBe("-".repeat(96))
      expect(lines.at(-1)).toBe("-".repeat(99))
    }
    await graph.close()
  })
})
