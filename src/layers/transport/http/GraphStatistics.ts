import type { User } from "../../../services/Authenticator.ts"
import { reasonOf } from "../../../structure/errors/Reason.ts"
import type { GraphCounts } from "../../../structure/graph/GraphReads.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { refuseUser } from "./Audit.ts"
import { replyJson } from "./HttpReply.ts"
import { type Handler, type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"

/** Elements by their label, from the counters of a graph. */
interface LabelCounts {
  readonly vertices: ReadonlyMap<string, number>
  readonly edges: ReadonlyMap<string, number>
}

/** The graph that a request means: the parameter `source` or `graph`, else the source `g`, else the first graph. */
export const graphOf = (
  { query }: Pick<ManagementRequest, "query">,
  { registry }: TransportContext
): GraphStore | string => {
  const { graphs, sources } = registry
  const parameters = new URLSearchParams(query)
  const name = parameters.get("source") ?? parameters.get("graph")
  if (name === null) return sources.get("g")?.store ?? [...graphs.values()][0] ?? "This server has no graph."
  return sources.get(name)?.store ?? graphs.get(name) ?? `There is no graph or traversal source '${name}'.`
}

const labelCounts = (counts: GraphCounts): LabelCounts | undefined => {
  const vertices = counts.byLabel?.("vertex")
  const edges = counts.byLabel?.("edge")
  return vertices === undefined || edges === undefined ? undefined : { vertices, edges }
}

/**
 * Answers with what the counters of a graph know. Nothing is scanned. Refuses a user who may not read the graph, a graph
 * without counters, and one that is closed.
 */
const answerCounts = (
  management: ManagementRequest,
  context: TransportContext,
  answer: (counts: LabelCounts) => unknown
): void => {
  const graph = graphOf(management, context)
  if (typeof graph === "string") {
    refuseManagement(management, 404, graph)
    return
  }
  const denied = denial(management.user, graph, "read", context)
  if (denied !== undefined) {
    refuseUser({ management, context }, denied)
    return
  }
  if (graph.fault?.isClosed === true) {
    refuseManagement(management, 500, graph.fault.reason)
    return
  }
  const transaction = graph.begin({ readOnly: true })
  try {
    const found = labelCounts(transaction.counts)
    if (found === undefined) {
      const message = `The graph '${graph.name}' keeps no counts of its elements, and they are not counted here, because that reads the whole graph.`
      refuseManagement(management, 501, message)
    } else replyJson(management.response, 200, management.headers, { status: "200 OK", payload: answer(found) })
  } finally {
    transaction.rollback()
  }
}

/** Why a user may not use a graph in this way; undefined when the user may. */
export const denial = (
  user: User | null,
  graph: GraphStore,
  access: "read" | "write",
  { authorization }: TransportContext
): string | undefined => {
  if (authorization === null || user === null) return undefined
  try {
    authorization.access(user, graph.name, access)
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

const sum = (counts: ReadonlyMap<string, number>): number => {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}

const sorted = (counts: ReadonlyMap<string, number>): ReadonlyArray<readonly [string, number]> =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1))

/**
 * `GET /propertygraph/statistics/summary`. No graph counts properties, so the fields about them are null or empty. 0 would be
 * wrong.
 */
export const graphSummary: Handler = (management, context) => {
  const mode = new URLSearchParams(management.query).get("mode") ?? "basic"
  if (mode !== "basic" && mode !== "detailed") {
    refuseManagement(management, 400, `The parameter mode must be 'basic' or 'detailed', not '${mode.slice(0, 40)}'.`)
    return
  }
  answerCounts(management, context, ({ edges, vertices }) => ({
    version: "v1",
    lastStatisticsComputationTime: new Date().toISOString(),
    graphSummary: {
      numNodes: sum(vertices),
      numEdges: sum(edges),
      numNodeLabels: vertices.size,
      numEdgeLabels: edges.size,
      nodeLabels: sorted(vertices).map(([label]) => label),
      edgeLabels: sorted(edges).map(([label]) => label),
      nodeLabelCounts: Object.fromEntries(sorted(vertices)),
      edgeLabelCounts: Object.fromEntries(sorted(edges)),
      numNodeProperties: null,
      numEdgeProperties: null,
      nodeProperties: [],
      edgeProperties: [],
      totalNodePropertyValues: null,
      totalEdgePropertyValues: null,
      ...(mode === "detailed" ? { nodeStructures: [], edgeStructures: [] } : {})
    }
  }))
}

/** `GET /propertygraph/statistics`. The counters are part of every commit, so they are always up to date. */
export const graphStatistics: Handler = (management, context) => {
  answerCounts(management, context, ({ edges, vertices }) => ({
    autoCompute: true,
    active: true,
    statisticsId: "counters",
    date: new Date().toISOString(),
    note: "The counters of the graph are part of every commit.",
    signatureInfo: {
      signatureCount: vertices.size + edges.size,
      instanceCount: sum(vertices) + sum(edges),
      predicateCount: edges.size
    }
  }))
}

/** `POST /propertygraph/statistics`: `refresh` has nothing to do, and the counters cannot be switched off. */
export const changeStatistics: Handler = (management, context) => {
  const mode = modeOf(management.body)
  if (mode === "refresh" || mode === "enableAutoCompute") graphStatistics(management, context)
  else {
    const message =
      mode === "disableAutoCompute"
        ? "The counters of a graph are part of every commit and cannot be switched off."
        : 'The body must be {"mode": "refresh"} or {"mode": "enableAutoCompute"}.'
    refuseManagement(management, 400, message)
  }
}

const modeOf = (body: string): unknown => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null && "mode" in value ? value.mode : undefined
  } catch {
    return new URLSearchParams(body).get("mode") ?? undefined
  }
}
