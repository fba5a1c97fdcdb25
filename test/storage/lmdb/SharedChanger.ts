import { setImmediate } from "node:timers/promises"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { TransactionConflict } from "../../../src/structure/errors/StoreErrors.ts"
import { settled } from "../Completion.ts"
import { openShared } from "./SharedWriter.ts"

/** Adds, changes and removes its own vertices and edges until `isOver` returns true. Returns the number of commits. */
export const change = async (graph: CellGraph, isOver: () => boolean): Promise<number> => {
  const ids: Array<unknown> = []
  let commits = 0
  for (let round = 0; !isOver(); round++) {
    const transaction = graph.begin()
    try {
      const ref = transaction.addVertex("changing", undefined)
      transaction.setVertexProperty(ref, null, "word", `word ${round % 5}`)
      transaction.setVertexProperty(ref, null, "size", round % 7)
      const other = transaction.vertexRef(ids[(round * 7) % Math.max(1, ids.length)] ?? -1)
      if (other !== -1) {
        transaction.setVertexProperty(other, null, "word", `word ${(round + 1) % 5}`)
        transaction.setEdgeProperty(transaction.addEdge(ref, "joins", other, undefined), "size", round % 7)
      }
      // The graph stays small, so that index builds stay fast even if a slow machine makes many more rounds.
      const removed = round % 3 === 0 || ids.length > 300 ? ids.shift() : undefined
      const gone = removed === undefined ? -1 : transaction.vertexRef(removed)
      if (gone !== -1 && gone !== other) transaction.removeVertex(gone)
      ids.push(transaction.vertexId(ref))
      await settled(transaction.commit())
      commits++
    } catch (error) {
      transaction.rollback()
      if (!(error instanceof TransactionConflict)) throw error
    }
    await setImmediate()
  }
  return commits
}

const [directory] = process.argv.slice(2)
if (process.argv[1]?.endsWith("SharedChanger.mjs") && directory !== undefined) {
  const graph = await openShared(directory, "second")
  let over = false
  process.stdin.once("data", () => {
    over = true
  })
  process.stdout.write("begun\n")
  const commits = await change(graph, () => over)
  await graph.close()
  process.stdout.write(`${commits}\n`)
  process.exit(0)
}
