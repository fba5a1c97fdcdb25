import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { OwnTraversals } from "../../../../src/layers/graphs/OwnTraversals.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { Keyspaces, startServer } from "../../support/Keyspaces.ts"

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
