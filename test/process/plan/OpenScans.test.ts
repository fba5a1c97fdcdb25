import { describe, expect, it, vi } from "vitest"
import { TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { Pending } from "../../../src/scheduling/Pending.ts"
import type { TransactionView } from "../../../src/storage/janusgraph/transaction/TransactionView.ts"
import type { RefScan } from "../../../src/structure/graph/GraphReads.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { opened as openedWithEngine } from "../../storage/janusgraph/documents/DocumentGraphs.ts"
import { opened } from "../../storage/janusgraph/indexes/SearchedGraph.ts"
import { prepare } from "../run.ts"

const search = "g.V().has('note', textContainsPrefix('some'))"

/** The estimated bytes of the elements that searches of a transaction remember. */
const remembered = (transaction: GraphTransaction): number =>
  (transaction as unknown as { readonly reading: TransactionView }).reading.searches.seenBytes

/** A run that has given its first result, or has failed. */
const begun = async (transaction: GraphTransaction, script: string): Promise<TraversalRun> => {
  const run = new TraversalRun(prepare(script), transaction)
  try {
    for (;;) {
      const progress = run.advance(0, { accept: () => false })
      if (progress === "full" || progress === "done") return run
      if (typeof progress !== "string") await Pending.toPromise(progress)
    }
  } catch {
    return run
  }
}

describe("A search that a run has not finished", () => {
  it.each([
    ["whose client wants no more results", search],
    ["that fails", `${search}.limit(100).fail()`],
    ["that fails in a child", `g.inject(1, 2).map(__.${search.slice(2)}.fail())`]
  ])("is closed with a run %s", async (_, script) => {
    const transaction = await opened("SINGLE")
    const run = await begun(transaction, script)
    expect(remembered(transaction)).toBeGreaterThan(0)
    run.close()
    expect(remembered(transaction)).toBe(0)
  })

  it("is closed with a run that is cancelled", async () => {
    const transaction = await opened("SINGLE")
    const run = await begun(transaction, search)
    run.cancel()
    expect(() => run.advance(0, { accept: () => true })).toThrow("cancelled")
    run.close()
    expect(remembered(transaction)).toBe(0)
  })

  it("is released in the search engine", async () => {
    const { ask, engine, graph } = await openedWithEngine({ pageSize: 2 })
    await ask("g.inject('a', 'b', 'c', 'd', 'e').as('bio').addV('person').property('bio', __.constant('some words'))")
    await graph.core.documents!.flush()
    const transaction = graph.begin()
    const run = await begun(transaction, "g.V().has('bio', textContains('words'))")
    const released = () => engine.received.filter(({ method, path }) => method === "DELETE" && path.includes("scroll"))
    expect(released()).toEqual([])
    run.close()
    await expect.poll(() => released().length).toBe(1)
  })
})

describe("A child that has its answer", () => {
  it.each([
    ["a row", "g.V().limit(100).addE('knows').to(__.V().hasLabel('person'))"],
    ["rows of a batch", "g.V().limit(100).where(__.V().hasLabel('person'))"]
  ])("closes its scan before the next child begins, for each of %s", async (_, script) => {
    const transaction = await opened("SINGLE")
    let open = 0
    let most = 0
    for (const name of ["scanVertices", "searchIndex"] as const) {
      const scan = transaction[name].bind(transaction) as (...args: ReadonlyArray<unknown>) => RefScan
      vi.spyOn(transaction, name).mockImplementation((...args: ReadonlyArray<unknown>) => {
        const opened = scan(...args)
        const close = opened.close.bind(opened)
        most = Math.max(most, ++open)
        let isOpen = true
        opened.close = () => {
          if (isOpen) open--
          isOpen = false
          close()
        }
        return opened
      })
    }
    const run = new TraversalRun(prepare(script), transaction)
    for (;;) {
      const progress = run.advance(0, { accept: () => true })
      if (progress === "done") break
      if (typeof progress !== "string") await Pending.toPromise(progress)
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(4)
    run.close()
    expect(open).toBe(0)
  })
})
