import { createHash } from "node:crypto"
import cassandra, { type Client } from "cassandra-driver"
import { describe, expect, it } from "vitest"
import { GroupLimits } from "../../../src/storage/cassandra/GroupLimits.ts"
import { ReplicaSets } from "../../../src/storage/cassandra/ReplicaSets.ts"
import { grouped } from "../../../src/storage/cassandra/SliceGroups.ts"
import type { SliceQuery } from "../../../src/storage/janusgraph/cells/CellStore.ts"

interface TestHost {
  readonly address: string
  readonly datacenter: string
  readonly rack: string
  readonly tokens: ReadonlyArray<string>
}

/** The parts of the driver's metadata that compute the replicas of rows. */
interface DriverMetadata {
  readonly keyspaces: Record<string, unknown>
  readonly _schemaParser: {
    _createKeyspace(name: string, durable: boolean, strategy: string, options: object): unknown
  }
  setPartitioner(name: string): void
  buildTokens(hosts: { values(): ReadonlyArray<TestHost> }): void
  getReplicas(keyspace: string, key: Buffer): ReadonlyArray<TestHost> | null
}

const TOKENS = 16

/** Nodes whose tokens are as random as those of Cassandra, and equal in each run. */
const nodesOf = (datacenters: Readonly<Record<string, number>>): ReadonlyArray<TestHost> =>
  Object.entries(datacenters).flatMap(([datacenter, count]) =>
    Array.from({ length: count }, (_, node) => {
      const address = `${datacenter}-${node}:9042`
      const tokenOf = (token: number): string =>
        String(createHash("md5").update(`${address} ${token}`).digest().readBigInt64BE())
      return {
        address,
        datacenter,
        rack: `rack${node % 3}`,
        tokens: Array.from({ length: TOKENS }, (_, i) => tokenOf(i))
      }
    })
  )

/** A client that knows these nodes, whose keyspace `graph` has the replication. */
const clientOf = (hosts: ReadonlyArray<TestHost>, strategy: string, replication: Readonly<Record<string, string>>) => {
  const Metadata = (cassandra.metadata as unknown as { readonly Metadata: unknown }).Metadata as new (
    options: object,
    connection: object
  ) => DriverMetadata
  const metadata = new Metadata({ maxPrepared: 10 }, {})
  metadata.setPartitioner("org.apache.cassandra.dht.Murmur3Partitioner")
  metadata.buildTokens({ values: () => hosts })
  metadata.keyspaces.graph = metadata._schemaParser._createKeyspace("graph", true, strategy, replication)
  const client = {
    hosts: { length: hosts.length, values: () => hosts },
    metadata: Object.assign(metadata, { getPreparedInfo: () => ({}) }),
    profileManager: { getDistance: (host: TestHost) => (host.datacenter === "here" ? 0 : 2) },
    getReplicas: (keyspace: string, key: Buffer) => metadata.getReplicas(keyspace, key)
  }
  return client as unknown as Client
}

const keyOf = (number: number): Buffer => {
  const key = Buffer.alloc(8)
  key.writeUInt32BE(number * 8 + 0x10, 4)
  return key
}

const NETWORK = "org.apache.cassandra.locator.NetworkTopologyStrategy"
const SIMPLE = "org.apache.cassandra.locator.SimpleStrategy"
const limits = new GroupLimits({ allowed: true, limit: 100, least: 2 })

const statementsOf = (sets: ReplicaSets, limit?: number): number => {
  const queries = Array.from({ length: 100 }, (_, i): SliceQuery => ({ table: "edgestore", key: keyOf(i), limit }))
  const { groups, singles } = grouped(queries, limits, sets)
  return groups.length + singles.length
}

describe("A hundred rows", () => {
  it("are one statement on three nodes that all have them, and five where a row may have many cells", () => {
    const sets = new ReplicaSets(clientOf(nodesOf({ here: 3 }), SIMPLE, { replication_factor: "3" }), "graph")
    expect(statementsOf(sets, 1)).toBe(1)
    expect(statementsOf(sets)).toBe(5)
  })

  it("are one statement in two datacenters whose nodes all have them", () => {
    const client = clientOf(nodesOf({ here: 3, there: 3 }), NETWORK, { here: "3", there: "3" })
    expect(statementsOf(new ReplicaSets(client, "graph"), 1)).toBe(1)
  })

  it("are a statement for each set of local nodes, whatever nodes of other datacenters have them", () => {
    // Three racks of two nodes: a row has one node of each rack.
    const client = clientOf(nodesOf({ here: 6, there: 9 }), NETWORK, { here: "3", there: "3" })
    const statements = statementsOf(new ReplicaSets(client, "graph"), 1)
    expect(statements).toBeGreaterThan(1)
    expect(statements).toBeLessThanOrEqual(8)
  })

  it("are a statement for each node if no other node has its rows", () => {
    const sets = new ReplicaSets(clientOf(nodesOf({ here: 3 }), SIMPLE, { replication_factor: "1" }), "graph")
    expect(statementsOf(sets, 1)).toBe(3)
  })
})

describe("The sets of nodes", () => {
  it("are known by the nodes, not by the driver's lists of them", () => {
    const hosts = nodesOf({ here: 2 })
    const [a, b] = hosts
    const lists: ReadonlyArray<ReadonlyArray<TestHost> | null> = [[a!, b!], [b!, a!], [b!], null]
    const client = { ...clientOf(hosts, SIMPLE, {}), getReplicas: (_: string, key: Buffer) => lists[key[0]!] }
    const sets = new ReplicaSets(client as unknown as Client, "graph")
    const numbers = [0, 1, 2, 3].map((key) => sets.of(Buffer.from([key])))
    expect(numbers[0]).toBe(numbers[1])
    expect(new Set(numbers).size).toBe(3)
    // The nodes of the row are not known.
    expect(numbers[3]).toBe(0)
  })

  it("are not looked up with one node", () => {
    const client = { ...clientOf(nodesOf({ here: 1 }), SIMPLE, {}), getReplicas: () => expect.fail() }
    expect(new ReplicaSets(client as unknown as Client, "graph").of(keyOf(1))).toBe(0)
  })
})
