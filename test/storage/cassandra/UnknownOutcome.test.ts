import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "vitest"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"
import { findingsOf } from "./Findings.ts"

/** Milliseconds after which a request has no answer, and after which it arrives all the same. */
const TIMEOUT = 100
const LATE = 500

it("A unique value whose commit had no answer is given to no other commit while the first one may still arrive", async () => {
  const cluster = new FakeCluster()
  const graph = await cellGraph(await cluster.store({ requestTimeout: TIMEOUT }))
  await graph.management.createIndex("code", "vertex", { unique: true })
  await runLater(graph, "g.addV('other').property('code', 'b')")
  cluster.weather = async (text) => {
    if (/INSERT .*graphindex/.test(text)) await sleep(LATE)
  }
  const add = (): Promise<unknown> => runLater(graph, "g.addV('other').property('code', 'a')")
  await expect(add()).rejects.toThrow()
  cluster.weather = async () => undefined
  await expect(add()).rejects.toThrow("it is not known whether an earlier commit")
  await runLater(graph, "g.addV('other').property('code', 'c')")
  await sleep(3 * LATE)
  const count = async (): Promise<unknown> => (await runLater(graph, "g.V().has('code', 'a').count()"))[0]
  expect([await count(), await findingsOf(graph)]).toEqual([1n, []])
  await graph.close()
})
