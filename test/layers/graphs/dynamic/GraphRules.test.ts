import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dataLocationsOf } from "../../../../src/layers/graphs/dynamic/DataLocations.ts"
import { GraphRules } from "../../../../src/layers/graphs/dynamic/GraphRules.ts"
import { KnownConfigurations } from "../../../../src/layers/graphs/dynamic/KnownConfigurations.ts"
import { defaultSettings, type GraphSettings } from "../../../../src/services/Config.ts"
import { dynamicGraphDefaults } from "../../../../src/services/DynamicGraphs.ts"
import { newFolder } from "../../../Folders.ts"
import { configurationGraphOf } from "../../support/DynamicGraphs.ts"
import { graphOf } from "../../support/LmdbGraphs.ts"

const configurations = configurationGraphOf([
  "storage.backend=cql",
  "storage.hostname=cluster",
  "graph.graphname=ConfigurationManagementGraph"
])

const rulesOf = (hosts: ReadonlyArray<string>, served: ReadonlyArray<GraphSettings> = []): GraphRules => {
  const folder = newFolder()
  const settings = defaultSettings({
    dynamicGraphs: { ...dynamicGraphDefaults(1e9), directory: join(folder, "graphs"), hosts },
    ioDirectory: join(folder, "io"),
    graphs: new Map(served.map((graph) => [graph.name, graph]))
  })
  return new GraphRules(settings, configurations)
}

const optionsOf = (more: Readonly<Record<string, unknown>> = {}) =>
  new Map<string, unknown>([
    ["storage.backend", "cql"],
    ["storage.hostname", "cluster"],
    ["index.search.backend", "elasticsearch"],
    ["index.search.hostname", "es"],
    ...Object.entries(more)
  ])

/** Adds configurations, each checked against those before. */
const usesOf = (rules: GraphRules) => {
  const known = new KnownConfigurations({ graph: {} as never, rules, taken: () => false, log: () => undefined })
  return (name: string, more: Readonly<Record<string, unknown>> = {}): void => {
    const options = optionsOf(more)
    known.usable(name, options)
    known.add(name, options, dataLocationsOf(rules.settingsOf(name, options)))
  }
}

/** The bytes of the caches of a graph, of rows and of slices in Cassandra. */
const cachesOf = ({ factory }: GraphSettings): ReadonlyArray<number | undefined> =>
  factory.kind === "JanusGraphFactory" ? [factory.cells?.cacheBytes, factory.storage.cql?.cache.bytes] : []

describe("A configured graph", () => {
  it("caches no more than its share of dynamicGraphs.cacheBytes, also in Cassandra", () => {
    const rules = rulesOf(["es"])
    const share = dynamicGraphDefaults(1e9).cacheBytes / dynamicGraphDefaults(1e9).maxOpenGraphs
    const cached = { "cache.db-cache": true, "cache.db-cache-size": 50_000_000 }
    expect(cachesOf(rules.settingsOf("a", optionsOf(cached)))).toEqual([Math.floor(share), Math.floor(share)])
    expect(cachesOf(rules.settingsOf("a", optionsOf()))[1]).toBe(0)
    expect(cachesOf(rules.settingsOf("a", optionsOf({ ...cached, "cache.db-cache-size": 1_000 })))).toEqual([
      1_000, 1_000
    ])
  })

  it("takes the options that its keyspace stores", () => {
    expect(rulesOf(["es"]).settingsOf("a", optionsOf())).toMatchObject({ file: undefined, fromOptions: true })
  })
})

describe("A configuration that names a keyspace", () => {
  it("may not have that of another configuration in a cluster with a common contact point", () => {
    const use = usesOf(rulesOf(["es", "c2", "c3", "cluster:9042"]))
    const at = (hosts: string, name: string) => ({
      "storage.hostname": hosts,
      "storage.cql.keyspace": "mine",
      "index.search.index-name": name
    })
    use("a", at("cluster,c2", "a"))
    for (const hosts of ["c2", "CLUSTER", "c3,c2", "cluster:9042"]) {
      expect(() => use("b", at(hosts, "b"))).toThrow("The graph 'b' would have the data of the graph 'a'.")
    }
    use("b", at("c3", "b"))
  })
})

describe("A configuration that names a search engine", () => {
  it("may name the hosts of dynamicGraphs.hosts only, not those of the configuration graph", () => {
    const rules = rulesOf(["es", "other:9300"])
    expect(rules.settingsOf("a", optionsOf()).factory.kind).toBe("JanusGraphFactory")
    rules.settingsOf("a", optionsOf({ "index.search.hostname": "other", "index.search.port": 9300 }))
    for (const host of ["cluster", "cluster:7000", "other:9200", "es2"]) {
      expect(() => rules.settingsOf("a", optionsOf({ "index.search.hostname": host }))).toThrow(
        `index.search.hostname of the graph 'a' is "${host}", which is not in the setting dynamicGraphs.hosts.`
      )
    }
  })

  it("may not have the documents of a graph of the configuration file", () => {
    const lines = Array.from(optionsOf({ "graph.graphname": "served" }), ([key, value]) => `${key}=${String(value)}`)
    const rules = rulesOf(["es"], [{ ...graphOf(lines), name: "served" }])
    expect(() => rules.settingsOf("a", optionsOf({ "index.search.index-name": "served" }))).toThrow(
      "The graph 'a' would have the documents of the graph 'served' in a search engine. Set another index.<name>.index-name."
    )
    // The default is the name of the graph.
    rules.settingsOf("a", optionsOf())
  })

  it("may not have the documents of another configuration", () => {
    const use = usesOf(rulesOf(["es", "es2", "localhost", "127.0.0.1"]))
    const shared = { "index.search.index-name": "shared" }
    use("a", shared)
    expect(() => use("b", shared)).toThrow("would have the documents of the graph 'a' in a search engine")
    expect(() => use("b", { ...shared, "index.search.hostname": "es2,es" })).toThrow("the documents of the graph 'a'")
    use("b")
    use("c", { ...shared, "index.search.hostname": "es2" })
    use("d")
    use("e", { ...shared, "index.search.hostname": "localhost" })
    expect(() => use("f", { ...shared, "index.search.hostname": "127.0.0.1" })).toThrow(
      "the documents of the graph 'e'"
    )
  })

  it("is told of the graphs that may have documents in its indexes, once", () => {
    const lines = Array.from(optionsOf({ "graph.graphname": "served" }), ([key, value]) => `${key}=${String(value)}`)
    const rules = rulesOf(["es", "es2"], [{ ...graphOf(lines), name: "served" }])
    const known = new KnownConfigurations({ graph: {} as never, rules, taken: () => false, log: () => undefined })
    const locationsOf = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
      dataLocationsOf(rules.settingsOf(name, optionsOf(more)))
    const near = (name: string, more: Readonly<Record<string, unknown>> = {}): string | undefined =>
      known.documentsNear(name, locationsOf(name, more))
    known.add("a_b", optionsOf(), locationsOf("a_b"))
    for (const name of ["a", "A", "a_b_c"]) expect(near(name)).toBe("a_b")
    expect(near("served_2")).toBe("served")
    expect(near("a", { "index.search.hostname": "es2" })).toBeUndefined()
    expect(near("a", { "index.search.index-name": "a1" })).toBeUndefined()
    for (const name of ["ab", "a_", "a_bc", "a_b"]) expect(near(name)).toBeUndefined()
    known.usable("a", optionsOf())
    known.add("a", optionsOf(), locationsOf("a"))
    expect(near("a", { "query.force-index": true })).toBeUndefined()
    expect(near("a", { "index.search.index-name": "a_b_d" })).toBe("a_b")
  })
})
