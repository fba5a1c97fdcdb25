import { setTimeout } from "node:timers/promises"
import { expect, it } from "vitest"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { settled } from "../Settling.ts"
import { lmdbStore } from "./Stores.ts"

/** Slower than a commit's work may take: the disk of a small machine in a cloud. */
const FLUSH_MILLISECONDS = 30

it("a slow disk does not make the building of an index slower than its few commits: they stay as large", async () => {
  let flushes = 0
  const flush = async (): Promise<void> => {
    flushes++
    await setTimeout(FLUSH_MILLISECONDS)
  }
  const graph = await cellGraph(await lmdbStore({ sync: "none", flush }))
  const transaction = graph.begin()
  for (let number = 0; number < 2_000; number++) {
    const ref = transaction.addVertex("person", undefined)
    transaction.setVertexProperty(ref, null, "number", number, undefined, null)
  }
  await settled(transaction.commit())

  const before = flushes
  await graph.management.createIndex("number", "vertex")
  await graph.management.built("number")
  expect(flushes - before).toBeLessThan(100)
  await graph.close()
})
