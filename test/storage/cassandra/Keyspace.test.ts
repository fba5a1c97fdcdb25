import { describe, expect, it } from "vitest"
import { cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { openingFailure, requestFailure } from "../../../src/storage/cassandra/Failures.ts"
import { keyspaceStatement, tableStatement } from "../../../src/storage/cassandra/Keyspace.ts"
import { StorageUnavailable } from "../../../src/structure/StoreErrors.ts"

describe("A new keyspace", () => {
  const { schema } = cqlDefaults

  it("is created as in JanusGraph, and so are its tables", () => {
    expect(keyspaceStatement("janusgraph", schema)).toBe(
      `CREATE KEYSPACE IF NOT EXISTS "janusgraph" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}`
    )
    expect(tableStatement("janusgraph", "edgestore", schema)).toBe(
      `CREATE TABLE IF NOT EXISTS "janusgraph"."edgestore" (key blob, column1 blob, value blob, PRIMARY KEY (key, column1)) ` +
        `WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '64'} AND ` +
        `compaction = {'class': 'SizeTieredCompactionStrategy'}`
    )
  })

  it("has the replicas, compaction and compression of its options", () => {
    const options = {
      ...schema,
      replicationStrategy: "NetworkTopologyStrategy",
      replicationOptions: ["dc1", "3", "dc2", "2"],
      compactionStrategy: "LeveledCompactionStrategy",
      compactionOptions: ["sstable_size_in_mb", "100"],
      compression: false,
      gcGraceSeconds: 3600,
      speculativeRetry: "99PERCENTILE"
    }
    expect(keyspaceStatement("Graphs", options)).toBe(
      `CREATE KEYSPACE IF NOT EXISTS "graphs" WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': '3', 'dc2': '2'}`
    )
    expect(keyspaceStatement('"Graphs"', options)).toContain('"Graphs"')
    expect(tableStatement("g", "graphindex", options)).toContain(
      `WITH compression = {'enabled': 'false'} AND compaction = {'class': 'LeveledCompactionStrategy', ` +
        `'sstable_size_in_mb': '100'} AND gc_grace_seconds = 3600 AND speculative_retry = '99PERCENTILE'`
    )
  })
})

describe("An error of a cluster", () => {
  const failed = (error: object): Error => requestFailure("cql:a/g", "read", Object.assign(new Error("no"), error))

  it("says what to do, and does not stop the next request", () => {
    const unavailable = failed({ code: 0x1000, required: 2, alive: 1 })
    expect(unavailable).toBeInstanceOf(StorageUnavailable)
    expect(unavailable.message).toContain("only 1 of the 2 replicas that the consistency level asks for are up")
    expect(failed({ code: 0x1200, received: 1, blockFor: 2 }).message).toContain("only 1 of the 2 replicas")
    expect(failed({ code: 0x2100 }).message).toContain("Grant it SELECT and MODIFY")
    const written = requestFailure("cql:a/g", "written", Object.assign(new Error("no"), { code: 0x1100 }))
    expect(written.message).toContain("may have been applied in part or whole")
  })

  it("at the start names what may be wrong: the address, the datacenter, the user", () => {
    const inner = { "10.0.0.1:9042": Object.assign(new Error("connect ECONNREFUSED"), {}) }
    const unreachable = openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors: inner })
    expect(unreachable.message).toContain("10.0.0.1:9042: connect ECONNREFUSED")
    expect(unreachable.message).toContain("storage.cql.local-datacenter")
    const wrong = { "10.0.0.1:9042": Object.assign(new Error("bad credentials"), { name: "AuthenticationError" }) }
    const refused = openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors: wrong })
    expect(refused.message).toContain("storage.username")
  })
})
