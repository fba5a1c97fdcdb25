import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { errorOf } from "../../../scheduling/Pending.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import { lateModule } from "../../../services/LateModules.ts"
import { CellGraph } from "../../../storage/janusgraph/CellGraph.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"

/** Longest wait for other servers to close a graph that is dropped, ms. */
const MAX_INSTANCES_WAIT_MS = 30_000
/** Time between two reads of the instances, ms. */
const INSTANCES_INTERVAL_MS = 250

/** The names of the files of a graph on disk, and of those that a killed process leaves while it replaces one. */
const files = /^(graph\.(mdb(-lock)?|opening(\..+)?)|server\.(lock(\..+)?|process\..+|work\..+|handed\..+))$/

/** Whether `storage.read-only` forbids changes. */
export const storageIsReadOnly = ({ factory }: GraphSettings): boolean =>
  factory.kind === "JanusGraphFactory" && factory.storage.readOnly

/** Whether other servers may have the graph open. */
export const isShared = ({ factory }: GraphSettings): boolean =>
  factory.kind === "JanusGraphFactory" && factory.storage.backend === "cql"

/**
 * Waits until no other server has the graph open. Returns the instances that still have it open when the time is over: they
 * may have crashed.
 */
export const othersGone = async (store: GraphStore): Promise<ReadonlyArray<string>> => {
  const instances = store instanceof CellGraph ? store.core.cells.instances : undefined
  if (instances === undefined) return []
  const limit = performance.now() + MAX_INSTANCES_WAIT_MS
  for (;;) {
    const others = (await instances.list()).map(({ name }) => name).filter((name) => name !== instances.name)
    if (others.length === 0 || performance.now() > limit) return others
    await sleep(INSTANCES_INTERVAL_MS)
  }
}

/**
 * Removes the indexes of a graph from its search engines, as JanusGraph does, and ends their writes. The graph is dropped and still open.
 * An engine that does not answer is only reported: it must not keep the graph from being dropped.
 */
export const deleteDocuments = async (
  store: GraphStore,
  log: (level: "warning", text: string) => void
): Promise<void> => {
  const documents = store instanceof CellGraph ? store.core.documents : undefined
  if (documents === undefined) return
  try {
    await (store as CellGraph).management.schema()
    await documents.clear()
  } catch (cause) {
    log(
      "warning",
      `The graph in ${store.describe()} is dropped, and indexes of it stay in a search engine. Remove them there. ${errorOf(cause).message}`
    )
  }
}

/** Deletes the data of a graph that is closed. A graph in memory has none. */
export const deleteData = async ({ factory }: GraphSettings): Promise<void> => {
  if (factory.kind !== "JanusGraphFactory") return
  const { backend, directory } = factory.storage
  if (backend === "cql") {
    const { dropCqlGraph } = await lateModule(import("../CqlGraphs.ts"))
    await dropCqlGraph(factory.storage)
    return
  }
  if (backend !== "lmdb" || directory === undefined) return
  if (!existsSync(directory)) return
  for (const file of readdirSync(directory)) if (files.test(file)) rmSync(join(directory, file), { force: true })
  try {
    rmdirSync(directory)
  } catch {
    // The folder has other files, which are not the graph's.
  }
}
