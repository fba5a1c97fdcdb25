import { randomUUID } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import * as Effect from "effect/Effect"
import { openedFile } from "../../../process/io/DataFiles.ts"
import { anonymous } from "../../../services/Authenticator.ts"
import { lateModule } from "../../../services/LateModules.ts"
import type { ListedLoad, Owned, PeerQuestions } from "../../../services/Peers.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import { closedFiles } from "../../config/ClosedFiles.ts"
import type { Load, TransportContext } from "../shared/TransportContext.ts"
import { audit, auditChange, refuseUser } from "./Audit.ts"
import { denial, graphOf } from "./GraphStatistics.ts"
import { replyJson } from "./HttpReply.ts"
import { loadMessage, openingRefused } from "./LoaderMessages.ts"
import { type LoadRequest, nameOf, requestOf } from "./LoadRequest.ts"
import { type Handler, type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"
import { askOthers, lateText, missingStatus, type Others, unansweredIn, unansweredText } from "./OtherWorkers.ts"
import { shownPath } from "./RequestTarget.ts"
import { isOf, meant } from "./RunningRequests.ts"

/** Loads that are kept after their end. */
const MAX_KEPT_LOADS = 100

/** Loads that run at once. Each reads a file in slices between requests. */
const MAX_RUNNING_LOADS = 2

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
    refuseUser({ management, context }, denied)
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
  auditChange({ management, context }, { graph: graph.name, source: shownPath(asked.source) })
  begin(management, context, graph, asked)
}

/** What happens to a load after the loads of the whole server are counted. */
interface Decision {
  readonly begin: () => void
  readonly refused: () => void
}

/** Begins a load if fewer run in the whole server than may. The load itself is among them already. */
const withinLimit = (management: ManagementRequest, context: TransportContext, { begin, refused }: Decision) => {
  const use = (others: Others<ReadonlyArray<ListedLoad>>): void => {
    const all = [...ownLoads({ user: null }, context), ...others.answers.flat()]
    const isFull = all.filter(({ isRunning }) => isRunning).length > MAX_RUNNING_LOADS
    if (!isFull && others.unanswered.length === 0) {
      begin()
      return
    }
    refused()
    // A worker that does not answer may be busy with loads.
    const reason = isFull
      ? `${MAX_RUNNING_LOADS} loads are running, which is the limit.`
      : `The running loads cannot be counted.${unansweredText(others)}`
    refuseManagement(management, 400, `${reason} Try again later.`)
  }
  askOthers({ management, context }, "loads", { user: null }, use, refused)
}

const begin = (
  management: ManagementRequest,
  context: TransportContext,
  graph: GraphStore,
  { format, idProperty, source }: LoadRequest
): void => {
  const { headers, response } = management
  const loadId = randomUUID()
  const load: Load = {
    uri: source,
    user: management.user ?? anonymous,
    startedAt: new Date(),
    controller: new AbortController(),
    work: undefined,
    status: "LOAD_IN_PROGRESS",
    message: "",
    endedAt: undefined
  }
  const data = { path: context.settings.ioDirectory, closed: closedFiles(context.settings) }
  // The open file is read, because a link may be exchanged after the check of its path.
  const name = nameOf(source, data.path)
  openedFile(data, name).then(
    (file) => {
      remember(context.loads, loadId, load)
      withinLimit(management, context, {
        begin: () => {
          replyJson(response, 200, headers, { status: "200 OK", payload: { loadId } })
          // The end of the server has stopped the other loads already.
          if (context.dispatcher.stopping()) load.controller.abort()
          load.work = run(load, graph, { ...file, format, idProperty }, context)
        },
        refused: () => {
          context.loads.delete(loadId)
          void file.handle.close()
        }
      })
    },
    ({ message }: Error) => refuseManagement(management, 400, openingRefused(message, name, source))
  )
}

const remember = (loads: Map<string, Load>, loadId: string, load: Load): void => {
  for (const [id, { status }] of loads) {
    if (loads.size < MAX_KEPT_LOADS) break
    if (status !== "LOAD_IN_PROGRESS") loads.delete(id)
  }
  loads.set(loadId, load)
}

/** Imports the file, as the command `import` does on a running server, and closes it. Never rejects. */
const run = async (
  load: Load,
  graph: GraphStore,
  {
    format,
    handle,
    idProperty,
    path
  }: Omit<LoadRequest, "source"> & { readonly path: string; readonly handle: FileHandle },
  { failed, imports, settings }: TransportContext
): Promise<void> => {
  const { signal } = load.controller
  const report = ({ note, stage }: { readonly note: string; readonly stage: string }): void => {
    load.message = `${stage}: ${note}`
  }
  try {
    const { perform } = await lateModule(import("../../tools/ToolRequests.ts"))
    const request = {
      tool: "import",
      files: [path],
      format,
      ...(idProperty === undefined ? {} : { idProperty })
    } as const
    const on = { store: graph, settings: settings.graphs.get(graph.name)!, opened: new Map([[path, handle]]) }
    load.message = await perform(request, on, { report, signal, shared: true, imports })
    load.status = "LOAD_COMPLETED"
  } catch (error) {
    load.status = signal.aborted ? "LOAD_CANCELLED_BY_USER" : "LOAD_FAILED"
    const known = error instanceof Error && "_tag" in error
    if (!known && !signal.aborted) failed("A load of a file failed", error)
    const said = known ? loadMessage(error.message, path, load.uri) : "The server failed; its log has the reason."
    load.message = signal.aborted ? "The load was cancelled. Earlier commits stay." : said
  } finally {
    await handle.close().catch(() => undefined)
    load.endedAt = new Date()
  }
}

/** Stops the loads of this process, and waits for the end of each. What they have committed stays. */
export const endLoads = ({ loads }: TransportContext): Effect.Effect<void> =>
  Effect.promise(async () => {
    for (const { controller } of loads.values()) controller.abort()
    await Promise.all(Array.from(loads.values(), ({ work }) => work))
  })

/** The loads of this process. */
export const ownLoads = (owned: Owned, { loads }: TransportContext): ReadonlyArray<ListedLoad> =>
  Array.from(loads)
    .filter(([, { user }]) => isOf(owned, user))
    .map(([loadId, load]) => ({
      loadId,
      startedAt: load.startedAt.getTime(),
      isRunning: load.status === "LOAD_IN_PROGRESS",
      payload: shown(load)
    }))

/** `GET /loader`: the ids of loads, or the state of the load that `loadId` names. */
export const loads: Handler = (management, context) => {
  const owned = meant(management.user, context)
  askOthers({ management, context }, "loads", owned, (others) => {
    const { headers, query, response } = management
    const all = [...ownLoads(owned, context), ...others.answers.flat()]
    const loadId = new URLSearchParams(query).get("loadId")
    if (loadId === null) {
      const loadIds = all.sort((a, b) => b.startedAt - a.startedAt).map((load) => load.loadId)
      replyJson(response, 200, headers, { status: "200 OK", payload: { loadIds }, ...unansweredIn(others) })
      return
    }
    const load = all.find((one) => one.loadId === loadId)
    if (load === undefined)
      refuseManagement(management, missingStatus(others), notFound(loadId, unansweredText(others)))
    else replyJson(response, 200, headers, { status: "200 OK", payload: load.payload })
  })
}

const notFound = (loadId: string, more: string): string =>
  `There is no load '${loadId.slice(0, 60)}' that you may see.${more}`

const shown = ({ endedAt = new Date(), message, startedAt, status, uri }: Load): unknown => {
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
  return { feedCount: [{ [status]: 1 }], overallStatus, ...errors }
}

/** The number of elements in a summary or a progress, such as `Imported 1,000 vertices and 1 edge`. */
const recordsIn = (message: string): number => {
  let sum = 0
  for (const [, number = ""] of message.matchAll(/([\d,]+) (?:vertex|vertices|edges?)\b/g))
    sum += Number(number.replaceAll(",", ""))
  return sum
}

/** Ends a load of this process. Returns false if it has none with this id. */
export const cancelOwnLoad = (
  { loadId, ...owned }: PeerQuestions["cancelLoad"][0],
  { loads }: TransportContext
): boolean => {
  const load = loads.get(loadId)
  if (load === undefined || !isOf(owned, load.user)) return false
  load.controller.abort()
  return true
}

/** `DELETE /loader?loadId=`: ends a load, in whichever worker it is. What it has committed stays. */
export const cancelLoad: Handler = (management, context) => {
  const loadId = new URLSearchParams(management.query).get("loadId") ?? ""
  const asked = { ...meant(management.user, context), loadId }
  const isOwn = cancelOwnLoad(asked, context)
  const auditCancelled = (notes = {}): void =>
    audit("Audit: cancelled", { management, context }, { loadId: loadId.slice(0, 60), ...notes })
  const answer = (others: Others<boolean>): void => {
    const isFound = isOwn || others.answers.includes(true)
    // A worker without an answer may still carry it out.
    if (isFound || others.unanswered.length > 0) auditCancelled(unansweredIn(others))
    if (isFound) replyJson(management.response, 200, management.headers, { status: "200 OK" })
    else refuseManagement(management, missingStatus(others), notFound(loadId, lateText(others)))
  }
  // What the other workers did is not known then.
  askOthers({ management, context }, "cancelLoad", asked, answer, auditCancelled)
}
