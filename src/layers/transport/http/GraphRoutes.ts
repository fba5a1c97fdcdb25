import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { anonymous } from "../../../services/Authenticator.ts"
import {
  DynamicGraphError,
  type DynamicGraphProblem,
  type DynamicGraphs,
  GRAPH_NAME
} from "../../../services/DynamicGraphs.ts"
import { managementProblem } from "../../../services/GraphManagement.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { auditChange, refuseUser } from "./Audit.ts"
import { replyJson } from "./HttpReply.ts"
import { type Handler, type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"

/** Prefix of the path of one graph. */
export const GRAPHS_PATH_PREFIX = "/graphs/"

/** The HTTP status of each problem. */
const statuses: Readonly<Record<DynamicGraphProblem, number>> = {
  missing: 404,
  exists: 409,
  invalid: 400,
  limit: 429,
  failed: 500
}

const NOT_ENABLED =
  'Graphs are created at run time only if the configuration names a graph "ConfigurationManagementGraph" under graphs.'

/** The body of an answer, and its status. */
interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What a request about graphs does. */
type Work = (graphs: DynamicGraphs, request: ManagementRequest) => Promise<Answer>

/** Answers a request about graphs, if its user may manage them. Work that has begun continues if the client closes the connection. */
const managing =
  (work: Work): Handler =>
  (request, context) =>
    managed(request, context, undefined, work)

/** Answers a request that changes the graph of its path, if its user may change it, and writes the request into the audit. */
const changing =
  (work: Work): Handler =>
  (request, context) =>
    managed(request, context, decodedName(request), (dynamic) => {
      auditChange({ management: request, context })
      return work(dynamic, request)
    })

const managed = (
  request: ManagementRequest,
  context: TransportContext,
  changed: string | undefined,
  work: Work
): void => {
  const { dynamic } = context.registry
  const problem = managementProblem(dynamic, context.authorization, request.user ?? anonymous, changed)
  if (problem !== undefined) refuseUser({ management: request, context }, problem)
  else if (dynamic === undefined) refuseManagement(request, 404, NOT_ENABLED)
  else answer(request, context, () => work(dynamic, request))
}

const answer = (request: ManagementRequest, context: TransportContext, work: () => Promise<Answer>): void => {
  const what = `${request.request.method} ${request.path.slice(0, 100)} failed`
  context.runFork(what, Effect.tryPromise({ try: work, catch: (cause) => cause }), (exit) => {
    if (request.response.destroyed) return
    if (Exit.isSuccess(exit)) {
      replyJson(request.response, exit.value.status, request.headers, exit.value.body)
      return
    }
    const error = Cause.squash(exit.cause)
    if (error instanceof DynamicGraphError) {
      refuseManagement(request, statuses[error.problem], error.message)
      return
    }
    context.failed(what, error)
    refuseManagement(request, 500, "The request failed; the server's log has the reason.")
  })
}

/** The name of the graph in the path; undefined if it is not encoded correctly. */
const decodedName = ({ path }: ManagementRequest): string | undefined => {
  try {
    return decodeURIComponent(path.slice(GRAPHS_PATH_PREFIX.length))
  } catch {
    return undefined
  }
}

const nameOf = (request: ManagementRequest): string => {
  const name = decodedName(request)
  if (name !== undefined) return name
  throw new DynamicGraphError("invalid", "The name of the graph in the path is not encoded correctly.")
}

/** The options in the body: a JSON object. Undefined for an empty body. */
const optionsOf = ({ body }: ManagementRequest): Map<string, unknown> | undefined => {
  if (body.trim() === "") return undefined
  let options: unknown
  try {
    options = JSON.parse(body)
  } catch {
    options = undefined
  }
  if (typeof options === "object" && options !== null && !Array.isArray(options))
    return new Map(Object.entries(options))
  throw new DynamicGraphError(
    "invalid",
    'The body must be a JSON object with the options of the graph, such as {"storage.backend": "lmdb"}, or empty: the template is used then.'
  )
}

const describe = async (graphs: DynamicGraphs, name: string): Promise<unknown> => {
  const configuration = await graphs.configurations.find(name)
  if (configuration === null)
    throw new DynamicGraphError(
      "missing",
      `There is no configuration of a graph ${JSON.stringify(name.slice(0, 100))}.`
    )
  const status = graphs.list().find((graph) => graph.name === name)
  return {
    name,
    state: status?.state ?? "closed",
    ...reasonOf(status?.reason),
    configuration: Object.fromEntries(configuration)
  }
}

const reasonOf = (reason: string | undefined): object => (reason === undefined ? {} : { reason })

/** `GET /graphs`: all graphs that were created at run time. */
export const listGraphs: Handler = managing(async (graphs) => {
  await graphs.names()
  const shown = graphs.list().map(({ name, reason, state }) => ({ name, state, ...reasonOf(reason) }))
  return { status: 200, body: { graphs: shown } }
})

/** `GET /graphs/<name>`: the state and the configuration of a graph. */
export const describeGraph: Handler = managing(async (graphs, request) => ({
  status: 200,
  body: await describe(graphs, nameOf(request))
}))

/** `PUT /graphs/<name>`: creates a graph from the template or from the options in the body, or changes its options. */
export const putGraph: Handler = changing(async (graphs, request) => {
  const name = nameOf(request)
  const options = optionsOf(request)
  const given = options?.get(GRAPH_NAME) ?? name
  if (given !== name) {
    throw new DynamicGraphError("invalid", `The body and the path must name the same graph: leave ${GRAPH_NAME} out.`)
  }
  const isNew = (await graphs.configurations.find(name)) === null
  if (options === undefined) await (isNew ? graphs.create(name) : graphs.open(name))
  else {
    if (isNew) await graphs.configurations.create(new Map([...options, [GRAPH_NAME, name]]))
    else await graphs.configurations.update(name, options)
    await graphs.open(name)
  }
  return { status: isNew ? 201 : 200, body: await describe(graphs, name) }
})

/** `DELETE /graphs/<name>`: deletes a graph with its data and its configuration. */
export const deleteGraph: Handler = changing(async (graphs, request) => {
  const name = nameOf(request)
  await graphs.drop(name)
  return { status: 200, body: { name, dropped: true } }
})
