import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import cassandra from "cassandra-driver"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { type CqlOptions, cqlDefaults } from "../../src/storage/cassandra/CqlOptions.ts"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { runLater } from "../process/run.ts"
import { freePort, type Node, type NodeOptions, nodetool, startNode } from "./Cassandra.ts"
import { cqlGraph, newKeyspace, patientLocks } from "./Stores.ts"

const WEST = "west"
const EAST = "east"

/** Waits until a node knows so many other nodes of its ring. */
const knowsOthers = async (address: string, port: number, others: number): Promise<void> => {
  const client = new cassandra.Client({
    contactPoints: [address],
    protocolOptions: { port },
    policies: { loadBalancing: new cassandra.policies.loadBalancing.RoundRobinPolicy() }
  })
  const count = async () => (await client.execute("SELECT host_id FROM system.peers")).rows.length
  try {
    await vi.waitUntil(async () => (await count()) === others, { timeout: 60_000, interval: 500 })
  } finally {
    await client.shutdown()
  }
}

/** Two nodes on two addresses, each a datacenter with one copy of all data, and a third node that comes and goes. */
describe("A graph in two datacenters", () => {
  const jars = inject("cassandraJars")
  const keyspace = newKeyspace()
  const folders: Array<string> = []
  const nodes: Array<Node> = []
  let west: CellGraph
  let east: CellGraph
  let optionsOf: (number: number, datacenter: string, joins: boolean) => Promise<NodeOptions>
  let connection: (address: string, datacenter: string) => Partial<CqlOptions>

  const start = async (options: NodeOptions): Promise<Node> => {
    const node = await startNode(jars, options)
    nodes.push(node)
    return node
  }

  beforeAll(async () => {
    const [port, storagePort] = [await freePort(), await freePort()]
    optionsOf = async (number, datacenter, joins) => {
      const folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
      folders.push(folder)
      const ring = { address: `127.0.0.${number}`, datacenter, joins, toolPort: await freePort() }
      return { folder, port, storagePort, heap: "320m", ring }
    }
    connection = (address, localDatacenter) => ({
      hosts: [address],
      port,
      localDatacenter,
      readConsistency: "LOCAL_QUORUM",
      writeConsistency: "LOCAL_QUORUM",
      localSystemOperations: true,
      schema: {
        ...cqlDefaults.schema,
        replicationStrategy: "NetworkTopologyStrategy",
        replicationOptions: [WEST, "1", EAST, "1"]
      }
    })
    await start(await optionsOf(1, WEST, false))
    await start(await optionsOf(2, EAST, false))
    for (const address of ["127.0.0.1", "127.0.0.2"]) await knowsOthers(address, port, 1)
    west = await cqlGraph(keyspace, {}, connection("127.0.0.1", WEST), patientLocks)
    await query(west, "g.addV('person').property('name', 'ann')")
    east = await cqlGraph(keyspace, {}, connection("127.0.0.2", EAST), patientLocks)
  })

  afterAll(async () => {
    await Promise.all([west?.close(), east?.close()])
    await Promise.all(nodes.map((node) => node.stop()))
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const query = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown>> =>
    (await runLater(graph, script, { as: text })) as ReadonlyArray<unknown>
  const namesOf = (graph: CellGraph, name: string) => query(graph, `g.V().has('name', '${name}').count()`)
  const reads = (graph: CellGraph, name: string) => expect.poll(() => namesOf(graph, name), { timeout: 60_000 })

  it("is written and read in both, by the nodes of the own one", async () => {
    await reads(east, "ann").toEqual(["1"])
    await query(east, "g.addV('person').property('name', 'bob')")
    expect(await namesOf(east, "bob")).toEqual(["1"])
    await reads(west, "bob").toEqual(["1"])
  })

  it("is not opened with the name of a datacenter that does not exist", async () => {
    const opened = await cqlGraph(keyspace, {}, connection("127.0.0.1", "north")).catch(String)
    expect(opened).toMatch(/north/)
    expect(opened).toMatch(/storage\.cql\.local-datacenter/)
  })

  it("loses no acknowledged vertex, and no request fails, while a node joins its datacenter and leaves it again", async () => {
    let isOver = false
    const written: Array<string> = []
    const failed: Array<unknown> = []
    const write = async (writer: number): Promise<void> => {
      for (let at = 0; !isOver; at++) {
        const name = `load${writer}-${at}`
        try {
          await query(west, `g.addV('person').property('name', '${name}')`)
          written.push(name)
          expect(await query(west, "g.V().has('name', 'ann').values('name')")).toEqual(["ann"])
        } catch (error) {
          failed.push(error)
        }
        // The nodes need time too, on the two cores of a small machine.
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const writers = Promise.all([0, 1, 2, 3].map(write))
    const grows = async (): Promise<void> => {
      const before = written.length
      await expect.poll(() => written.length, { timeout: 60_000 }).toBeGreaterThan(before + 20)
    }
    await grows()
    const options = await optionsOf(3, WEST, true)
    const node = await start(options)
    await grows()
    await nodetool(jars, options, "decommission", "--force")
    await grows()
    await node.stop()
    await grows()
    isOver = true
    await writers
    expect(failed.map(String)).toEqual([])
    const there = new Set(await query(west, "g.V().values('name')"))
    expect(written.filter((name) => !there.has(name))).toEqual([])
  })

  it("is served in one while the other does not answer", async () => {
    nodes[1]!.signal("SIGKILL")
    await nodes[1]!.stop()
    await query(west, "g.addV('person').property('name', 'alone')")
    expect(await namesOf(west, "alone")).toEqual(["1"])
    await expect(query(east, "g.V().count()")).rejects.toThrow("no node of the cluster answers")
  })
})
