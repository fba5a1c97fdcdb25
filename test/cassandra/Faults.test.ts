import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { CommitOutcomeUnknown, StorageFailure, StorageUnavailable } from "../../src/structure/StoreErrors.ts"
import { text } from "../../src/structure/Text.ts"
import { runLater } from "../process/run.ts"
import { freePort, type Node, type NodeOptions, startNode } from "./Cassandra.ts"
import { cqlGraph, cqlStore, newKeyspace } from "./Stores.ts"

/** Timeout of a request in these tests, ms. */
const TIMEOUT_MS = 3000

describe("A graph in a Cassandra that fails", () => {
  const jars = inject("cassandraJars")
  const keyspace = newKeyspace()
  let options: NodeOptions
  let node: Node
  let graph: CellGraph

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
    options = { folder, port: await freePort(), storagePort: await freePort() }
    node = await startNode(jars, options)
    graph = await cqlGraph(keyspace, {}, { port: options.port, requestTimeout: TIMEOUT_MS })
    await query("g.addV('person').property('name', 'ann')")
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

  /** Waits until the graph answers again, without being reopened. */
  const serves = async (): Promise<void> => {
    for (let attempt = 0; attempt < 120; attempt++) {
      const ended = await query("g.V().has('name', 'ann').count()").catch((error: unknown) => error)
      if (Array.isArray(ended)) {
        expect(ended).toEqual(["1"])
        return
      }
      expect(ended).toBeInstanceOf(StorageUnavailable)
      await pause(500)
    }
    expect.fail("the graph does not serve again")
  }

  it("fails reads and writes with advice while the node pauses, and recovers with it", async () => {
    node.signal("SIGSTOP")
    try {
      for (const failure of await failures(...reads, ...writes)) {
        expect(failure).toBeInstanceOf(StorageUnavailable)
        expect(String(failure)).toContain("run the request again")
      }
    } finally {
      node.signal("SIGCONT")
    }
    await serves()
    await query("g.addV('person').property('name', 'bob')")
    expect(await query("g.V().has('name', 'bob').count()")).toEqual(["1"])
  })

  it("keeps every answered commit after a crash of the node, and cannot be opened meanwhile", async () => {
    await query("g.addV('person').property('name', 'before')")
    node.signal("SIGKILL")
    await pause(500)
    for (const failure of await failures(...reads)) expect(failure).toBeInstanceOf(StorageUnavailable)
    // A commit that needs no read fails while it writes. The driver does not tell whether the node got the request.
    for (const failure of await failures(...writes)) {
      expect(failure instanceof StorageUnavailable || failure instanceof CommitOutcomeUnknown).toBe(true)
    }
    const opened = await cqlStore(keyspace, { port: options.port, connectionTimeout: 2000 }).catch(
      (error: unknown) => error
    )
    expect(opened).toBeInstanceOf(StorageFailure)
    expect(String(opened)).toContain("storage.hostname")
    await node.stop()
    node = await startNode(jars, options)
    await serves()
    expect(await query("g.V().has('name', 'before').count()")).toEqual(["1"])
    await query("g.addV('person').property('name', 'after')")
    expect(await query("g.V().has('name', 'after').count()")).toEqual(["1"])
  })
})
