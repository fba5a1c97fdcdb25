import { parseScript } from "../../src/gremlin/Parser.ts"
import { TraversalExpression } from "../../src/gremlin/Script.ts"
import { Planner } from "../../src/process/compiler/Planner.ts"
import { gremlin } from "../../src/process/Gremlin.ts"
import type { Bytecode } from "../../src/process/language/Bytecode.ts"
import { openEnvironment, TraversalRun } from "../../src/process/machine/TraversalRun.ts"
import { type Plan, planOf } from "../../src/process/plan/Plan.ts"
import type { Prepared } from "../../src/process/plan/Prepared.ts"
import type { RunEnvironment } from "../../src/process/plan/Run.ts"
import { Pending } from "../../src/scheduling/Pending.ts"
import { type ToyGraph, toyGraph } from "../../src/storage/memory/ToyGraphs.ts"
import type { GraphStore, GraphTransaction } from "../../src/structure/graph/GraphStore.ts"
import { text } from "../../src/structure/texts/Text.ts"

/** Options of a run. The defaults are those of the server. */
export interface RunOptions {
  /** Values of the variables of a script. */
  readonly variables?: ReadonlyMap<string, unknown>
  /** Largest number of rows in a batch. */
  readonly width?: number
  /** The transaction to run in. Default: a new one. */
  readonly transaction?: GraphTransaction
  /** Converts each result before the commit, because elements cannot be read after it. */
  readonly as?: (value: unknown) => unknown
  /** Calls of steps after which the run fails, for traversals that must end although a loop in them would not. */
  readonly mostCalls?: number
  /** What the server provides to each run: limits, services, the folder of io(). */
  readonly environment?: RunEnvironment
}

const toys = new Map<ToyGraph, GraphStore>()

/** A toy graph that all tests share. Traversals that write must use a new {@link toyGraph}: they fail on this one. */
export const toy = (name: ToyGraph = "modern"): GraphStore => {
  const graph = toys.get(name) ?? toyGraph(name)
  toys.set(name, graph)
  return graph
}

/** The traversal of a script, which must be a single traversal. */
export const bytecodeOf = (script: string): Bytecode => {
  const parsed = parseScript(script)
  const [statement] = parsed.statements
  const value = statement?.kind === "expression" ? statement.value : undefined
  if (parsed.statements.length !== 1 || !(value instanceof TraversalExpression)) {
    throw new Error(`not one traversal: ${script}`)
  }
  return value.bytecode
}

/** Compiles a traversal without caches. */
export const prepare = (
  traversal: string | Bytecode,
  variables: ReadonlyMap<string, unknown> | null = null
): Prepared =>
  new Planner(gremlin, { cacheSize: 1 }).prepare(
    typeof traversal === "string" ? bytecodeOf(traversal) : traversal,
    variables,
    {
      instructions: []
    }
  )

/** Runs a traversal to its end and commits its changes. Returns its results, repeated according to their bulk. */
export const run = (graph: GraphStore, traversal: string | Bytecode, options: RunOptions = {}): Array<unknown> => {
  const steps = start(graph, traversal, options)
  for (;;) {
    const wait = steps.next()
    if (wait === undefined) return steps.results
    throw new Error("this store answers later: use runLater()")
  }
}

/** The same for a store that may answer later. */
export const runLater = async (
  graph: GraphStore,
  traversal: string | Bytecode,
  options: RunOptions = {}
): Promise<Array<unknown>> => {
  const steps = start(graph, traversal, options)
  for (;;) {
    const wait = steps.next()
    if (wait === undefined) return steps.results
    await Pending.toPromise(wait)
  }
}

const start = (graph: GraphStore, traversal: string | Bytecode, options: RunOptions) => {
  const prepared = prepare(traversal, options.variables ?? null)
  if (options.width !== undefined) narrow(prepared.plan, options.width)
  const transaction = options.transaction ?? graph.begin()
  const results: Array<unknown> = []
  const { as = (value: unknown) => value, mostCalls = Number.POSITIVE_INFINITY } = options
  const running = new TraversalRun(prepared, transaction, options.environment ?? openEnvironment)
  const sink = {
    accept: (values: ReadonlyArray<unknown>, length: number, bulks: Float64Array | null) => {
      for (let i = 0; i < length; i++) for (let n = bulks?.[i] ?? 1; n > 0; n--) results.push(as(values[i]))
      return true
    }
  }
  let committed = false
  const next = (): Pending | undefined => {
    if (committed) return undefined
    try {
      for (;;) {
        const progress = running.advance(options.mostCalls === undefined ? Number.POSITIVE_INFINITY : 0, sink)
        if (typeof progress !== "string") return progress
        if (progress === "done") break
        if (running.calls > mostCalls) throw new Error(`${traversal} does not end`)
      }
    } catch (error) {
      running.close()
      throw error
    }
    running.close()
    committed = true
    if ((transaction.changes ?? 0) > 0 && [...toys.values()].includes(graph)) {
      throw new Error("The traversal changes a graph that all tests share: take toyGraph() instead of toy()")
    }
    return prepared.writes ? transaction.commit() : undefined
  }
  return { results, next }
}

/** Limits the rows of batches in a plan, which no other run may use. */
const narrow = (plan: Plan, width: number): void => {
  Object.defineProperty(plan, "width", { value: () => (plan.sequential ? 1 : width) })
  for (const step of plan.steps) for (const child of step.localChildren()) narrow(planOf(child), width)
}

/** Widths of batches with which a traversal must have the same results. */
const widths = [1, 2, 5]

/** The results as texts. Throws if their order or content depends on the width of batches. */
export const results = (graph: GraphStore, traversal: string | Bytecode, options: RunOptions = {}): Array<string> => {
  const expected = run(graph, traversal, { ...options, as: text })
  for (const width of widths) {
    const others = run(graph, traversal, { ...options, width, as: text })
    if (others.join("\n") !== expected.join("\n")) {
      throw new Error(
        `${traversal}: other results at width ${width}:\n${others.join("\n")}\ninstead of\n${expected.join("\n")}`
      )
    }
  }
  return expected as Array<string>
}

/** The results sorted by text, for traversals without a defined order. */
export const unordered = (graph: GraphStore, traversal: string, options: RunOptions = {}): Array<string> =>
  results(graph, traversal, options).sort()
