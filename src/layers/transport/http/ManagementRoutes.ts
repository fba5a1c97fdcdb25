import type { IncomingMessage } from "node:http"
import * as Exit from "effect/Exit"
import type { TransportContext } from "../shared/TransportContext.ts"
import { consolePath, consoleSources, serveConsole, servesConsole } from "./ConsoleRoutes.ts"
import { deleteGraph, describeGraph, GRAPHS_PATH_PREFIX, listGraphs, putGraph } from "./GraphRoutes.ts"
import { changeStatistics, graphStatistics, graphSummary } from "./GraphStatistics.ts"
import { live, ready, serverStatus } from "./HealthRoutes.ts"
import { reply, replyJson } from "./HttpReply.ts"
import { cancelLoad, loads, startLoad } from "./Loader.ts"
import { logLevel, putLogLevel, resetLogLevel } from "./LogLevel.ts"
import { type Handler, type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"
import { recentActivity } from "./RecentActivity.ts"
import { isReserved, shownPath } from "./RequestTarget.ts"
import { asksToCancel, cancelOne, runningRequests, STATUS_PATH_PREFIX } from "./RunningRequests.ts"

const metrics: Handler = ({ headers, response }, context) => {
  context.runFork("GET /metrics failed", context.metrics.render, (exit) => {
    if (Exit.isSuccess(exit)) {
      headers.push("content-type", "text/plain; version=0.0.4; charset=utf-8")
      reply(response, 200, headers, exit.value)
    } else
      replyJson(response, 500, headers, { message: "The metrics cannot be read; the server's log has the reason." })
  })
}

/** A reserved path. */
interface Route {
  readonly methods: Readonly<Partial<Record<string, Handler>>>
  /** Whether it is served without credentials when authentication is on. */
  readonly open: (method: string, query: string, context: TransportContext) => boolean
  /** Its answer contains nothing that a page of another site may not know. */
  readonly harmless?: true
  /** Whether a GET changes something; a request of any other method may. */
  readonly getActs?: (query: string) => boolean
}

const reading = (handler: Handler) => ({ GET: handler, HEAD: handler })
const always = () => true
const never = () => false

const summary: Route = { methods: reading(graphSummary), open: never }
const statistics: Route = { methods: { ...reading(graphStatistics), POST: changeStatistics }, open: never }

// The parameters and answers of the paths below `gremlin`, `pg`, `propertygraph` and `status` are those of Amazon Neptune, so
// that its tools work with this server.
const routes: Readonly<Partial<Record<string, Route>>> = {
  "/health/live": { methods: reading(live), open: always, harmless: true },
  "/health/ready": { methods: reading(ready), open: always, harmless: true },
  "/metrics": { methods: reading(metrics), open: (_, __, { settings }) => settings.openMetrics },
  "/status": { methods: reading(serverStatus), open: never },
  "/gremlin/status": {
    methods: { ...reading(runningRequests), POST: runningRequests },
    open: (method, query, { settings }) => settings.openStatus && method !== "POST" && !asksToCancel(query),
    getActs: asksToCancel
  },
  "/loader": { methods: { ...reading(loads), POST: startLoad, DELETE: cancelLoad }, open: never },
  "/log-level": { methods: { ...reading(logLevel), PUT: putLogLevel, DELETE: resetLogLevel }, open: never },
  "/pg/statistics": statistics,
  "/pg/statistics/summary": summary,
  "/propertygraph/statistics": statistics,
  "/propertygraph/statistics/summary": summary
}

const allGraphs: Route = { methods: reading(listGraphs), open: never }
const oneGraph: Route = {
  methods: { ...reading(describeGraph), PUT: putGraph, DELETE: deleteGraph },
  open: never
}
const oneRequest: Route = { methods: { DELETE: cancelOne }, open: never }

/** A reserved path as a request finds it. Every channelizer serves it without the request pool, so that it answers under overload. */
export interface ManagementRoute {
  /** It is served without credentials when authentication is on. */
  readonly open: boolean
  /** Its answer contains nothing that a page of another site may not know. */
  readonly harmless: boolean
  /** The request may change something: a page of another site may not send it. */
  readonly acts: boolean
  /** The route reads the body of the request. */
  readonly readsBody: boolean
  /** The methods of `Allow`; empty for a path without content. */
  readonly methods: string
  readonly serve: (request: ManagementRequest) => void
}

/** A reserved path without content: 404. Browsers ask for `/favicon.ico` without a password. */
const notFound = (path: string): ManagementRoute => ({
  open: path === "/favicon.ico",
  harmless: true,
  acts: false,
  readsBody: false,
  methods: "",
  serve: ({ headers, response }) => {
    const advice = "Scripts are sent to / or /gremlin by POST; docs/reference/protocol.md lists the other paths."
    refuseManagement({ headers, response }, 404, `There is nothing at ${shownPath(path)}. ${advice}`)
  }
})

/** What the console asks for beside the management paths. The answers need credentials. */
const consoleAnswers: Readonly<Partial<Record<string, Handler>>> = {
  "/console/recent": recentActivity,
  "/console/sources": consoleSources
}

/** The route of a file of the console. Its files need no password, because they have nothing of this server's graphs. */
export const consoleRoute = (
  { headers: { accept }, method }: IncomingMessage,
  path: string,
  query: string,
  context: TransportContext
): ManagementRoute | undefined => {
  const answer = Object.hasOwn(consoleAnswers, path) ? consoleAnswers[path] : undefined
  if (answer !== undefined && servesConsole(context))
    return routeOf({ method, query }, { methods: reading(answer), open: never }, context)
  const found = path === "/" || path.startsWith("/console") ? consolePath(path, query, method, accept) : undefined
  if (found === undefined || !servesConsole(context)) return undefined
  return routeOf(
    { method, query },
    { methods: reading((request) => serveConsole(found, request, context)), open: always, harmless: true },
    context
  )
}

/** The route of a path where nothing is evaluated; undefined for all other paths. */
export const managementRoute = (
  { method, path, query }: { readonly method?: string | undefined; readonly path: string; readonly query: string },
  context: TransportContext
): ManagementRoute | undefined => {
  const route = routeAt(path)
  if (route === undefined) return path === "/favicon.ico" || isReserved(path) ? notFound(path) : undefined
  return routeOf({ method, query }, route, context)
}

const routeAt = (path: string): Route | undefined => {
  if (path.startsWith(STATUS_PATH_PREFIX)) return oneRequest
  if (path === "/graphs") return allGraphs
  if (path.startsWith(GRAPHS_PATH_PREFIX) && path.length > GRAPHS_PATH_PREFIX.length) return oneGraph
  return Object.hasOwn(routes, path) ? routes[path] : undefined
}

const routeOf = (
  { method = "", query }: { readonly method?: string | undefined; readonly query: string },
  route: Route,
  context: TransportContext
): ManagementRoute => {
  const { methods } = route
  const handler = methods[method]
  const allowed = [...Object.keys(methods), "OPTIONS"].sort().join(", ")
  const isReading = method === "GET" || method === "HEAD"
  return {
    methods: allowed,
    open: route.open(method, query, context),
    harmless: route.harmless === true,
    acts: isReading ? route.getActs?.(query) === true : true,
    readsBody: handler !== undefined && (method === "POST" || method === "PUT"),
    serve: (request) => {
      if (handler !== undefined) {
        handler(request, context)
        return
      }
      request.headers.push("allow", allowed)
      refuseManagement(request, 405, `${method} is not allowed here: use ${allowed}.`)
    }
  }
}
