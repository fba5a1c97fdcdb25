import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { errorOf } from "../../../scheduling/Pending.ts"
import type { GraphSettings } from "../../../services/GraphSettings.ts"
import { lateModule } from "../../../services/LateModules.ts"
import { CellGraph } from "../../../storage/janusgraph/CellGraph.ts"
import type { LeftIndexes } from "../../../storage/janusgraph/documents/ServedIndexes.ts"
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

/** A graph that is dropped: it is still open, and no request uses it. */
interface Dropped {
  readonly store: GraphStore
  readonly deleteData: () => Promise<void>
  /** Another graph that may have an index of a search engine, for messages; undefined for none. */
  readonly ownerOf: (index: string) => string | undefined
  readonly log: (level: "warning", text: string) => void
}

/**
 * Closes a graph, deletes its data, and then removes its indexes from its search engines, as JanusGraph does. An index that another graph
 * may have stays. What stays is only reported: it must not keep the graph from being dropped.
 */
export const deleteGraph = async ({ deleteData, log, ownerOf, store }: Dropped): Promise<void> => {
  const left = await leftIndexes(store)
  try {
    await store.close()
    await deleteData()
    const shared: Array<string> = []
    const failed: Array<string> = []
    for (const { name, remove } of left?.indexes ?? []) {
      const owner = ownerOf(name)
      if (owner !== undefined) shared.push(`${name} (${owner})`)
      else await remove().catch((cause) => failed.push(`${name} (${errorOf(cause).message})`))
    }
    const report = (why: string, names: ReadonlyArray<string>): void => {
      if (names.length > 0) log("warning", `The graph in ${store.describe()} is dropped. ${why}: ${names.join(", ")}`)
    }
    report(
      "Indexes in its search engine stay, because other graphs may have them. If they have not, delete each by DELETE /<index> there",
      shared
    )
    report(
      "Indexes of it could not be removed from its search engine. Delete each by DELETE /<index> there, before a graph with its index-name " +
        "makes an index of its name",
      failed
    )
  } finally {
    left?.close()
  }
}

const leftIndexes = async (store: GraphStore): Promise<LeftIndexes | undefined> => {
  if (!(store instanceof CellGraph) || store.core.documents === undefined) return undefined
  // Without the newest schema the known one has to do: its store does not answer, so that the data is not deleted either.
  await store.management.schema().catch(() => undefined)
  return store.core.documents.leave()
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
