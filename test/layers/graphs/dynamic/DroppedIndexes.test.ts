import { describe, expect, it, onTestFinished } from "vitest"
import { ConfigurationGraph } from "../../../../src/layers/graphs/dynamic/ConfigurationGraph.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { StandIn, searchOptions } from "../../../storage/search/StandIn.ts"
import { Keyspaces, startServer } from "../../support/Keyspaces.ts"
import { graphOf } from "../../support/LmdbGraphs.ts"

const options = {
  "storage.backend": "cql",
  "storage.hostname": "cluster",
  "index.search.backend": "elasticsearch",
  "index.search.hostname": "es"
}

/** A server, and a stand-in of a search engine with the indexes of its graphs. */
const started = async (served: ReadonlyArray<string> = []) => {
  const engine = await StandIn.start()
  const keyspaces = new Keyspaces()
  const files = served.map((name) => ({
    ...graphOf(Object.entries({ ...options, "graph.graphname": name }).map((option) => option.join("="))),
    name
  }))
  const server = await startServer(keyspaces, files)
  onTestFinished(async () => {
    await server.end()
    await engine.stop()
  })
  const configured = (name: string, more: Readonly<Record<string, unknown>> = {}) =>
    server.graphs.configurations.create(new Map(Object.entries({ ...options, "graph.graphname": name, ...more })))
  /** Connects an open graph with the engine, and makes indexes. */
  const indexed = async (store: GraphStore, indexName: string, ...indexes: ReadonlyArray<string>) => {
    const graph = store as CellGraph
    const unused = (): void => undefined
    const events = { failed: unused, recovered: unused, refused: unused, unread: unused }
    graph.connect(new Map([["search", new RestEngine(searchOptions(engine.port, { indexName }))]]), events)
    const editor = await graph.management.edit()
    const keys = [editor.makeKey("age", dataTypeOf("Integer"), "SINGLE")]
    for (const name of indexes) {
      editor.makeIndex({ name, keys, element: "vertex", kind: "mixed", unique: false, backing: "search" })
    }
    await graph.management.commit(editor)
    return graph
  }
  const created = async (name: string, ...indexes: ReadonlyArray<string>) => {
    await configured(name)
    return indexed(await server.graphs.open(name), name, ...indexes)
  }
  /** Opens a graph as a script does. Without more options its keyspace and its index-name are `janusgraph`. */
  const opened = async (more: Readonly<Record<string, unknown>>) => {
    const found = await server.scripts.open(new Map(Object.entries({ ...options, ...more })))
    if (found.kind !== "opened") throw new Error(found.name)
    return found
  }
  const stays = () => server.log.filter((text) => text.includes("Indexes "))
  return { ...server, engine, keyspaces, configured, created, indexed, opened, stays }
}

const unused = (): void => undefined

describe("The indexes of a dropped graph in a search engine", () => {
  it("are removed after the data, also those of disabled indexes", async () => {
    const { created, engine, graphs, keyspaces, stays } = await started()
    const graph = await created("a", "people", "Other2")
    await graph.management.setStatus(graph.core.schema.indexTable.named("Other2")!.id, "DISABLED")
    engine.make("b_people")
    expect(engine.indexes).toEqual(["a_people", "a_other2", "b_people"])
    let before: ReadonlyArray<string> = []
    keyspaces.beforeDrop = () => {
      before = engine.indexes
    }
    await graphs.drop("a")
    expect(before).toHaveLength(3)
    expect(engine.indexes).toEqual(["b_people"])
    expect(stays()).toEqual([])
  })

  it("stay if the data is not deleted", async () => {
    const { created, engine, graphs, keyspaces, log } = await started()
    await created("a", "people")
    keyspaces.beforeDrop = () => {
      throw new Error("not now")
    }
    await expect(graphs.drop("a")).rejects.toThrow("not now")
    expect(engine.indexes).toEqual(["a_people"])
    expect(log).toEqual([])
  })

  it("are removed except those that the engine does not remove, which the log names", async () => {
    const { created, engine, graphs, log, stays } = await started()
    await created("a", "one", "two", "three")
    engine.fault = ({ path }) => (path === "/a_two" ? undefined : { status: 503, body: "no master" })
    await graphs.drop("a")
    expect(engine.indexes).toEqual(["a_one", "a_three"])
    expect(stays()).toEqual([
      expect.stringMatching(
        /could not be removed .* DELETE \/<index> .*: a_one \(.*no master\), a_three \(.*no master\)$/
      )
    ])
    expect(log.at(-1)).toBe("The graph 'a' was dropped")
  })

  it("stay if another graph may have them, on whatever hosts", async () => {
    const { configured, created, engine, graphs, opened, stays, store } = await started(["a_s"])
    await created("a", "people", "b_c", "s_c", "d_c", "f_c", "r_c", "O_C")
    await configured("a_b", { "index.search.hostname": "c2" })
    await configured("d", { "index.search.hostname": "c2", "index.search.index-name": "A_D" })
    // Its data stays.
    await configured("a_r")
    await graphs.configurations.remove("a_r")
    // A configuration that this server cannot use.
    const wrong = Object.entries({ ...options, "graph.graphname": "a_f", "index.search.hostname": "elsewhere" })
    await (await ConfigurationGraph.open(store)).add(new Map(wrong))
    await graphs.refresh()
    await opened({ "graph.graphname": "a_o", "index.search.hostname": "c2" })
    await graphs.drop("a")
    expect(engine.indexes).toEqual(["a_b_c", "a_s_c", "a_d_c", "a_f_c", "a_r_c", "a_o_c"])
    expect(stays()).toEqual([
      expect.stringMatching(
        /because other graphs may have them\. .*: a_b_c \(the graph 'a_b'\), a_s_c \(the graph 'a_s'\), a_d_c \(the graph 'd'\), a_f_c \(the graph 'a_f'\), a_r_c \(the graph 'a_r'\), a_o_c \(a graph that a script has opened\)$/
      )
    ])
  })

  it("stay if a script drops the graph, and another one may have them", async () => {
    const { configured, engine, indexed, opened, scripts, stays } = await started()
    await configured("a_b")
    const named = await opened({ "graph.graphname": "a", "index.search.hostname": "c2" })
    await indexed(named.store, "a", "people", "b_c", "d_c")
    await opened({ "graph.graphname": "a_d", "index.search.hostname": "es" })
    await scripts.drop(named.store, unused)
    expect(engine.indexes).toEqual(["a_b_c", "a_d_c"])
    expect(stays()).toEqual([
      expect.stringMatching(/: a_b_c \(the graph 'a_b'\), a_d_c \(another graph that a script has opened\)$/)
    ])
  })

  it("stay if a script drops a graph with the index-name of all graphs without a name", async () => {
    const { engine, indexed, opened, scripts, stays } = await started()
    const { store } = await opened({ "storage.cql.keyspace": "mine" })
    await indexed(store, "janusgraph", "people")
    await scripts.drop(store, unused)
    expect(engine.indexes).toEqual(["janusgraph_people"])
    expect(stays()).toEqual([expect.stringMatching(/: janusgraph_people \(graphs without graph\.graphname\)$/)])
  })
})
