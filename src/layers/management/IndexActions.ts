import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { SchemaStatus } from "../../storage/janusgraph/format/EnumAttributes.ts"
import { removeIndexEntries } from "../../storage/janusgraph/management/IndexRemoval.ts"
import { statusOf } from "../../storage/janusgraph/management/IndexStatus.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { GraphIndex, Schema } from "../../storage/janusgraph/schema/Schema.ts"
import { timeUnitNanos, unitNanos } from "../../structure/times/TimeUnits.ts"
import type { SchemaSubject } from "./SchemaObjects.ts"
import { Committing, constantOf, numberOf, ScriptObject, stringOf } from "./ScriptObject.ts"
import { reportObject } from "./StatusReport.ts"

type IndexSubject = Extract<SchemaSubject, { kind: "index" | "relationIndex" }>

/** An action on an index. It may give the number of vertices that it has processed. */
interface IndexAction {
  /** The statuses of indexes to which the action may be applied. */
  readonly from: ReadonlyArray<SchemaStatus>
  readonly run: (graph: CellGraph, id: number) => Promise<unknown>
}

const removable: ReadonlyArray<SchemaStatus> = ["DISABLED", "REGISTERED", "DISCARDED"]

const mark =
  (status: SchemaStatus): IndexAction["run"] =>
  async (graph, id) => {
    if (statusOf(graph.core.schema, id) !== status) await graph.management.setStatus(id, status)
  }

const discard: IndexAction["run"] = async (graph, id) => {
  await mark("DISCARDED")(graph, id)
  await removeIndexEntries(graph.core, id)
}

/**
 * JanusGraph's actions on an index, with the statuses that its SchemaAction allows. Every commit writes an index as soon as it
 * exists, so REGISTER_INDEX finds it registered.
 */
const actions: Readonly<Record<string, IndexAction>> = {
  REGISTER_INDEX: { from: ["INSTALLED", "REGISTERED", "ENABLED"], run: (graph, id) => graph.management.enable(id) },
  ENABLE_INDEX: { from: ["REGISTERED", "DISABLED", "ENABLED"], run: (graph, id) => graph.management.enable(id) },
  REINDEX: { from: ["REGISTERED", "ENABLED", "DISABLED"], run: (graph, id) => graph.management.rebuild(id) },
  DISABLE_INDEX: { from: ["ENABLED", "DISABLED", "REGISTERED"], run: mark("DISABLED") },
  MARK_DISCARDED: { from: removable, run: mark("DISCARDED") },
  DISCARD_INDEX: { from: removable, run: discard },
  DROP_INDEX: { from: ["DISCARDED"], run: (graph, id) => graph.management.drop(id) },
  // JanusGraph before 1.0.
  REMOVE_INDEX: { from: removable, run: (graph, id) => graph.management.drop(id) },
  REMOVE_STALE_ENTRIES: {
    from: ["REGISTERED", "ENABLED", "DISABLED"],
    run: async (graph, id) => {
      await mark("DISABLED")(graph, id)
      await graph.management.enable(id)
    }
  }
}

/**
 * Starts an action on an index and returns a job whose get() waits for it. Fails if the status of the index does not allow the action.
 * An action on an index that no longer exists does nothing.
 */
export const updateIndex = (
  graph: CellGraph,
  editor: SchemaEditor,
  subject: IndexSubject,
  action: string
): Committing => {
  const known = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (known === undefined) {
    throw new TraversalError(`SchemaAction has no constant ${action}: there are ${Object.keys(actions).join(", ")}.`)
  }
  const id = idOfIndex(subject)
  const isKnown = statusOf(editor.schema, id) !== undefined
  if (!isKnown) throw new TraversalError("updateIndex() takes an index that is committed; commit it first.")
  return new Committing(async (keeps) => {
    const schema = await graph.management.schema()
    const outside = schema.indexes.find((index) => index.id === id && index.outsideStatus !== undefined)
    if (outside !== undefined && !isOurs(graph, outside)) {
      throw new TraversalError(
        `${action}: JanusGraph keeps the index ${outside.name} in the index backend '${outside.backing}'. Apply the action in JanusGraph, ` +
          `or name the engine in index.${outside.backing}.backend.`
      )
    }
    const status = statusOf(schema, id)
    if (status !== undefined && !known.from.includes(status)) {
      throw new TraversalError(`Update action [${action}] cannot be invoked for index with status [${status}]`)
    }
    const done = status === undefined ? Promise.resolve() : known.run(graph, id)
    keeps(`the action ${action} on an index of the graph '${graph.name}', which continues`)
    return jobObject(graph, done)
  })
}

/** True if a mixed index is in a search engine that this server knows, and the server can write its documents. */
const isOurs = ({ core: { documents } }: CellGraph, index: GraphIndex): boolean =>
  documents?.hasEngine(index.backing) === true && (index.outside === undefined || index.documents !== undefined)

/** -1 for an index that is not committed yet. */
const idOfIndex = (subject: IndexSubject): number => {
  if (subject.kind === "relationIndex") return subject.index.type.id
  return "id" in subject.index ? subject.index.id : -1
}

/** `mgmt.getIndexJobStatus(index)`: the job of this process that builds the index; null when there is none. */
export const indexJob = (graph: CellGraph, subject: IndexSubject): ScriptObject | null => {
  const done = graph.management.done(idOfIndex(subject))
  return done === undefined ? null : jobObject(graph, done)
}

/** A job as a script sees it: get() waits for its end. */
export const jobObject = (graph: CellGraph, done: Promise<unknown>): ScriptObject => {
  let isDone = false
  const ended = (): void => {
    isDone = true
  }
  // get() reports the failure.
  done.then(ended, ended)
  return new ScriptObject("index job", graph.name, null, {
    get: async () => {
      const vertices = await done
      return typeof vertices === "number" ? metricsObject(graph, vertices) : null
    },
    // Answered in the next turn of the event loop, so that a job that ends in this turn counts as done.
    isDone: () => new Promise<boolean>((resolve) => setImmediate(() => resolve(isDone)))
  })
}

/** JanusGraph's ScanMetrics of a job that has read the vertices. */
const metricsObject = (graph: CellGraph, vertices: number): ScriptObject =>
  new ScriptObject("scan metrics", graph.name, null, {
    get: ([metric]) => (constantOf(metric, ["Metric"], "get") === "SUCCESS" ? BigInt(vertices) : 0n),
    getCustom: ([name]) => {
      throw new TraversalError(
        `getCustom('${stringOf(name, "getCustom", "a name")}'): jobs count vertices only. Use get(ScanMetrics.Metric.SUCCESS).`
      )
    }
  })

/** Milliseconds between two checks of an index that another process builds. */
const POLL_INTERVAL_MS = 500

/** Nanoseconds of the constants of ChronoUnit with an exact length, and of TimeUnit. */
const unitsNanos = new Map([...Object.entries(unitNanos), ...Object.entries(timeUnitNanos)])

/** The milliseconds of `timeout(5, ChronoUnit.SECONDS)`. Fails with TraversalError for a unit without an exact length. */
const timeoutOf = (amount: unknown, unit: unknown): number => {
  const name = constantOf(unit, ["ChronoUnit", "TimeUnit"], "timeout")
  const nanos = unitsNanos.get(name)
  if (nanos !== undefined) return (numberOf(amount, "timeout") * Number(nanos)) / Number(unitNanos.MILLIS)
  throw new TraversalError(
    `timeout() does not know the unit ${name}: it takes one with an exact length, such as ChronoUnit.SECONDS.`
  )
}

/** `ManagementSystem.awaitGraphIndexStatus(graph, 'x')`. */
export const graphIndexWatcher = (graph: CellGraph, name: string): ScriptObject =>
  statusWatcher(graph, { name, base: undefined }, ({ indexes }) => indexes.find((each) => each.name === name)?.id)

/** `ManagementSystem.awaitRelationIndexStatus(graph, 'x', 'knows')`. */
export const relationIndexWatcher = (graph: CellGraph, name: string, base: string): ScriptObject =>
  statusWatcher(graph, { name, base }, (schema) => {
    const type = schema.keys.get(base) ?? schema.labels.get(base)
    const full = `${type?.id}:${name}`
    return schema.relationIndexes.find((each) => each.type.name === full)?.type.id
  })

/** An index that a watcher waits for. */
interface WatchedIndex {
  readonly name: string
  /** The edge label or property key of a vertex-centric index. */
  readonly base: string | undefined
}

/**
 * JanusGraph's watcher: call() waits until the index has one of the wanted statuses, without a limit unless timeout() sets
 * one. An index that is being built is REGISTERED from the start; call() waits until it can be used.
 */
const statusWatcher = (
  graph: CellGraph,
  watched: WatchedIndex,
  find: (schema: Schema) => number | undefined
): ScriptObject => {
  const { name } = watched
  // JanusGraph waits for REGISTERED, which a build follows. Here the build has begun, so that the watcher waits for its end.
  let wanted: ReadonlyArray<string> = ["ENABLED"]
  let named: ReadonlyArray<string> = ["REGISTERED"]
  let timeoutMs = Number.POSITIVE_INFINITY
  const begun = performance.now()
  const watcher: ScriptObject = new ScriptObject("index status watcher", graph.name, null, {
    status: (statuses) => {
      wanted = statuses.map((status) => constantOf(status, ["SchemaStatus"], "status"))
      named = wanted
      return watcher
    },
    timeout: ([amount, unit]) => {
      timeoutMs = timeoutOf(amount, unit)
      return watcher
    },
    pollInterval: () => watcher,
    call: async () => {
      for (;;) {
        const schema = await graph.management.schema()
        const id = find(schema)
        const status = id === undefined ? undefined : statusOf(schema, id)
        const failure = graph.management.failure(id ?? name)
        const isBuilding = id !== undefined && graph.management.done(id) !== undefined
        if (failure !== undefined && !isBuilding && (status === undefined || status === "REGISTERED")) throw failure
        if (status === undefined && !wanted.includes("DISCARDED")) {
          throw new TraversalError(`There is no index ${name} in the graph ${graph.name}.`)
        }
        const elapsedMs = performance.now() - begun
        const success = status === undefined || meets(status, wanted)
        if (success || elapsedMs >= timeoutMs) {
          const keys = schema.indexes.find((each) => each.id === id)?.fields.map((key) => key.name) ?? []
          return reportObject(graph, {
            ...watched,
            keys,
            success,
            wanted: named,
            status: status ?? "DISCARDED",
            elapsedMs
          })
        }
        const pauseMs = Math.min(POLL_INTERVAL_MS, timeoutMs - elapsedMs)
        await atMost(pauseMs, id === undefined ? undefined : graph.management.done(id))
      }
    }
  })
  return watcher
}

/** Waits until the work ends or the time has passed. Fails with the error of the work. */
const atMost = (milliseconds: number, work: Promise<void> | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    work?.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** An enabled index also counts as registered and as installed. */
const meets = (status: string, wanted: ReadonlyArray<string>): boolean =>
  wanted.includes(status) || (status === "ENABLED" && (wanted.includes("REGISTERED") || wanted.includes("INSTALLED")))
