import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "./Graphs.ts"
import { MemoryCellStore } from "./MemoryCellStore.ts"

/** A graph of a hub that knows `persons` persons, each of whom has one thing. Names have an index. */
const crowd = async (persons: number) => {
  const graph = await cellGraph(new MemoryCellStore({ answersLater: true }))
  await graph.management.createIndex("name", "vertex")
  const adds = Array.from(
    { length: persons },
    (_, i) =>
      `.addV('person').property('name', 'p${i}').property('age', ${i}).as('p').addE('knows').from('hub').to('p')` +
      `.addV('thing').property('name', 't${i}').addE('has').from('p')`
  )
  await runLater(graph, `g.addV('hub').property('name', 'hub').as('hub')${adds.join("")}.none()`)
  // The types that the script has made are known, so no traversal waits for the schema.
  await runLater(graph, "g.V().limit(1)")
  return graph
}

const known = "g.V().has('name', 'hub').out('knows')"

/** Traversals with their numbers of round trips to the store. */
const plans: ReadonlyArray<readonly [script: string, waits: number]> = [
  [`${known}.values('name')`, 4],
  [`${known}.has('age', gte(0)).property('x', 1)`, 4],
  [`${known}.where(__.out('has').has('name', 't1')).property('x', 1)`, 6],
  [`${known}.union(__.out('has').values('name'), __.values('name'))`, 5],
  [`${known}.as('p').V().hasLabel('thing').has('name', 't1').in('has').addE('back').to('p')`, 7],
  [`${known}.as('p').V().has('name', 'hub').addE('back').to('p')`, 4],
  [`${known}.as('p').values('name').as('n').mergeV(__.project('name').by(__.select('n')))`, 5]
]

describe("A traversal over cells with asynchronous reads", () => {
  for (const [script, expected] of plans) {
    it(`takes ${expected} round trips, for 3 rows and for 200: ${script}`, async () => {
      const times: Array<number> = []
      for (const size of [3, 200]) {
        const transaction = (await crowd(size)).begin()
        const { prefetch } = transaction
        let waits = 0
        transaction.prefetch = (reads) => {
          const later = prefetch.call(transaction, reads)
          if (later !== undefined) waits++
          return later
        }
        await runLater(transaction.store, script, { as: text, transaction })
        times.push(waits)
      }
      expect(times).toEqual([expected, expected])
    })
  }
})
