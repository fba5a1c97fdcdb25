import { randomUUID } from "node:crypto"
import { readablePath } from "../../../process/io/DataFiles.ts"
import { anonymous } from "../../../services/Authenticator.ts"
import type { GraphStore } from "../../../structure/GraphStore.ts"
import { closedFiles } from "../../config/ClosedFiles.ts"
import type { Load, TransportContext } from "../shared/TransportContext.ts"
import { denial, graphOf } from "./GraphStatistics.ts"
import { replyJson } from "./HttpReply.ts"
import { type Handler, type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"
import { mayOperate } from "./RunningRequests.ts"

/** Loads that are kept after their end. */
const MAX_KEPT_LOADS = 100

/** Loads that run at once. Each reads a file in slices between requests. */
const MAX_RUNNING_LOADS = 2

/** The formats of the loader of Amazon Neptune, and our own names. */
const formats: Readonly<Record<string, "csv" | "graphson" | "graphml">> = {
  csv: "csv",
  opencypher: "csv",
  graphson: "graphson",
  graphml: "graphml"
}

/** What a body asks for. */
interface LoadRequest {
  readonly source: string
  readonly format: "csv" | "graphson" | "graphml"
}

/** Reads the body. A string says why it is refused. Options that would have no effect are refused, too. */
const requestOf = (body: string): LoadRequest | string => {
  let given: unknown
  try {
    given = JSON.parse(body)
  } catch {
    return "The body must be a JSON object."
  }
  if (typeof given !== "object" || given === null) return "The body must be a JSON object."
  const { dependencies, failOnError, format, source } = given as Readonly<Record<string, unknown>>
  if (typeof source !== "string" || source === "")
    return "The body must have a source: the path of a file below the server's ioDirectory."
  if (/^\w+:\/\//.test(source)) {
    return `The source must be a path below the server's ioDirectory, not an address such as ${source.slice(0, 40)}.`
  }
  const known = typeof format === "string" && Object.hasOwn(formats, format.toLowerCase())
  if (!known) return `The format must be one of ${Object.keys(formats).join(", ")}.`
  if (String(failOnError ?? true).toLowerCase() !== "true")
    return "failOnError must be TRUE: a load ends at the first wrong line."
  if (Array.isArray(dependencies) && dependencies.length > 0)
    return "dependencies must be empty: a load does not wait for other loads."
  return { source, format: formats[format.toLowerCase()]! }
}

/** `POST /loader`: begins to import a file, and answers with the id of the load. */
export const startLoad: Handler = (management, context) => {
  const asked = requestOf(management.body)
  const graph = graphOf(management, context)
  if (typeof asked === "string") {
    refuseManagement(management, 400, asked)
    return
  }
  if (typeof graph === "string") {
    refuseManagement(management, 404, graph)
    return
  }
  const denied = denial(management.user, graph, "write", context)
  if (denied !== undefined) {
    refuseManagement(management, 403, denied)
    return
  }
  if (context.settings.graphs.get(graph.name) === undefined) {
    refuseManagement(
      management,
      501,
      `The graph '${graph.name}' is created by the program, which loads its files itself.`
    )
    return
  }
  if ([...context.loads.values()].filter(({ status }) => status === "LOAD_IN_PROGRESS").length >= MAX_RUNNING_LOADS) {
    refuseManagement(management, 400, `${MAX_RUNNING_LOADS} loads are running, which is the limit. Try again later.`)
    return
  }
  begin(management, context, graph, asked)
}

const begin = (
  management: ManagementRequest,
  context: TransportContext,
  graph: GraphStore,
  { format, source }: LoadRequest
): void => {
  const { headers, response } = management
  const loadId = randomUUID()
  const load: Load = {
    uri: source,
    user: management.user ?? anonymous,
    startedAt: new Date(),
    controller: new AbortController(),
    status: "LOAD_IN_PROGRESS",
    message: "",
    endedAt: undefined
  }
  const data = { path: context.settings.ioDirectory, closed: closedFiles(context.settings) }
  readablePath(data, source).then(
    (path) => {
      remember(context.loads, loadId, load)
      replyJson(response, 200, headers, { status: "200 OK", payload: { loadId } })
      void run(load, graph, { path, format }, context)
    },
    ({ message }: Error) => refuseManagement(management, 400, message.replace("io() may use", "loads may use"))
  )
}

const remember = (loads: Map<string, Load>, loadId: string, load: Load): void => {
  for (const [id, { status }] of loads) {
    if (loads.size < MAX_KEPT_LOADS) break
    if (status !== "LOAD_IN_PROGRESS") loads.delete(id)
  }
  loads.set(loadId, load)
}

/** Imports the file, as the command `import` does on a running server. Never rejects. */
const run = async (
  load: Load,
  graph: GraphStore,
  { format, path }: { readonly path: string; readonly format: LoadRequest["format"] },
  { failed, settings }: TransportContext
): Promise<void> => {
  const { signal } = load.controller
  const report = ({ note, stage }: { readonly note: string; readonly stage: string }): void => {
    load.message = `${stage}: ${note}`
  }
  try {
    const { perform } = await import("../../tools/ToolRequests.ts")
    const request = { tool: "import", files: [path], format } as const
    const on = { store: graph, settings: settings.graphs.get(graph.name)! }
    load.message = await perform(request, on, { report, signal, shared: true })
    load.status = "LOAD_COMPLETED"
  } catch (error) {
    load.status = signal.aborted ? "LOAD_CANCELLED_BY_USER" : "LOAD_FAILED"
    const known = error instanceof Error && "_tag" in error
    if (!known && !signal.aborted) failed("A load of a file failed", error)
    // The path of the folder is not the client's business.
    const said = known ? error.message.replaceAll(path, load.uri) : "The server failed; its log has the reason."
    load.message = signal.aborted ? "The load was cancelled. Earlier commits stay." : said
  } finally {
    load.endedAt = new Date()
  }
}

/** The loads that a user may see: their own, or all for operators. */
const visible = ({ user }: ManagementRequest, context: TransportContext): ReadonlyMap<string, Load> => {
  const may = mayOperate(user, context)
  return new Map([...context.loads].filter(([, load]) => may({ request: { user: load.user } })))
}

const found = (management: ManagementRequest, context: TransportContext): Load | undefined => {
  const loadId = new URLSearchParams(management.query).get("loadId") ?? ""
  const load = visible(management, context).get(loadId)
  if (load === undefined)
    refuseManagement(management, 404, `There is no load '${loadId.slice(0, 60)}' that you may see.`)
  return load
}

/** `GET /loader`: the ids of loads, or the state of the load that `loadId` names. */
export const loads: Handler = (management, context) => {
  const { headers, query, response } = management
  if (!new URLSearchParams(query).has("loadId")) {
    const loadIds = [...visible(management, context).keys()].reverse()
    replyJson(response, 200, headers, { status: "200 OK", payload: { loadIds } })
    return
  }
  const load = found(management, context)
  if (load === undefined) return
  const { endedAt = new Date(), message, startedAt, status, uri } = load
  const hasFailed = status === "LOAD_FAILED"
  const overallStatus = {
    fullUri: uri,
    runNumber: 1,
    retryNumber: 0,
    status,
    totalTimeSpent: Math.round((endedAt.getTime() - startedAt.getTime()) / 1_000),
    startTime: Math.floor(startedAt.getTime() / 1_000),
    totalRecords: recordsIn(message),
    totalDuplicates: 0,
    parsingErrors: hasFailed ? 1 : 0,
    datatypeMismatchErrors: 0,
    insertErrors: 0,
    message
  }
  const errors = hasFailed
    ? { errors: { startIndex: 1, endIndex: 1, loadId: "", errorLogs: [{ errorMessage: message }] } }
    : {}
  replyJson(response, 200, headers, {
    status: "200 OK",
    payload: { feedCount: [{ [status]: 1 }], overallStatus, ...errors }
  })
}

/** The number of elements in a summary or a progress, such as `Imported 1,000 vertices and 1 edge`. */
const recordsIn = (message: string): number => {
  let sum = 0
  for (const [, number = ""] of message.matchAll(/([\d,]+) (?:vertex|vertices|edges?)\b/g))
    sum += Number(number.replaceAll(",", ""))
  return sum
}

/** `DELETE /loader?loadId=`: ends a load. What it has committed stays. */
export const cancelLoad: Handler = (management, context) => {
  const load = found(management, context)
  if (load === undefined) return
  load.controller.abort()
  replyJson(management.response, 200, management.headers, { status: "200 OK" })
}
