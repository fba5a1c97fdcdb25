import { readFile } from "node:fs/promises"
import { hostname } from "node:os"
import { errorOf } from "../../scheduling/Pending.ts"
import { type CellGraphSettings, cellGraphDefaults, type SchemaInitSettings } from "../../services/GraphSettings.ts"
import type { WorkerIdentityShape } from "../../services/WorkerIdentity.ts"
import { type CellGraph, openCellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../storage/janusgraph/cells/CellStore.ts"
import type { SearchEngine } from "../../storage/janusgraph/documents/SearchEngine.ts"
import type { SchemaStatus } from "../../storage/janusgraph/format/EnumAttributes.ts"
import { initializeSchema } from "../../storage/janusgraph/management/SchemaJson.ts"
import { type CellGraphOptions, defaultCellGraphOptions } from "../../storage/janusgraph/Options.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"

/** Logs events of a graph that occur outside requests, such as the build of an index. */
export type GraphLog = (level: "info" | "warning" | "error", text: string) => void

/** The context in which a graph is opened. */
export interface Opening {
  readonly log: GraphLog
  /** Aborted when the start is interrupted: it ends the wait for locks. */
  readonly signal: AbortSignal
  /** This worker process of the server; undefined when the server is one process. */
  readonly worker: WorkerIdentityShape | undefined
}

/** Time in which a repeated failure of a search engine is logged once. */
const REPEAT_LOG_MS = 60_000

/** Vertices between two log lines about the build of an index. */
const PROGRESS_VERTICES = 100_000

const optionsOf = (name: string, readOnly: boolean, cells: CellGraphSettings, log: GraphLog): CellGraphOptions => ({
  ...defaultCellGraphOptions,
  name,
  readOnly,
  schemaMaker: cells.schemaMaker,
  constraints: cells.schemaConstraints,
  onTypeMade: cells.logsTypes
    ? (what, made) => log("info", `The graph '${name}' creates the ${what} ${made}, which its schema did not have`)
    : undefined,
  userVertexIds: cells.userVertexIds,
  textVertexIds: cells.textVertexIds,
  partitionBits: Math.log2(cells.partitions),
  idBlockSize: cells.idBlockSize,
  cacheBytes: cells.cacheBytes,
  forceIndex: cells.forceIndex,
  staleMixedIndexes: cells.staleMixedIndexes
})

/** What has become of an index whose build failed. */
const whatNext = (status: SchemaStatus | undefined, graph: CellGraph | undefined): string => {
  switch (status) {
    case undefined:
      return "It was removed."
    case "DISCARDED":
      return "It is being removed."
    case "ENABLED":
      return "It is ENABLED, so queries use it."
    case "REGISTERED": {
      const how =
        (graph?.core.resumesJobs ?? true)
          ? "The next start builds it again, and SchemaAction.REINDEX does so earlier."
          : "SchemaAction.REINDEX builds it."
      return `It is not used until a build completes it. ${how}`
    }
    default:
      return `It is ${status}, so it is not used. SchemaAction.REINDEX builds it.`
  }
}

/** Creates the missing types and indexes of a JSON schema. */
const initialize = async (graph: CellGraph, { file, skipElements, skipIndices, text }: SchemaInitSettings) => {
  try {
    await initializeSchema(graph, text ?? (await readFile(file!, "utf8")), { skipElements, skipIndices })
  } catch (cause) {
    const where = file === undefined ? "schema.init.json.string" : file
    throw new Error(`${where}: ${errorOf(cause).message}`, { cause })
  }
}

/** Warns of each mixed index that JanusGraph keeps in another system. */
const warnOfUnservedIndexes = ({ core, name }: CellGraph, isStale: boolean, log: GraphLog): void => {
  for (const index of core.schema.engineIndexes) {
    if (core.documents?.isServed(index)) continue
    const kept = `JanusGraph keeps the mixed index ${index.name} (${index.engineKeys!.join(", ")}) of the graph '${name}' in the index backend '${index.backing}'`
    const writes = isStale
      ? "schema.allow-stale-mixed-indexes=true: writes to its keys leave it stale until JanusGraph builds it again"
      : "Writes to its keys are refused; schema.allow-stale-mixed-indexes=true allows them"
    log("warning", `${kept}. This server neither searches nor updates it. ${writes}.`)
  }
}

/** Notes that a graph that exists keeps its number of partitions. The default may mean that none is given. */
const noteOfPartitions = ({ core, name }: CellGraph, given: number, log: GraphLog): void => {
  const kept = 2 ** core.options.partitionBits
  if (given === kept || given === cellGraphDefaults.partitions) return
  log(
    "warning",
    `The graph '${name}' has cluster.max-partitions=${kept}, which stays as it was made; the value ${given} has no effect`
  )
}

/** Connects a graph with its search engines, and writes the documents that an earlier start has left. */
const connect = async (graph: CellGraph, engines: ReadonlyMap<string, SearchEngine>, log: GraphLog): Promise<void> => {
  let loggedAt = Number.NEGATIVE_INFINITY
  graph.connect(engines, {
    failed: (backend, error, waiting) => {
      if (performance.now() - loggedAt < REPEAT_LOG_MS) return
      loggedAt = performance.now()
      log(
        "error",
        `The index backend '${backend}' of the graph '${graph.name}' takes no documents; ${waiting} wait in the log of the graph and are ` +
          `written as soon as it does: ${error.message}`
      )
    },
    recovered: (backend) => {
      loggedAt = Number.NEGATIVE_INFINITY
      log("info", `The index backend '${backend}' of the graph '${graph.name}' takes documents again`)
    },
    refused: (index, document, reason) =>
      log(
        "error",
        `The document ${document} of the index ${index} is not in the search engine, which is tried again after 10 minutes: ${reason}`
      ),
    unread: (error) =>
      log(
        "error",
        `The log of the documents of the graph '${graph.name}' was not read completely: ${error.message} The server reads it again within a ` +
          "minute, and then every 10 minutes. Searches of mixed indexes are refused while a row is not read."
      )
  })
  // Searches know the documents that wait only when the log is read.
  if (!graph.core.options.readOnly) await graph.core.documents?.recover()
}

/**
 * Opens the graph of a store, or creates it. Fails with StorageFailure when its data cannot be read, and closes the store and all that
 * works on it.
 */
export const openCells = async (
  store: CellStore,
  name: string,
  readOnly: boolean,
  cells: CellGraphSettings,
  { engines, log }: { readonly log: GraphLog; readonly engines?: ReadonlyMap<string, SearchEngine> | undefined }
): Promise<GraphStore> => {
  let reported = 0
  let graph: CellGraph | undefined
  try {
    graph = await openCellGraph(store, optionsOf(name, readOnly, cells, log), `${hostname()}-${process.pid}`, {
      begun: (index, again) => {
        const what = again ? "restarts the build of an index that was interrupted:" : "builds the index"
        log("info", `The graph '${name}' ${what} ${index}`)
      },
      failed: (index, error, status) =>
        log(
          "error",
          `The index ${index} of the graph '${name}' was not built: ${errorOf(error).message} ${whatNext(status, graph)}`
        ),
      repeating: (error) =>
        log("warning", `A long job of the graph '${name}' repeats a step until it succeeds: ${reasonOf(error)}`),
      building: (index, vertices) => {
        if (vertices - reported < PROGRESS_VERTICES) return
        reported = vertices
        log("info", `The graph '${name}' builds the index ${index}: ${vertices} vertices so far`)
      },
      ignored: (index, key, parameters) =>
        log(
          "warning",
          `The index ${index} of the graph '${name}' is in the store of the graph: ${parameters.join(", ")} of its key ${key} has no ` +
            "effect, because only search engines use parameters other than mapping"
        ),
      enabled: (index) => {
        reported = 0
        log("info", `The index ${index} of the graph '${name}' is complete and used from now on`)
      }
    })
    noteOfPartitions(graph, cells.partitions, log)
    if (engines !== undefined) await connect(graph, engines, log)
    warnOfUnservedIndexes(graph, cells.staleMixedIndexes, log)
    if (cells.schemaInit !== undefined && !readOnly) await initialize(graph, cells.schemaInit)
    return graph
  } catch (cause) {
    await (graph ?? store).close()
    throw cause
  }
}
