import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import type { CqlStore } from "../../src/storage/cassandra/CqlStore.ts"
import { type CellGraph, openCellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../src/storage/janusgraph/Options.ts"
import { CommitOutcomeUnknown, StorageFailure, StorageUnavailable } from "../../src/structure/errors/StoreErrors.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { runLater } from "../process/run.ts"
import { freePort, type Node, type NodeOptions, startNode } from "./Cassandra.ts"
import { cqlStore, newKeyspace } from "./Stores.ts"

/** Timeout of a request in these tests, ms. */
const TIMEOUT_MS = 3000

describe("A graph in a Cassandra that fails", () => {
  const jars = inject("cassandraJars")
  const keyspace = newKeyspace()
  let options: NodeOptions
  let node: Node
  let store: CqlStore
  let graph: CellGraph

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
    options = { folder, port: await freePort(), storagePort: await freePort() }
    node = await startNode(jars, options)
    // No news of the schema are read, so that a commit of a known label reads nothing.
    store = await cqlStore(keyspace, { port: options.port, requestTimeout: TIMEOUT_MS }, { newsInterval: 3_600_000 })
    graph = await openCellGraph(store, { ...defaultCellGraphOptions, name: "test" }, "test")
    await query("g.addV('person').property('name', 'ann')")
    await query("g.addV('person')")
  })
  afterAll(async () => {
    await graph.close()
    await node.stop()
    rmSync(options.folder, { recursive: true, force: true })
  })

  const query = async (script: string): Promise<ReadonlyArray<unknown>> => {
    const transaction = graph.begin()
    try {
      return await runLater(graph, script, { as: text, transaction })
    } finally {
      transaction.rollback()
    }
  }
  /** The error of a request. */
  const failures = async (...scripts: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> => {
    const ended = await Promise.allSettled(scripts.map(query))
    return ended.map((each) => (each.status === "rejected" ? each.reason : "no failure"))
  }
  const reads = Array.from({ length: 20 }, () => "g.V().has('name', 'ann').count()")
  const writes = Array.from({ length: 20 }, () => "g.addV('person')")

  const expectUnavailable = (failed: ReadonlyArray<unknown>): void => {
    for (const failure of failed) {
      expect(failure).toBeInstanceOf(StorageUnavailable)
      expect(String(failure)).toContain("run the request again")
    }
  }
  /** The node may have got the write, so the client must look before it repeats it. */
  const expectUnknown = (failed: ReadonlyArray<unknown>): void => {
    for (const failure of failed) {
      expect(failure).toBeInstanceOf(CommitOutcomeUnknown)
      expect(String(failure)).toContain("Read the changed elements before you send the request again")
    }
  }

  /** Waits until the graph answers again, without being reopened. */
  const serves = (): Promise<void> =>
    expect
      .poll(() => query("g.V().has('name', 'ann').count()").catch(String), { timeout: 120_000, interval: 500 })
      .toEqual(["1"])

  it("fails reads with advice while the node pauses, says that the outcome of writes is unknown, and recovers with it", async () => {
    node.signal("SIGSTOP")
    try {
      const reading = failures(...reads)
      expectUnknown(await failures(...writes))
      expectUnavailable(await reading)
    } finally {
      node.signal("SIGCONT")
    }
    await serves()
    await query("g.addV('person').property('name', 'bob')")
    expect(await query("g.V().has('name', 'bob').count()")).toEqual(["1"])
  })

  it("says that the outcome of a write is unknown if the node crashes before it answers", async () => {
    node.signal("SIGSTOP")
    const failed = failures(...writes)
    await expect
      .poll(() => store.columns.requests.inFlight, { timeout: 60_000, interval: 1 })
      .toBeGreaterThanOrEqual(writes.length)
    node.signal("SIGKILL")
    expectUnknown(await failed)
    await node.stop()
    node = await startNode(jars, options)
    await serves()
  })

  it("keeps every answered commit after a crash of the node, and writes nothing and cannot be opened meanwhile", async () => {
    await query("g.addV('person').property('name', 'before')")
    const before = await query("g.V().count()")
    node.signal("SIGKILL")
    await node.stop()
    // The driver knows that the node is down, and sends nothing.
    await expect
      .poll(() => failures(reads[0]!).then(String), { timeout: 60_000 })
      .toContain("no node of the cluster answers")
    expectUnavailable(await failures(...reads, ...writes))
    const opened = await cqlStore(keyspace, { port: options.port, connectionTimeout: 2000 }).catch(
      (error: unknown) => error
    )
    expect(opened).toBeInstanceOf(StorageFailure)
    expect(String(opened)).toContain("storage.hostname")
    node = await startNode(jars, options)
    await serves()
    expect(await query("g.V().has('name', 'before').count()")).toEqual(["1"])
    expect(await query("g.V().count()")).toEqual(before)
    await query("g.addV('person').property('name', 'after')")
    expect(await query("g.V().has('name', 'after').count()")).toEqual(["1"])
  })
})
