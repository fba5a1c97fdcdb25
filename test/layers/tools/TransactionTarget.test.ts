import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { planImport } from "../../../src/layers/tools/ImportPlan.ts"
import { TransactionTarget } from "../../../src/layers/tools/TransactionTarget.ts"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { blockSize, type IdKind } from "../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../../src/storage/janusgraph/ids/IdSource.ts"
import { largestMap } from "../../LargestMap.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { context, imported, written } from "./Graphs.ts"

/** Claims that take time. */
class SlowlyClaimingStore extends MemoryCellStore {
  readonly #ends = new Map<IdKind, number>()
  readonly idSource: IdSource = {
    size: (kind) => blockSize(kind, 2500),
    claim: async (kind): Promise<IdBlock> => {
      for (let turn = 0; turn < 50; turn++) await setImmediate()
      const first = this.#ends.get(kind) ?? 1
      const count = blockSize(kind, 2500)
      this.#ends.set(kind, first + count)
      return { first, step: 1, count, partition: 0 }
    }
  }
}

it("An import of more elements than a block has ids waits for claims between its commits", async () => {
  const graph = await cellGraph(new SlowlyClaimingStore({ answersLater: true }))
  const rows = Array.from({ length: 6000 }, (_, id) => `${id},person\n`).join("")
  await imported(graph, written({ "v.csv": `~id,~label\n${rows}` }))
  expect(await runLater(graph, "g.V().count()")).toEqual([6000n])
})

/** A store of which a log has all transactions, so that imports need them. It calls `committed` after each commit. */
class LoggingStore extends MemoryCellStore {
  readonly transactionLogs = { hasAll: true }
  committed: () => void = () => undefined

  override commit(work: (batch: CellBatch) => void): Pending {
    const answer = super.commit(work)
    return {
      onDone: (resume) =>
        answer.onDone((error) => {
          this.committed()
          resume(error)
        })
    }
  }
}

const targetOf = async (graph: CellGraph, shared = false, signal = new AbortController().signal) => {
  const plan = await planImport(graph, [], { label: undefined, idProperty: undefined }, undefined, context())
  return new TransactionTarget(graph, plan, { shared, signal })
}

const vertexOf = (id: number, value: string) => ({
  id,
  label: "person",
  properties: [{ id: undefined, key: "text", value, meta: null }]
})

const POSITION = { step: 0, elements: 0, vertices: 0, edges: 0, bytes: 0, digest: "" }

it("A commit begins when its elements are many, or large", async () => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater: true }))
  const takenUntilFull = async (value: string, shared = false): Promise<number> => {
    const target = await targetOf(graph, shared)
    for (let id = 0; ; id++) {
      if (target.full) return id
      target.vertex(vertexOf(id, value), id)
    }
  }
  expect(await takenUntilFull("a")).toBe(2000)
  const megabyte = "a".repeat(1_000_000)
  expect(await takenUntilFull(megabyte)).toBeLessThan(40)
  expect(await takenUntilFull(megabyte, true)).toBe(1)
  await graph.close()
})

it("An import that is stopped ends after the transaction that runs", async () => {
  const store = new LoggingStore({ answersLater: true })
  const graph = await cellGraph(store)
  await runLater(graph, "g.addV('person').property('text', 'a')")
  const stop = new AbortController()
  const target = await targetOf(graph, false, stop.signal)
  for (let id = 0; id < 6000; id++) target.vertex(vertexOf(id, "a"), id)
  let commits = 0
  store.committed = () => {
    // The first commit is the record of the import.
    if (++commits === 2) stop.abort()
  }
  await expect(target.commit(POSITION)).rejects.toThrow("The command was stopped.")
  expect(await runLater(graph, "g.V().count()")).toEqual([2001n])
  await target.close()
  await graph.close()
})

describe.each([
  { later: false, shared: false },
  { later: false, shared: true },
  { later: true, shared: true }
])("Edges at static vertices (asynchronous store: $later, running server: $shared)", ({ later, shared }) => {
  const opened = async (): Promise<CellGraph> => {
    const graph = await cellGraph(new MemoryCellStore({ answersLater: later }))
    const editor = await graph.management.edit()
    editor.makeVertexLabel("session", true, false)
    await graph.management.commit(editor)
    return graph
  }
  const people = (count: number): string => Array.from({ length: count }, (_, at) => `p${at},person\n`).join("")

  it("are imported with the vertices, also in a later commit", async () => {
    const graph = await opened()
    const paths = written({
      "v.csv": `~id,~label\ns1,session\n${people(3000)}`,
      "e.csv": "~from,~to,~label,since:Int\np0,s1,used,1\ns1,p2999,by,2\n"
    })
    expect(await imported(graph, paths, { shared })).toMatch(/^Imported 3,001 vertices and 2 edges/)
    expect(await runLater(graph, "g.V().hasLabel('session').bothE().values('since')")).toEqual([2, 1])
    await expect(runLater(graph, "g.addV('person').addE('used').to(__.V().hasLabel('session'))")).rejects.toThrow(
      "The vertex label session is static"
    )
    await graph.close()
  })

  it("are imported by a later command", async () => {
    const graph = await opened()
    const options = { shared, idProperty: "uid" }
    await imported(graph, written({ "v.csv": "~id,~label\ns1,session\np0,person\n" }), options)
    await imported(graph, written({ "e.csv": "~from,~to,~label\np0,s1,used\n" }), options)
    expect(await runLater(graph, "g.V().has('uid', 's1').in('used').values('uid')")).toEqual(["p0"])
    await graph.close()
  })
})

it("An import of very many vertices has no Map that grows in a long turn of the event loop", async () => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater: true }))
  const target = await targetOf(graph)
  const largest = largestMap()
  for (let id = 0; id < 80_000; id++) target.vertex(vertexOf(id, "a"), id)
  expect(largest()).toBeLessThan(40_000)
  expect(() => target.vertex(vertexOf(7, "a"), 7)).toThrow("occurs twice")
  await graph.close()
})
