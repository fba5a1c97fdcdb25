import type { Client } from "cassandra-driver"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type CqlOptions, cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import { isUnreachable } from "../../../src/storage/cassandra/Failures.ts"
import {
  keyspaceStatement,
  prepareKeyspace,
  removeKeyspace,
  tableStatement
} from "../../../src/storage/cassandra/Keyspace.ts"

afterEach(() => {
  vi.useRealTimers()
})

describe("A new keyspace", () => {
  const { schema } = cqlDefaults

  it("is created as in JanusGraph, and so are its tables, but for the size of compressed chunks", () => {
    expect(keyspaceStatement("janusgraph", schema)).toBe(
      `CREATE KEYSPACE IF NOT EXISTS "janusgraph" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': '1'}`
    )
    expect(tableStatement("janusgraph", "edgestore", schema)).toBe(
      `CREATE TABLE IF NOT EXISTS "janusgraph"."edgestore" (key blob, column1 blob, value blob, PRIMARY KEY (key, column1)) ` +
        `WITH compression = {'class': 'LZ4Compressor', 'chunk_length_in_kb': '16'}`
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

describe("The statements that create or remove a keyspace", () => {
  const options: CqlOptions = {
    ...cqlDefaults,
    hosts: ["a"],
    keyspace: "g",
    username: undefined,
    password: undefined,
    readOnly: false,
    tls: undefined
  }

  it("have a minute, because all nodes apply them, and go to one node only", async () => {
    const sent: Array<{ readonly text: string; readonly readTimeout: number; readonly isIdempotent: boolean }> = []
    const client = {
      execute: async (text: string, _: unknown, given: { readTimeout: number; isIdempotent: boolean }) => {
        sent.push({ text, readTimeout: given.readTimeout, isIdempotent: given.isIdempotent })
        return { rows: [] }
      }
    } as unknown as Client
    await prepareKeyspace(client, options)
    await removeKeyspace(client, options)
    const changes = sent.filter(({ text }) => !text.startsWith("SELECT"))
    expect(changes[0]!.text).toMatch(/^CREATE KEYSPACE/)
    expect(changes.at(-1)!.text).toMatch(/^DROP KEYSPACE/)
    expect(changes.length).toBeGreaterThan(5)
    for (const { isIdempotent, readTimeout } of changes)
      expect({ isIdempotent, readTimeout }).toEqual({ isIdempotent: false, readTimeout: 60_000 })
    for (const { readTimeout, text } of sent) if (text.startsWith("SELECT")) expect(readTimeout).toBe(12_000)
  })

  it("are not sent for a graph that must exist", async () => {
    const sent: Array<string> = []
    const client = {
      execute: async (text: string) => {
        sent.push(text)
        return { rows: [] }
      }
    } as unknown as Client
    const failed: unknown = await prepareKeyspace(client, { ...options, mustExist: true }).catch((error) => error)
    expect(String(failed)).toMatch(/There is no graph in .*Check storage\.hostname and storage\.cql\.keyspace/)
    expect(sent.filter((text) => !text.startsWith("SELECT"))).toEqual([])
  })

  it("are named in the error when no node answers, and the start tries again", async () => {
    const late = Object.assign(new Error("no"), { name: "OperationTimedOutError" })
    const client = {
      execute: async (text: string) => {
        if (text.startsWith("CREATE TABLE")) throw late
        return { rows: [] }
      }
    } as unknown as Client
    const failed: unknown = await prepareKeyspace(client, options).catch((error: unknown) => error)
    expect(String(failed)).toMatch(/"CREATE TABLE IF NOT EXISTS "g"\."\w+".* within 60 s.*nodetool describecluster/)
    expect(isUnreachable(failed)).toBe(true)
  })

  /** A client of a cluster whose nodes agree on the schema when they have been asked `questions` times. */
  const slowCluster = (questions: number) => {
    const asked = { count: 0 }
    const client = {
      execute: async (text: string) => ({ rows: [], info: { isSchemaInAgreement: text.startsWith("SELECT") } }),
      metadata: { checkSchemaAgreement: async () => ++asked.count >= questions }
    } as unknown as Client
    return { asked, client }
  }

  it("wait until all nodes have the new schema", async () => {
    vi.useFakeTimers()
    const { asked, client } = slowCluster(20)
    const removed = removeKeyspace(client, options)
    await vi.advanceTimersByTimeAsync(9000)
    expect(asked.count).toBe(19)
    await vi.advanceTimersByTimeAsync(1000)
    await removed
    expect(asked.count).toBe(20)
  })

  it("fail with their text when the nodes do not agree within a minute", async () => {
    vi.useFakeTimers()
    const { client } = slowCluster(Number.POSITIVE_INFINITY)
    const failed = removeKeyspace(client, options).catch(String)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(await failed).toMatch(
      /different versions of the schema 60 s after "DROP KEYSPACE .*nodetool describecluster/
    )
  })
})
