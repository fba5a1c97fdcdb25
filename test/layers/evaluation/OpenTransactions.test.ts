import { expect, it } from "vitest"
import { OpenTransactions } from "../../../src/layers/evaluation/OpenTransactions.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { settled } from "../../storage/Completion.ts"

/** More changes than a graph commits in one slice. */
const CHANGES = 6000

it.each(["commit", "failure"])(
  "A commit of two graphs makes each transaction readable before it ends, if the first commit is asynchronous (%s)",
  async (outcome) => {
    const [first, second] = ["first", "second"].map((name) => new MemoryGraph(tinkerTransactionGraph(name)))
    const readable: Array<string> = []
    const transactions = new OpenTransactions((transaction) => {
      readable.push(`${transaction.store.name} ${transaction.vertexLabel(transaction.vertexRef(1))}`)
    })
    const many = transactions.open(first!)
    for (let i = 0; i < CHANGES; i++) many.addVertex("many", i)
    transactions.open(second!).addVertex("one", 1)
    if (outcome === "failure") {
      const faster = first!.begin()
      faster.addVertex("faster", 1)
      await settled(faster.commit())
    }
    const committed = settled(transactions.commit(null, { committed: () => undefined }))
    if (outcome === "commit") await committed
    else await expect(committed).rejects.toThrow(TransactionConflict)
    expect(readable).toEqual(["first many", "second one"])
  }
)

it.each(["commit", "failure"])(
  "A transaction counts as one with a snapshot until its commit ends (%s)",
  async (outcome) => {
    const graph = new MemoryGraph(tinkerTransactionGraph("graph"))
    const transactions = new OpenTransactions()
    const listener = { committed: () => undefined }
    const begin = [
      () => {
        const transaction = transactions.open(graph)
        return { transaction, identity: transaction, commit: () => transactions.commit(null, listener) }
      },
      () => {
        const separate = transactions.separate(graph)
        const transaction = separate.transactions.open(graph)
        return { transaction, identity: separate, commit: () => separate.commit(listener) }
      }
    ]
    for (const [at, one] of begin.entries()) {
      const { commit, identity, transaction } = one()
      const id = `taken ${at}`
      for (let i = 0; i < CHANGES; i++) transaction.addVertex("many", undefined)
      if (outcome === "failure") {
        transaction.addVertex("taken", id)
        const faster = graph.begin()
        faster.addVertex("faster", id)
        await settled(faster.commit())
      }
      expect(transactions.snapshots).toEqual([identity])
      const committed = settled(commit())
      expect(transactions.holdsSnapshot).toBe(false)
      expect(transactions.snapshots).toEqual([identity])
      if (outcome === "commit") await committed
      else await expect(committed).rejects.toThrow(TransactionConflict)
      expect(transactions.snapshots).toEqual([])
    }
  }
)
