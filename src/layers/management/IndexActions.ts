import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { statusOf } from "../../storage/janusgraph/management/IndexStatus.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { Schema } from "../../storage/janusgraph/schema/Schema.ts"
import type { SchemaSubject } from "./SchemaObjects.ts"
import { Committing, constantOf, numberOf, ScriptObject } from "./ScriptObject.ts"

type IndexSubject = Extract<SchemaSubject, { kind: "index" | "relationIndex" }>

/** What JanusGraph's actions on an index do here, where every commit writes an index from the moment it is made. */
const actions: Readonly<Record<string, (graph: CellGraph, id: number) => Promise<void>>> = {
  REGISTER_INDEX: (graph, id) => graph.management.enable(id),
  ENABLE_INDEX: (graph, id) => graph.management.enable(id),
  REINDEX: (graph, id) => graph.management.rebuild(id),
  DISABLE_INDEX: (graph, id) => graph.management.setStatus(id, "DISABLED"),
  DISCARD_INDEX: (graph, id) => graph.management.drop(id),
  MARK_DISCARDED: (graph, id) => graph.management.setStatus(id, "DISABLED"),
  REMOVE_INDEX: (graph, id) => graph.management.drop(id),
  DROP_INDEX: (graph, id) => graph.management.drop(id),
  REMOVE_STALE_ENTRIES: async (graph, id) => {
    await graph.management.setStatus(id, "DISABLED")
    await graph.management.enable(id)
  }
}

/**
 * Starts an action on an index and returns a job whose get() waits for it. An action on an index that no longer exists does
 * nothing, so that scripts can use JanusGraph's two steps, discarding and dropping.
 */
export const updateIndex = (
  graph: CellGraph,
  editor: SchemaEditor,
  subject: IndexSubject,
  action: string
): Committing => {
  const run = Object.hasOwn(actions, action) ? actions[action] : undefined
  if (run === undefined) {
    throw new TraversalError(`SchemaAction has no constant ${action}: there are ${Object.keys(actions).join(", ")}.`)
  }
  const id = idOfIndex(subject)
  const isKnown = statusOf(editor.schema, id) !== undefined
  if (!isKnown) throw new TraversalError("updateIndex() takes an index that is committed; commit it first.")
  return new Committing(async (keeps) => {
    const done = graph.management.schema().then((schema) => {
      return statusOf(schema, id) === undefined ? undefined : run(graph, id)
    })
    keeps(`the action ${action} on an index of the graph '${graph.name}', which goes on`)
    return jobObject(graph, done)
  })
}

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
      await done
      return null
    },
    // Answered in the next turn of the event loop, so that a job that ends in this turn counts as done.
    isDone: () => new Promise<boolean>((resolve) => setImmediate(() => resolve(isDone)))
  })
}

/** Milliseconds between two checks of an index that another process builds. */
const POLL_INTERVAL_MS = 500

/** Milliseconds of the constants of ChronoUnit and TimeUnit. */
const units: Readonly<Record<string, number>> = {
  MILLIS: 1,
  MILLISECONDS: 1,
  SECONDS: 1000,
  MINUTES: 60_000,
  HOURS: 3_600_000,
  DAYS: 86_400_000
}

/** `ManagementSystem.awaitGraphIndexStatus(graph, 'x')`. */
export const graphIndexWatcher = (graph: CellGraph, name: string): ScriptObject =>
  statusWatcher(graph, name, ({ indexes }) => indexes.find((each) => each.name === name)?.id)

/** `ManagementSystem.awaitRelationIndexStatus(graph, 'x', 'knows')`. */
export const relationIndexWatcher = (graph: CellGraph, name: string, base: string): ScriptObject =>
  statusWatcher(graph, name, (schema) => {
    const type = schema.keys.get(base) ?? schema.labels.get(base)
    const full = `${type?.id}:${name}`
    return schema.relationIndexes.find((each) => each.type.name === full)?.type.id
  })

/**
 * JanusGraph's watcher: call() waits until the index has one of the wanted statuses, without a limit unless timeout() sets
 * one. An index that is being built is REGISTERED from the start; call() waits until it can be used.
 */
const statusWatcher = (graph: CellGraph, name: string, find: (schema: Schema) => number | undefined): ScriptObject => {
  let wanted: ReadonlyArray<string> = ["ENABLED"]
  let timeoutMs = Number.POSITIVE_INFINITY
  const begun = performance.now()
  const watcher: ScriptObject = new ScriptObject("index status watcher", graph.name, null, {
    status: (statuses) => {
      wanted = statuses.map((status) => constantOf(status, ["SchemaStatus"], "status"))
      return watcher
    },
    timeout: ([amount, unit]) => {
      timeoutMs = numberOf(amount, "timeout") * (units[constantOf(unit, ["ChronoUnit", "TimeUnit"], "timeout")] ?? 1)
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
          return reportObject(graph, { name, success, wanted, status: status ?? "DISCARDED", elapsedMs })
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

/** What JanusGraph's watcher reports. */
interface StatusReport {
  /** Name of the index. */
  readonly name: string
  readonly success: boolean
  readonly wanted: ReadonlyArray<string>
  readonly status: string
  readonly elapsedMs: number
}

const reportObject = (graph: CellGraph, { elapsedMs, name, status, success, wanted }: StatusReport): ScriptObject => {
  const words =
    `GraphIndexStatusReport[success=${success}, indexName='${name}', targetStatus=[${wanted.join(", ")}], ` +
    `status=${status}, elapsed=PT${(elapsedMs / 1000).toFixed(3)}S]`
  return new ScriptObject(
    "index status report",
    graph.name,
    null,
    {
      getSucceeded: () => success,
      getIndexName: () => name,
      getTargetStatuses: () => [...wanted],
      toString: () => words
    },
    words
  )
}
