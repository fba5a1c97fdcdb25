import { setImmediate } from "node:timers/promises"
import { expect, it } from "vitest"
import { planImport } from "../../../src/layers/tools/ImportPlan.ts"
import { TransactionSink } from "../../../src/layers/tools/TransactionSink.ts"
import type { Pending } from "../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellBatch } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { blockSize, type IdKind } from "../../../src/storage/janusgraph/format/IdBlocks.ts"
import type { IdBlock, IdSource } from "../../../src/storage/janusgraph/ids/IdSource.ts"
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

const sinkOf = async (graph: CellGraph, shared = false, signal = new AbortController().signal) => {
  const plan = await planImport(graph, [], { label: undefined, idProperty: undefined }, undefined, context())
  return new TransactionSink(graph, plan, { shared, signal })
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
    const sink = await sinkOf(graph, shared)
    for (let id = 0; ; id++) {
      if (sink.full) return id
      sink.vertex(vertexOf(id, value), id)
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
  const sink = await sinkOf(graph, false, stop.signal)
  for (let id = 0; id < 6000; id++) sink.vertex(vertexOf(id, "a"), id)
  let commits = 0
  store.committed = () => {
    // The first commit is the record of the import.
    if (++commits === 2) stop.abort()
  }
  await expect(sink.commit(POSITION)).rejects.toThrow("The command was stopped.")
  expect(await runLater(graph, "g.V().count()")).toEqual([2001n])
  await sink.close()
  await graph.close()
})
