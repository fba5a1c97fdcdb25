import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { janusGraphKeys, memorySchemaKeys } from "../../../src/layers/config/GraphKeys.ts"
import { isOption, janusGraphOptions, meantOption } from "../../../src/layers/config/JanusGraphOptions.ts"

const fixture = new URL("../../fixtures/janusgraph-options/options-1.1.0.txt", import.meta.url)

/** JanusGraph's names, with this server's name for the one that starts with `gremlin`. */
const names = readFileSync(fixture, "utf8")
  .trim()
  .split("\n")
  .map((name) => name.replace(/^gremlin\./, "engine."))

describe("The options of JanusGraph 1.1", () => {
  it("are all known", () => {
    assert.deepEqual(
      names.map((name) => name.replaceAll("*", "search")).filter((name) => !isOption(name)),
      []
    )
  })

  it("are the only known ones besides those of this server", () => {
    const own = [
      "schema.allow-stale-mixed-indexes",
      "storage.lmdb.sync",
      "storage.memory.max-bytes",
      "storage.memory.schema"
    ]
    assert.deepEqual(
      janusGraphOptions.filter((option) => !names.includes(option)),
      own
    )
  })

  it("include every option with an effect here", () => {
    const effective = [...Object.values(janusGraphKeys).flat(), ...memorySchemaKeys]
    assert.deepEqual(
      effective.filter((key) => !isOption(key)),
      []
    )
  })

  it("have parts chosen by the user only where JanusGraph has them", () => {
    assert.isTrue(isOption("index.search.hostname"))
    assert.isTrue(isOption("log.any.read-interval"))
    assert.isTrue(isOption("index.search.elasticsearch.create.ext.anything.at.all"))
    assert.isTrue(isOption("storage.hbase.ext.zookeeper.znode.parent"))
    for (const key of ["index.hostname", "index.search.hostnam", "cache.any.db-cache", "schema", "storage.hbase.ext"]) {
      assert.isFalse(isOption(key), key)
    }
  })

  it("of earlier versions are accepted, because JanusGraph ignores them", () => {
    assert.isTrue(isOption("storage.cassandra.keyspace"))
    assert.isTrue(isOption("query.batch"))
    assert.isTrue(isOption("index.search.elasticsearch.client-only"))
    assert.isTrue(isOption("index.search.elasticsearch.local-mode"))
    assert.isTrue(isOption("storage.cql.local-core-connections-per-host"))
  })

  it("are suggested for keys with typing errors", () => {
    const meant: Readonly<Record<string, string | undefined>> = {
      "schema.defualt": "schema.default",
      "storage.directroy": "storage.directory",
      "strage.directroy": "storage.directory",
      "storage.cql.keyspce": "storage.cql.keyspace",
      "storage.cql.ssl.hostname-validation": "storage.cql.ssl.hostname_validation",
      "index.search.hostnam": "index.search.hostname",
      "Storage.Backend": "storage.backend",
      "nothing.like.it": undefined
    }
    for (const [key, option] of Object.entries(meant)) assert.strictEqual(meantOption(key), option, key)
  })
})
