import { TraversalError } from "../../process/language/Errors.ts"
import type { CellGraph } from "../../storage/janusgraph/CellGraph.ts"
import type { SchemaStatus } from "../../storage/janusgraph/format/EnumAttributes.ts"
import { statusOf } from "../../storage/janusgraph/management/IndexStatus.ts"
import type { SchemaEditor } from "../../storage/janusgraph/management/SchemaEditor.ts"
import type { GraphIndex } from "../../storage/janusgraph/schema/Schema.ts"
import type { SchemaSubject } from "./SchemaObjects.ts"
import { Committing, constantOf, ScriptObject, stringOf } from "./ScriptObject.ts"

type IndexSubject = Extract<SchemaSubject, { kind: "index" | "relationIndex" }>

/** An action on an index. It may give the number of vertices that it has processed. */
interface IndexAction {
  /** The statuses of indexes to which the action may be applied. */
  readonly from: ReadonlyArray<SchemaStatus>
  /** Whether the action may build the index. */
  readonly builds?: true
  readonly run: (graph: CellGraph, id: number) => Promise<unknown>
}

const removable: ReadonlyArray<SchemaStatus> = ["DISABLED", "REGISTERED", "DISCARDED"]

/** A status is written also if it is stored already: other instances may not have acknowledged it. */
const mark =
  (status: SchemaStatus): IndexAction["run"] =>
  (graph, id) =>
    graph.management.setStatus(id, status)

const enable: IndexAction["run"] = (graph, id) => graph.management.enable(id)

const discard: IndexAction["run"] = (graph, id) => graph.management.discard(id)

/**
 * JanusGraph's actions on an index, with the statuses that its SchemaAction allows. Every commit writes an index as soon as it
 * exists, so REGISTER_INDEX finds it registered.
 */
const actions: Readonly<Record<string, IndexAction>> = {
  REGISTER_INDEX: { from: ["INSTALLED", "REGISTERED", "ENABLED"], builds: true, run: enable },
  ENABLE_INDEX: { from: ["REGISTERED", "DISABLED", "ENABLED"], builds: true, run: enable },
  REINDEX: {
    from: ["REGISTERED", "ENABLED", "DISABLED"],
    builds: true,
    run: (graph, id) => graph.management.rebuild(id)
  },
  DISABLE_INDEX: { from: ["ENABLED", "DISABLED", "REGISTERED"], run: mark("DISABLED") },
  MARK_DISCARDED: { from: removable, run: mark("DISCARDED") },
  DISCARD_INDEX: { from: removable, run: discard },
  DROP_INDEX: { from: ["DISCARDED"], run: (graph, id) => graph.management.drop(id) },
  // JanusGraph before 1.0.
  REMOVE_INDEX: { from: removable, run: (graph, id) => graph.management.drop(id) },
  REMOVE_STALE_ENTRIES: {
    from: ["REGISTERED", "ENABLED", "DISABLED"],
    builds: true,
    run: async (graph, id) => {
      await mark("DISABLED")(graph, id)
      await enable(graph, id)
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
    const kept = schema.indexes.find((index) => index.id === id && index.engineStatus !== undefined)
    if (kept !== undefined && !isOurs(graph, kept)) {
      throw new TraversalError(
        `${action}: JanusGraph keeps the index ${kept.name} in the index backend '${kept.backing}'. Apply the action in JanusGraph, ` +
          `or name the engine in index.${kept.backing}.backend.`
      )
    }
    const ofProperties = schema.indexes.find((index) => index.id === id && index.element === "property")
    if (ofProperties !== undefined && known.builds === true) {
      throw new TraversalError(
        `${action}: the index ${ofProperties.name} is on vertex properties, and only JanusGraph can build it. Apply the action in JanusGraph.`
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
  documents?.hasEngine(index.backing) === true && (index.engineKeys === undefined || index.documents !== undefined)

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
