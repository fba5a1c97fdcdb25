import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { ConfigurationGraph } from "../../../../src/layers/graphs/dynamic/ConfigurationGraph.ts"
import { DynamicGraphList } from "../../../../src/layers/graphs/dynamic/DynamicGraphList.ts"
import { GraphRules } from "../../../../src/layers/graphs/dynamic/GraphRules.ts"
import { OpenGraphs } from "../../../../src/layers/graphs/dynamic/OpenGraphs.ts"
import { OwnTraversals } from "../../../../src/layers/graphs/OwnTraversals.ts"
import { defaultSettings, type GraphSettings } from "../../../../src/services/Config.ts"
import { dynamicGraphDefaults } from "../../../../src/services/DynamicGraphs.ts"
import { type CellGraph, openCellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { defaultCellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { newFolder } from "../../../Folders.ts"
import { FakeCluster } from "../../../storage/cassandra/FakeCluster.ts"
import { StandIn, searchOptions } from "../../../storage/search/StandIn.ts"
import { configurationGraphOf } from "../../support/DynamicGraphs.ts"

/** Keyspaces of one simulated Cassandra, which several servers share. */
class Keyspaces {
  readonly #clusters = new Map<string, FakeCluster>()

  async open(keyspace: string): Promise<GraphStore> {
    let cluster = this.#clusters.get(keyspace)
    if (cluster === undefined) {
      cluster = new FakeCluster()
      this.#clusters.set(keyspace, cluster)
    }
    return openCellGraph(await cluster.store(), { ...defaultCellGraphOptions, name: keyspace }, "test")
  }

  drop(keyspace: string): void {
    this.#clusters.delete(keyspace)
  }

  get names(): ReadonlyArray<string> {
    return [...this.#clusters.keys()].sort()
  }
}

const keyspaceOf = ({ factory }: GraphSettings): string =>
  factory.kind === "JanusGraphFactory" ? factory.storage.keyspace! : ""

const cql = ["storage.backend=cql", "storage.hostname=cluster"]

const startServer = async (keyspaces: Keyspaces) => {
  const folder = newFolder()
  const configurationGraph = configurationGraphOf([...cql, "graph.graphname=ConfigurationManagementGraph"])
  const settings = defaultSettings({
    dynamicGraphs: { ...dynamicGraphDefaults(1e9), directory: join(folder, "graphs"), hosts: ["c2", "es"] },
    ioDirectory: join(folder, "io")
  })
  const store = await keyspaces.open("configurationmanagementgraph")
  const served = new Map<string, GraphStore>()
  const log: Array<string> = []
  const graphs = new DynamicGraphList({
    graph: await ConfigurationGraph.open(store),
    rules: new GraphRules(settings, configurationGraph),
    open: new OpenGraphs(served),
    taken: () => false,
    allowed: true,
    maxGraphs: 100,
    maxOpenGraphs: 10,
    hasFiles: () => true,
    openStore: (graph) => keyspaces.open(keyspaceOf(graph)),
    deleteData: async (graph) => keyspaces.drop(keyspaceOf(graph)),
    log: (_, text) => log.push(text)
  })
  await graphs.refresh()
  const end = async () => {
    await graphs.end()
    await store.close()
  }
  return { graphs, served, log, end, store }
}

const count = (store: GraphStore) => Effect.runPromise(new OwnTraversals(store).effect("g.V().count()"))
const add = (store: GraphStore) => Effect.runPromise(new OwnTraversals(store).effect("g.addV('x')"))
const options = new Map<string, unknown>([
  ["storage.backend", "cql"],
  ["storage.hostname", "cluster"]
])

const searched = new Map<string, unknown>([
  ["index.search.backend", "elasticsearch"],
  ["index.search.hostname", "es"]
])

describe("Servers over one configuration graph in Cassandra", () => {
  it("have the graphs that one of them creates, changes and drops", async () => {
    const keyspaces = new Keyspaces()
    const one = await startServer(keyspaces)
    const other = await startServer(keyspaces)
    await one.graphs.configurations.createTemplate(options)
    await add(await one.graphs.create("Graph1"))
    expect(keyspaces.names).toEqual(["Graph1", "configurationmanagementgraph"])
    expect(other.graphs.closedGraphOf("Graph1_traversal")).toBeUndefined()
    await other.graphs.refresh()
    expect(other.graphs.closedGraphOf("Graph1_traversal")).toBe("Graph1")
    expect(await count(await other.graphs.open("Graph1"))).toEqual([1n])
    await expect(other.graphs.create("graph1")).rejects.toThrow("differs from")
    const dropping = one.graphs.drop("Graph1")
    while (
      one.graphs.closedGraphOf("Graph1") !== undefined ||
      (await one.graphs.configurations.find("Graph1")) !== null
    ) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await other.graphs.refresh()
    expect(other.served.size).toBe(0)
    await dropping
    expect(keyspaces.names).toEqual(["configurationmanagementgraph"])
    await Promise.all([one.end(), other.end()])
  })

  it("take graphs whose indexes may have one name in a search engine, and warn of them", async () => {
    const { end, graphs, log } = await startServer(new Keyspaces())
    const create = (name: string) =>
      graphs.configurations.create(new Map([...options, ...searched, ["graph.graphname", name]]))
    await create("prod_eu")
    expect(log).toEqual([])
    await create("prod")
    const warning = expect.stringMatching(/^The graph 'prod': an index of it can have the name of .* graph 'prod_eu'/)
    expect(log).toEqual([warning])
    await graphs.configurations.update("prod", new Map([["query.force-index", true]]))
    expect(log).toEqual([warning])
    await graphs.configurations.remove("prod")
    await create("prod")
    expect(log).toEqual([warning, warning])
    await end()
  })

  it("remove the indexes of a graph that is dropped from its search engine", async () => {
    const engine = (await StandIn.start()).make("janusgraph_other")
    onTestFinished(() => engine.stop())
    const { end, graphs, log } = await startServer(new Keyspaces())
    await graphs.configurations.createTemplate(options)
    const created = async (name: string): Promise<CellGraph> => {
      const graph = (await graphs.create(name)) as CellGraph
      const unused = (): void => undefined
      const events = { failed: unused, recovered: unused, refused: unused, unread: unused }
      graph.connect(new Map([["search", new RestEngine(searchOptions(engine.port))]]), events)
      const editor = await graph.management.edit()
      const index = { element: "vertex", kind: "mixed", unique: false, backing: "search" } as const
      const keys = [editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")]
      for (const made of ["people", "Other2"]) editor.makeIndex({ ...index, name: made, keys })
      await graph.management.commit(editor)
      await graph.management.setStatus(graph.core.schema.indexTable.named("Other2")!.id, "DISABLED")
      return graph
    }
    await Effect.runPromise(new OwnTraversals(await created("a")).effect("g.addV().property('age', 1)"))
    expect(engine.indexes).toEqual(["janusgraph_other", "janusgraph_people", "janusgraph_other2"])
    await graphs.drop("a")
    expect(engine.indexes).toEqual(["janusgraph_other"])
    await created("b")
    engine.fault = () => ({ status: 503, body: "no master" })
    await graphs.drop("b")
    expect(engine.indexes).toHaveLength(3)
    expect(log.filter((text) => text.includes("stay in a search engine"))).toEqual([
      expect.stringMatching(/is dropped, and indexes of it stay in a search engine\. Remove them there\. .*no master$/)
    ])
    expect(log.at(-1)).toBe("The graph 'b' was dropped")
    await end()
  })

  it("create a graph of one name once", async () => {
    const keyspaces = new Keyspaces()
    const servers = [await startServer(keyspaces), await startServer(keyspaces)]
    const made = await Promise.allSettled(
      servers.map(({ graphs }) => graphs.configurations.create(new Map([...options, ["graph.graphname", "a"]])))
    )
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    for (const { graphs } of servers) expect(await graphs.names()).toEqual(["a"])
    await Promise.all(servers.map(({ end }) => end()))
  })

  it("drop a graph once when several calls drop it", async () => {
    const keyspaces = new Keyspaces()
    const { end, graphs, log } = await startServer(keyspaces)
    await graphs.configurations.createTemplate(options)
    await graphs.create("a")
    const drops = await Promise.allSettled(Array.from({ length: 4 }, () => graphs.drop("a")))
    expect(drops.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"])
    expect(log.filter((text) => text === "The graph 'a' was dropped")).toHaveLength(1)
    expect(keyspaces.names).toEqual(["configurationmanagementgraph"])
    await end()
  })

  it("log the notes about the options of a graph, when they are stored and when the graph is opened", async () => {
    const keyspaces = new Keyspaces()
    const { end, graphs, log } = await startServer(keyspaces)
    const note = (graph: string) =>
      `${graph}: storage.cql.ssl.truststore.password has no effect without storage.cql.ssl.enabled: the connection is not encrypted`
    const unencrypted = new Map([...options, ["storage.cql.ssl.truststore.password", "hush"]])
    const logged = (): ReadonlyArray<string> => log.splice(0).filter((text) => text.includes("has no effect"))
    await graphs.configurations.createTemplate(unencrypted)
    expect(logged()).toEqual([note("The template of graphs")])
    await graphs.create("a")
    expect(logged()).toEqual([note("The graph 'a'")])
    await graphs.configurations.create(new Map([...unencrypted, ["graph.graphname", "b"]]))
    expect(logged()).toEqual([note("The graph 'b'")])
    await graphs.open("b")
    expect(logged()).toEqual([note("The graph 'b'")])
    await graphs.configurations.update("b", new Map([["cache.db-cache", true]]))
    expect(logged()).toEqual([note("The graph 'b'")])
    await end()
  })

  it("do not drop a graph whose keyspace may be that of another graph", async () => {
    const keyspaces = new Keyspaces()
    const { end, graphs } = await startServer(keyspaces)
    const create = (name: string, host: string, keyspace = "shared") =>
      graphs.configurations.create(
        new Map<string, unknown>([
          ...options,
          ["storage.hostname", host],
          ["storage.cql.keyspace", keyspace],
          ["graph.graphname", name]
        ])
      )
    await create("a", "cluster")
    await expect(create("b", "c2,cluster")).rejects.toThrow("would have the data of the graph 'a'")
    await create("b", "c2")
    await expect(graphs.drop("b")).rejects.toThrow(
      "The graph 'b' is not dropped: the graph 'a' has a keyspace of the same name"
    )
    expect(keyspaces.names).toContain("shared")
    expect(await graphs.names()).toEqual(["a", "b"])
    await graphs.configurations.remove("a")
    await graphs.drop("b")
    expect(keyspaces.names).toEqual(["configurationmanagementgraph"])
    await end()
  })

  it("do not serve what the rules forbid, and say why", async () => {
    const keyspaces = new Keyspaces()
    const { end, graphs, log, store } = await startServer(keyspaces)
    const written = (name: string, more: string) =>
      Effect.runPromise(
        new OwnTraversals(store).effect(
          `g.addV('Configuration').property('graph.graphname', name).property('Template_Configuration', false)${more}`,
          { name }
        )
      )
    await written("a", ".property('storage.backend', 'cql').property('storage.hostname', 'elsewhere')")
    await written("../x", ".property('storage.backend', 'cql').property('storage.hostname', 'cluster')")
    await written(
      "users",
      ".property('storage.backend', 'cql').property('storage.hostname', 'cluster').property('storage.cql.keyspace', 'CONFIGURATIONMANAGEMENTGRAPH')"
    )
    expect(await graphs.names()).toEqual(["../x", "a", "users"])
    expect(graphs.list().map(({ state }) => state)).toEqual(["failed", "failed", "failed"])
    for (const name of ["../x", "a", "users"]) await expect(graphs.open(name)).rejects.toThrow()
    expect(log.join("\n")).toMatch(/elsewhere[\s\S]*users or configurations/)
    await end()
  })
})
