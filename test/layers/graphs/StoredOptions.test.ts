import { describe, expect, it } from "vitest"
import { newOptions, withStoredOptions } from "../../../src/layers/graphs/StoredOptions.ts"
import { cellGraphDefaults, type GraphSettings } from "../../../src/services/Config.ts"
import { javaEnum } from "../../../src/storage/janusgraph/format/EnumAttributes.ts"
import { StoredArray } from "../../../src/storage/janusgraph/format/JavaValues.ts"
import { Duration } from "../../../src/structure/times/Temporal.ts"

const applied = (
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, unknown>>,
  origin: Pick<GraphSettings, "file" | "fromOptions"> = { file: "/etc/graph.properties", fromOptions: true }
) =>
  withStoredOptions(
    {
      ...origin,
      options: new Map(Object.entries({ "storage.backend": "cql", ...given })),
      cells: cellGraphDefaults
    },
    new Map(Object.entries(stored)),
    "the keyspace k"
  )

describe("The options that a keyspace has", () => {
  it("apply if the file does not set them", () => {
    const { cells, notices } = applied(
      {},
      {
        "graph.storage-version": "2",
        "schema.default": "none",
        "schema.constraints": true,
        "query.force-index": true,
        "index.search.backend": "elasticsearch",
        "index.search.hostname": Object.assign(new StoredArray("String"), ["es1", "es2"]),
        "index.search.index-name": "people",
        "index.search.port": 9300,
        "ids.authority.wait-time": new Duration(0n, 300_000_000)
      }
    )
    expect(notices).toEqual([])
    expect(cells).toMatchObject({ schemaMaker: "none", schemaConstraints: true, forceIndex: true })
    expect(cells.searchEngines).toMatchObject([
      { backend: "search", hosts: ["es1", "es2"], indexName: "people", port: 9300 }
    ])
  })

  it("give way to the file where an instance may have its own value", () => {
    const { cells, notices } = applied(
      { "schema.default": "none", "index.search.backend": "elasticsearch", "index.search.hostname": "near" },
      { "schema.default": "default", "index.search.backend": "elasticsearch", "index.search.hostname": "far" }
    )
    expect(notices).toEqual([])
    expect(cells).toMatchObject({ schemaMaker: "none", searchEngines: [{ hosts: ["near"] }] })
  })

  it("win over the file where all instances share the value, with a warning that names them", () => {
    const { cells, notices } = applied(
      {
        "index.search.backend": "es",
        "index.search.index-name": "mine",
        "schema.constraints": "true",
        "tx.log-tx": "true"
      },
      {
        "index.search.backend": "es",
        "index.search.index-name": "theirs",
        "ids.authority.conflict-avoidance-mode": javaEnum("ConflictAvoidanceMode", "NONE")
      }
    )
    expect(cells).toMatchObject({ schemaConstraints: false, searchEngines: [{ indexName: "theirs" }] })
    expect(notices).toEqual([
      "the keyspace k has index.search.index-name=theirs, not mine; schema.constraints=false, not true; tx.log-tx=false, not true. " +
        "These options are stored there, and apply to all servers; the values of the file have no effect"
    ])
  })

  it("are compared as values, not as texts", () => {
    const stored = {
      "ids.authority.wait-time": new Duration(1n, 500_000_000),
      "ids.authority.conflict-avoidance-mode": javaEnum("ConflictAvoidanceMode", "GLOBAL_AUTO"),
      "tx.log-tx": true,
      "ids.block-size": 500
    }
    const given = {
      "ids.authority.wait-time": "1500ms",
      "ids.authority.conflict-avoidance-mode": "global_auto",
      "tx.log-tx": "TRUE",
      "ids.block-size": "500"
    }
    expect(applied(given, stored).notices).toEqual([])
  })

  it("must not differ from the file with graph.allow-stale-config=false", () => {
    expect(() => applied({ "graph.allow-stale-config": "false", "ids.block-size": "7" }, {})).toThrow(
      "the keyspace k has ids.block-size=10000, not 7"
    )
  })

  it("are named if they are needed to reach the keyspace, and the file does not set them", () => {
    expect(applied({}, { "storage.cql.read-consistency-level": "ONE" }).notices).toEqual([
      "the keyspace k has storage.cql.read-consistency-level=ONE, which JanusGraph applies. This server reads it from its file only"
    ])
    expect(applied({}, { "storage.cql.local-datacenter": "datacenter1" }).notices).toEqual([])
  })

  it("apply to a graph that a client configures, except its index backends", () => {
    const ofClient = { file: undefined, fromOptions: true } as const
    const given = { "schema.constraints": "true", "index.search.backend": "es", "index.search.hostname": "near" }
    const stored = {
      "query.force-index": true,
      "schema.default": "none",
      "index.search.backend": "es",
      "index.search.index-name": "theirs",
      "index.other.backend": "es",
      "index.other.hostname": "far"
    }
    const { cells, notices } = applied(given, stored, ofClient)
    expect(cells).toMatchObject({ schemaMaker: "none", forceIndex: true, schemaConstraints: false })
    expect(cells.searchEngines).toMatchObject([{ backend: "search", hosts: ["near"], indexName: "janusgraph" }])
    expect(notices).toEqual([
      "the keyspace k has schema.constraints=false, not true. These options are stored there, and apply to all servers; the values of the " +
        "configuration have no effect",
      "the keyspace k has index.search.index-name=theirs, index.other.backend=es, index.other.hostname=far, which JanusGraph applies. This " +
        "server reads it from its configuration only"
    ])
  })

  it("do not apply to a graph that a program configures", () => {
    const { cells, notices } = applied({}, { "schema.default": "none" }, { file: undefined })
    expect([cells, notices]).toEqual([cellGraphDefaults, []])
  })

  it("name a cache that JanusGraph uses, and this server does not", () => {
    expect(applied({}, { "cache.db-cache": true }).notices.join()).toContain(
      "cache.db-cache=true, which JanusGraph applies"
    )
    expect(applied({ "cache.db-cache": "false" }, { "cache.db-cache": true }).notices).toEqual([])
  })

  it("cannot bring a search engine over TLS, whose files only the properties file can name", () => {
    const given = { "index.search.elasticsearch.ssl.enabled": "true" }
    expect(() => applied(given, { "index.search.backend": "elasticsearch" })).toThrow("index.search.backend")
  })

  it("are stored from the file with a new keyspace", () => {
    const given = {
      "tx.log-tx": "true",
      "schema.constraints": "false",
      "index.a.backend": "es",
      "index.a.hostname": "h"
    }
    expect([...newOptions(new Map(Object.entries(given)))]).toEqual([
      ["tx.log-tx", true],
      ["index.a.backend", "es"]
    ])
  })
})
