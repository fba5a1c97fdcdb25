import { describe, expect, it } from "vitest"
import { MemoryGraph } from "../../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { cellGraph } from "../../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../../storage/janusgraph/MemoryCellStore.ts"
import { runLater } from "../../run.ts"

const EDGES = 3000

describe("mergeE() at a vertex with very many edges", () => {
  const kinds: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
    ["memory", async () => new MemoryGraph(tinkerTransactionGraph("g"))],
    ["cells", () => cellGraph(new MemoryCellStore())],
    ["cells that answer later", () => cellGraph(new MemoryCellStore({ answersLater: true }))]
  ]
  it.each(kinds)("reads some of them in each call, and finds the edges among all (%s)", async (_, open) => {
    const graph = await open()
    const ns = Array.from({ length: EDGES }, (_, n) => n)
    const made =
      "g.addV('hub').as('h').constant(ns).unfold().as('n').addV('leaf').addE('knows').from('h').property('n', select('n')).none()"
    await runLater(graph, made, { variables: new Map([["ns", ns]]) })
    const transaction = graph.begin()
    const [hub] = await runLater(graph, "g.V().hasLabel('hub').id()", { transaction })
    const lengths: Array<number> = []
    const expand = transaction.expand.bind(transaction)
    transaction.expand = (request) => {
      const isDone = expand(request)
      lengths.push(request.out.length)
      return isDone
    }
    const maps = [", n: 0", ", n: 700", "", ", n: 2999"].map(
      (more) => `[(T.label): 'knows', (Direction.OUT): hub${more}]`
    )
    const merged = await runLater(graph, `g.inject(${maps.join(", ")}).mergeE().values('n')`, {
      transaction,
      variables: new Map([["hub", hub]]),
      as: text
    })
    expect([merged.length, merged[0], merged[1], merged.at(-1)]).toEqual([EDGES + 3, "0", "700", "2999"])
    expect(new Set(merged.slice(2, -1))).toEqual(new Set(ns.map(String)))
    expect(Math.max(...lengths)).toBeLessThan(EDGES / 2)
    transaction.rollback()
    await graph.close()
  })
})
