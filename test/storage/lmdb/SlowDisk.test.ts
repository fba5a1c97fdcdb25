import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { settled } from "../Completion.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { lmdbStore } from "./Stores.ts"

/** The duration of a flush: longer than the work of a commit may take, as on a small cloud machine. */
const FLUSH_MS = 30

it("The build of an index does not use smaller commits on a slow disk", async () => {
  let flushes = 0
  const flush = async (): Promise<void> => {
    flushes++
    await setTimeout(FLUSH_MS)
  }
  const graph = await cellGraph(await lmdbStore({ sync: "none", flush }))
  const transaction = graph.begin()
  for (let number = 0; number < 2_000; number++) {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, null, "number", number)
  }
  await settled(transaction.commit())

  const before = flushes
  await graph.management.createIndex("number", "vertex")
  await graph.management.built("number")
  expect(flushes - before).toBeLessThan(100)
  await graph.close()
})
