import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import { statusOf } from "../../storage/janusgraph/management/CellManagement.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { Schema } from "../../storage/janusgraph/schema/Schema.ts"
import type { SchemaSubject } from "./SchemaObjects.ts"
import { Committing, constantOf, numberOf, ScriptObject } from "./ScriptObject.ts"

type IndexSubject = Extract<SchemaSubject, { kind: "index" | "relationIndex" }>

/** How JanusGraph's actions on an index come about here, where an index is written from its first moment on. */
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
 * Begins an action on an index at once and gives what can be waited for by get(). One on an index that is gone already
 * does nothing, so that JanusGraph's two steps of discarding and dropping can be written.
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

/** The building of an index by this process, `mgmt.getIndexJobStatus(index)`; null when it builds none. */
export const indexJob = (graph: CellGraph, subject: IndexSubject): ScriptObject | null => {
  const done = graph.management.done(idOfIndex(subject))
  return done === undefined ? null : jobObject(graph, done)
}

/** Work that goes on, as a script waits for it by get(). */
export const jobObject = (graph: CellGraph, done: Promise<unknown>): ScriptObject => {
  let isDone = false
  const ended = (): void => {
    isDone = true
  }
  // Whoever calls get() is told what it failed with.
  done.then(ended, ended)
  return new ScriptObject("index job", graph.name, null, {
    get: async () => {
      await done
      return null
    },
    // In the next turn, so that what ended in this one has.
    isDone: () => new Promise<boolean>((resolve) => setImmediate(() => resolve(isDone)))
  })
}

/** Milliseconds between two looks at an index that another process builds. */
const POLL = 500

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
 * Waits for an index: call() waits until the index is there as wanted, without timeout()
 * as long as it takes. An index that is being built is registered from the begin on; what is waited for is that it can be
 * used.
 */
const statusWatcher = (graph: CellGraph, name: string, find: (schema: Schema) => number | undefined): ScriptObject => {
  let wanted: ReadonlyArray<string> = ["ENABLED"]
  let most = Number.POSITIVE_INFINITY
  const begun = performance.now()
  const watcher: ScriptObject = new ScriptObject("index status watcher", graph.name, null, {
    status: (statuses) => {
      wanted = statuses.map((status) => constantOf(status, ["SchemaStatus"], "status"))
      return watcher
    },
    timeout: ([amount, unit]) => {
      most = numberOf(amount, "timeout") * (units[constantOf(unit, ["ChronoUnit", "TimeUnit"], "timeout")] ?? 1)
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
        const elapsed = performance.now() - begun
        const isThere = status === undefined || meets(status, wanted)
        if (isThere || elapsed >= most) return report(graph, name, isThere, wanted, status ?? "DISCARDED", elapsed)
        await either(id === undefined ? undefined : graph.management.done(id), Math.min(POLL, most - elapsed))
      }
    }
  })
  return watcher
}

/** Waits for work, no longer than so many milliseconds. Fails with what the work fails with. */
const either = (work: Promise<void> | undefined, milliseconds: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    work?.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** An index that can be used is more than a registered one. */
const meets = (status: string, wanted: ReadonlyArray<string>): boolean =>
  wanted.includes(status) || (status === "ENABLED" && (wanted.includes("REGISTERED") || wanted.includes("INSTALLED")))

const report = (
  graph: CellGraph,
  name: string,
  success: boolean,
  wanted: ReadonlyArray<string>,
  status: string,
  elapsed: number
): ScriptObject => {
  const words =
    `GraphIndexStatusReport[success=${success}, indexName='${name}', targetStatus=[${wanted.join(", ")}], ` +
    `status=${status}, elapsed=PT${(elapsed / 1000).toFixed(3)}S]`
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
