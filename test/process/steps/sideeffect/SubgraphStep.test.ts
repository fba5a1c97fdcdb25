import { expect, it } from "vitest"
import type { SubGraph } from "../../../../src/structure/elements/SubGraph.ts"
import { bytesOf } from "../../../../src/structure/memory/HeldBytes.ts"
import { run, toy } from "../../run.ts"

const modern = toy("modern")

it("All rows that select a subgraph have the same one", () => {
  const graphs = run(modern, "g.E().subgraph('s').select('s')") as ReadonlyArray<SubGraph>
  expect(graphs).toHaveLength(6)
  expect(new Set(graphs).size).toBe(1)
  expect(graphs[0]!.edges).toHaveLength(6)
  expect(run(modern, "g.E().subgraph('s').select('s').dedup().count()")).toEqual([1n])
})

it("The size of a subgraph grows with its elements", () => {
  const [graph] = run(modern, "g.E().subgraph('s').cap('s')")
  expect(bytesOf(graph)).toBeGreaterThan(12 * 100)
})
