/** Servers over one configuration graph, with all their graphs in a simulated Cassandra. */

import { join } from "node:path"
import { ConfigurationGraph } from "../../../src/layers/graphs/dynamic/ConfigurationGraph.ts"
import { DynamicGraphList } from "../../../src/layers/graphs/dynamic/DynamicGraphList.ts"
import { GraphRules } from "../../../src/layers/graphs/dynamic/GraphRules.ts"
import { OpenGraphs } from "../../../src/layers/graphs/dynamic/OpenGraphs.ts"
import { ScriptGraphList } from "../../../src/layers/graphs/dynamic/ScriptGraphList.ts"
import { defaultSettings, type GraphSettings } from "../../../src/services/Config.ts"
import { dynamicGraphDefaults } from "../../../src/services/DynamicGraphs.ts"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { newFolder } from "../../Folders.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { configurationGraphOf } from "./DynamicGraphs.ts"

/** Keyspaces of one simulated Cassandra, which several servers share. */
export class Keyspaces {
  /** Called before a keyspace is dropped. */
  beforeDrop: () => void = () => undefined
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
    this.beforeDrop()
    this.#clusters.delete(keyspace)
  }

  get names(): ReadonlyArray<string> {
    return [...this.#clusters.keys()].sort()
  }
}

const keyspaceOf = ({ factory }: GraphSettings): string =>
  factory.kind === "JanusGraphFactory" ? factory.storage.keyspace! : ""

const cql = ["storage.backend=cql", "storage.hostname=cluster"]

/** Starts a server. `files`: the graphs of its configuration file. */
export const startServer = async (keyspaces: Keyspaces, files: ReadonlyArray<GraphSettings> = []) => {
  const folder = newFolder()
  const configurationGraph = configurationGraphOf([...cql, "graph.graphname=ConfigurationManagementGraph"])
  const settings = defaultSettings({
    dynamicGraphs: { ...dynamicGraphDefaults(1e9), directory: join(folder, "graphs"), hosts: ["c2", "es"] },
    ioDirectory: join(folder, "io"),
    graphs: new Map(files.map((graph) => [graph.name, graph]))
  })
  const store = await keyspaces.open("configurationmanagementgraph")
  const served = new Map<string, GraphStore>()
  const log: Array<string> = []
  const opening = {
    rules: new GraphRules(settings, configurationGraph),
    allowed: true,
    maxOpenGraphs: 10,
    openStore: (graph: GraphSettings) => keyspaces.open(keyspaceOf(graph)),
    deleteData: async (graph: GraphSettings) => keyspaces.drop(keyspaceOf(graph)),
    log: (_: string, text: string) => void log.push(text)
  }
  const graphs = new DynamicGraphList({
    ...opening,
    graph: await ConfigurationGraph.open(store),
    open: new OpenGraphs(served),
    taken: () => false,
    maxGraphs: 100,
    hasFiles: () => true
  })
  const scripts = new ScriptGraphList({ ...opening, files: new Map(), dynamic: graphs, hasWorkers: false })
  await graphs.refresh()
  const end = async () => {
    await scripts.end()
    await graphs.end()
    await store.close()
  }
  return { graphs, scripts, served, log, end, store }
}
