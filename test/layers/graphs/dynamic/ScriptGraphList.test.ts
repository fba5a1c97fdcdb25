import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { GraphRules } from "../../../../src/layers/graphs/dynamic/GraphRules.ts"
import { openInFolder } from "../../../../src/layers/graphs/dynamic/OpenedFolder.ts"
import { ScriptGraphList } from "../../../../src/layers/graphs/dynamic/ScriptGraphList.ts"
import { withStoredOptions } from "../../../../src/layers/graphs/StoredOptions.ts"
import { defaultSettings, type GraphSettings } from "../../../../src/services/Config.ts"
import { dynamicGraphDefaults } from "../../../../src/services/DynamicGraphs.ts"
import type { GraphStore } from "../../../../src/structure/graph/GraphStore.ts"
import { newFolder } from "../../../Folders.ts"
import { graphOf } from "../../support/LmdbGraphs.ts"

/** A list whose stores are not opened, and the settings of those that it asked for. */
const listOf = (served: ReadonlyArray<GraphSettings> = []) => {
  const folder = newFolder()
  const settings = defaultSettings({
    dynamicGraphs: {
      ...dynamicGraphDefaults(1e9),
      directory: join(folder, "graphs"),
      hosts: ["cluster", "c2", "cluster:9043", "c2:9043"]
    },
    ioDirectory: join(folder, "io"),
    graphs: new Map(served.map((graph) => [graph.name, graph]))
  })
  const asked: Array<GraphSettings> = []
  const log: Array<string> = []
  const list = new ScriptGraphList({
    rules: new GraphRules(settings, undefined),
    allowed: true,
    files: new Map(),
    dynamic: undefined,
    maxOpenGraphs: 10,
    hasWorkers: false,
    openStore: (wanted) => {
      asked.push(wanted)
      return Promise.resolve({ close: () => Promise.resolve() } as unknown as GraphStore)
    },
    deleteData: () => Promise.resolve(),
    log: (_, text) => log.push(text)
  })
  const open = async (more: Readonly<Record<string, unknown>> = {}) => {
    const options = { "storage.backend": "cql", "storage.hostname": "cluster", "storage.cql.keyspace": "mine", ...more }
    const found = await list.open(new Map(Object.entries(options)))
    return found.kind === "opened" ? found.store : found.name
  }
  return { asked, folder, list, log, open }
}

describe("The list of graphs that scripts open", () => {
  it("has one graph for a keyspace of a cluster, whatever the spelling", async () => {
    const { open } = listOf()
    const store = await open()
    for (const same of [
      { "storage.port": 9042 },
      { "storage.cql.keyspace": "MINE" },
      { "storage.hostname": "Cluster" },
      { "storage.hostname": "c2,cluster" }
    ]) {
      expect(await open(same)).toBe(store)
    }
  })

  it("has other graphs for other ports of a host, and for names in quotes that differ in case", async () => {
    const { open } = listOf()
    const stores = [
      await open(),
      await open({ "storage.port": 9043 }),
      await open({ "storage.cql.keyspace": '"Mine"' }),
      await open({ "storage.cql.keyspace": '"MINE"' })
    ]
    expect(new Set(stores).size).toBe(4)
  })

  it("gives the graph of the server for its own cluster and keyspace only", async () => {
    const served = {
      ...graphOf(["storage.backend=cql", "storage.hostname=cluster", "storage.cql.keyspace=mine"]),
      name: "served"
    }
    const { open } = listOf([served])
    expect(await open()).toBe("served")
    expect(await open({ "storage.cql.keyspace": '"mine"' })).toBe("served")
    expect(await open({ "storage.port": 9043 })).not.toBe("served")
    expect(await open({ "storage.cql.keyspace": '"Mine"' })).not.toBe("served")
  })

  it("drops no graph whose keyspace has the name of that of a graph of the server, on whatever hosts", async () => {
    const served = {
      ...graphOf(["storage.backend=cql", "storage.hostname=cluster", "storage.cql.keyspace=mine"]),
      name: "served"
    }
    const { list, open } = listOf([served])
    const store = await open({ "storage.hostname": "c2" })
    if (typeof store === "string") throw new Error(store)
    const begun: Array<string> = []
    await expect(list.drop(store, () => begun.push("begun"))).rejects.toThrow(
      "The graph is not dropped: the graph 'served' has a keyspace of the same name"
    )
    expect(begun).toEqual([])
  })

  it("has JanusGraph's default of the keyspace: the name of the graph, or janusgraph", async () => {
    const { asked, folder, list } = listOf()
    const keyspace = () =>
      asked.map(({ factory }) => factory.kind === "JanusGraphFactory" && factory.storage.keyspace).at(-1)
    mkdirSync(join(folder, "graphs"))
    const open = async (backend: string, hostname: string, more: Readonly<Record<string, string>> = {}) => {
      const options = Object.entries({ "storage.backend": backend, "storage.hostname": hostname, ...more })
      await list.open(new Map(options))
      const ofMap = keyspace()
      const lines = options.map(([key, value]) => `${key}=${key === "storage.hostname" ? `${value}:9043` : value}`)
      writeFileSync(join(folder, "graphs", "x.properties"), lines.join("\n"))
      await list.open("x.properties")
      return [ofMap, keyspace()]
    }
    expect(await open("cql", "cluster")).toEqual(["janusgraph", "janusgraph"])
    expect(await open("scylla", "c2")).toEqual(["janusgraph", "janusgraph"])
    expect(await open("cql", "cluster", { "graph.graphname": "mine" })).toEqual(["mine", "mine"])
    expect(await open("cql", "cluster", { "storage.cql.keyspace": "k" })).toEqual(["k", "k"])
    expect(asked).toHaveLength(8)
  })

  it("logs the notes about the options with which it opens a graph", async () => {
    const { folder, list, log, open } = listOf()
    await open({ "storage.cql.ssl.truststore.password": "hush" })
    await open({ "storage.cql.ssl.truststore.password": "hush" })
    const note = "storage.cql.ssl.truststore.password has no effect without storage.cql.ssl.enabled"
    expect(log).toEqual([`A graph that a script opens: ${note}: the connection is not encrypted`])
    mkdirSync(join(folder, "graphs"))
    const file = join(folder, "graphs", "x.properties")
    writeFileSync(
      file,
      "storage.backend=cql\nstorage.hostname=c2\nstorage.cql.ssl.truststore.password=hush\nstorage.cql.keyspace=k\n"
    )
    await list.open("x.properties")
    expect(log[1]).toBe(`A graph that a script opens: ${file}:3: ${note}: the connection is not encrypted`)
  })

  it("refuses other options for a graph that is open", async () => {
    const { open } = listOf()
    await open()
    await expect(open({ "storage.read-only": true })).rejects.toThrow("with other options (storage.read-only)")
    await expect(open({ "storage.username": "b", "storage.password": "c", "storage.port": 9042 })).rejects.toThrow(
      "with other options (storage.password, storage.username)"
    )
  })

  it("closes a graph whose folder became a link while it was opened", async () => {
    const folder = newFolder()
    const closed: Array<string> = []
    const settings = graphOf(["storage.backend=lmdb", `storage.directory=${join(folder, "graphs", "a")}`])
    const opening = openInFolder(settings, async () => {
      mkdirSync(join(folder, "elsewhere"))
      symlinkSync(join(folder, "elsewhere"), join(folder, "graphs"))
      return { close: async () => void closed.push("closed") } as unknown as GraphStore
    })
    await expect(opening).rejects.toThrow("was replaced while the graph was opened")
    expect(closed).toEqual(["closed"])
  })

  it("opens the folder that the check has found, whatever a link to it names later", async () => {
    const { asked, folder, open } = listOf()
    mkdirSync(join(folder, "graphs", "real"), { recursive: true })
    symlinkSync(join(folder, "graphs", "real"), join(folder, "graphs", "link"))
    await open({ "storage.backend": "lmdb", "storage.directory": "link/a" })
    const [{ factory }] = asked as [GraphSettings]
    expect(factory.kind === "JanusGraphFactory" && factory.storage.directory).toBe(join(folder, "graphs", "real", "a"))
  })

  it("applies no options that a keyspace stores, whose hosts and sizes the rules have not checked", async () => {
    const { asked, open } = listOf()
    await open()
    const [{ factory, ...settings }] = asked as [GraphSettings]
    if (factory.kind !== "JanusGraphFactory" || factory.cells === undefined) throw new Error(factory.kind)
    const stored = new Map([
      ["index.search.backend", "elasticsearch"],
      ["index.search.hostname", "elsewhere"]
    ])
    expect(withStoredOptions({ ...settings, cells: factory.cells }, stored, "the keyspace").cells).toBe(factory.cells)
  })
})
