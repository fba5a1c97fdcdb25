import { type CellGraph, openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { type IndexEvents, noEvents } from "../../../src/storage/janusgraph/management/IndexJobs.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { openLmdbStore } from "../../../src/storage/lmdb/OpenLmdbStore.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { settled } from "../Completion.ts"

/** The results of one of several processes that share a graph. */
export interface Shared {
  readonly vertices: ReadonlyArray<unknown>
  /** The values of the unique index that this process got. */
  readonly taken: ReadonlyArray<number>
  readonly conflicts: number
}

/**
 * Opens a graph that processes share; `name` is the name of this process. SLOW_SYNC is the time in milliseconds from which they
 * share transactions: 0 makes them do so on every disk.
 */
export const openShared = async (directory: string, name: string, events: IndexEvents = noEvents): Promise<CellGraph> =>
  openCellGraph(
    await openLmdbStore({ directory, sync: "durable", readOnly: false, server: "shared", ...slowSync() }),
    // Small blocks make many claims.
    { ...defaultCellGraphOptions, name: "shared", idBlockSize: 10 },
    name,
    events
  )

const slowSync = (): { readonly slowSync?: number } => {
  const given = process.env.SLOW_SYNC
  return given === undefined ? {} : { slowSync: Number(given) }
}

const commit = async (transaction: GraphTransaction): Promise<void> => settled(transaction.commit())

const set = (transaction: GraphTransaction, ref: number, key: string, value: unknown): void => {
  transaction.setVertexProperty(ref, null, key, value)
}

/**
 * Increments a shared counter, creates types that the other processes create too, takes unique numbers, and adds
 * vertices with edges to the vertex of the counter.
 */
export const share = async (graph: CellGraph, counter: number, name: string, rounds: number): Promise<Shared> => {
  const vertices: Array<unknown> = []
  const taken: Array<number> = []
  let conflicts = 0
  const transact = async (work: (transaction: GraphTransaction) => void): Promise<boolean> => {
    const transaction = graph.begin()
    try {
      work(transaction)
      await commit(transaction)
      return true
    } catch (error) {
      transaction.rollback()
      if (error instanceof TransactionConflict) conflicts++
      else if (!(error instanceof Error && error.message.includes("uniqueness constraint"))) throw error
      return false
    }
  }
  for (let round = 0; round < rounds; round++) {
    const added = await (async () => {
      for (;;) {
        const done = await transact((transaction) => {
          const ref = transaction.vertexRef(counter)
          set(transaction, ref, "value", Number(transaction.vertexReader("value").value(ref)) + 1)
          const own = transaction.addVertex(`label${round % 7}`, undefined)
          set(transaction, own, `key${round % 5}`, `${name} ${round}`)
          transaction.addEdge(own, `edge${round % 3}`, ref, undefined)
          vertices[round] = transaction.vertexId(own)
        })
        if (done) return true
      }
    })()
    if (added && (await transact((each) => set(each, each.addVertex("number", undefined), "number", round)))) {
      taken.push(round)
    }
  }
  return { vertices: vertices.map(String), taken, conflicts }
}

const [directory, counter, name, rounds] = process.argv.slice(2)
if (process.argv[1]?.endsWith("SharedWriter.mjs") && directory !== undefined) {
  const graph = await openShared(directory, name!)
  const done = await share(graph, Number(counter), name!, Number(rounds))
  await graph.close()
  process.stdout.write(JSON.stringify(done))
}
