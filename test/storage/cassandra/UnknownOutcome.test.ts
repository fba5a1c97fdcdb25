import { expect, it } from "vitest"
import { StorageUnavailable } from "../../../src/structure/errors/StoreErrors.ts"
import { patience } from "../../Limits.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { FakeCluster } from "./FakeCluster.ts"
import { findingsOf } from "./Findings.ts"

/** Timeout of a request, ms. */
const TIMEOUT_MS = 100 * patience

it("A unique value of a commit without an answer is refused to other commits while the first one may still arrive", async () => {
  const cluster = new FakeCluster()
  const graph = await cellGraph(await cluster.store({ requestTimeout: TIMEOUT_MS }))
  await graph.management.createIndex("code", "vertex", { unique: true })
  await runLater(graph, "g.addV('other').property('code', 'b')")
  let arrive: () => void = () => undefined
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve
  })
  cluster.weather = async (text) => {
    if (/INSERT .*graphindex/.test(text)) await arrival
  }
  const add = (): Promise<unknown> => runLater(graph, "g.addV('other').property('code', 'a')")
  await expect(add()).rejects.toThrow()
  cluster.weather = async () => undefined
  await expect(add()).rejects.toThrow("an earlier commit of this server has an unknown outcome")
  await runLater(graph, "g.addV('other').property('code', 'c')")
  arrive()
  const count = async (): Promise<unknown> => (await runLater(graph, "g.V().has('code', 'a').count()"))[0]
  await expect.poll(async () => [await count(), await findingsOf(graph)]).toEqual([1n, []])
  await graph.close()
})

it("A commit whose lock was not written says that it has changed nothing, although the lock may be there", async () => {
  const cluster = new FakeCluster()
  const options = { requestTimeout: TIMEOUT_MS, lockWait: 10 }
  const graph = await cellGraph(await cluster.store(options))
  await graph.management.createIndex("code", "vertex", { unique: true })
  // Another instance: commits need locks in the keyspace.
  const other = await cellGraph(await cluster.store(options))
  cluster.weather = async (text) => {
    if (text.includes("graphindex_lock_")) throw Object.assign(new Error("no"), { name: "OperationTimedOutError" })
  }
  const failure = await runLater(graph, "g.addV('other').property('code', 'a')").catch((error: Error) => error)
  expect(failure).toBeInstanceOf(StorageUnavailable)
  expect((failure as Error).message).toContain("nothing in the graph has changed: run it again.")
  expect((failure as Error).message).not.toContain("may have been applied")
  cluster.weather = async () => undefined
  expect(await runLater(graph, "g.V().count()")).toEqual([0n])
  await other.close()
  await graph.close()
})
