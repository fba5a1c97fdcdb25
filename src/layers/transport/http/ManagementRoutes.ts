import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { EvaluationCancelled } from "../../../process/language/Errors.ts"
import type { User } from "../../../services/Authenticator.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { type FlatHeaders, reply, replyJson } from "./HttpReply.ts"
import { isReserved, shownPath } from "./RequestTarget.ts"

/** A request to a reserved path. */
interface ManagementRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly headers: FlatHeaders
  readonly path: string
  readonly query: string
  /** Null when a setting opens the path to everybody. */
  readonly user: User | null
}

type Handler = (request: ManagementRequest, context: TransportContext) => void

const live: Handler = ({ headers, response }) => replyJson(response, 200, headers, { status: "live" })

/** It does not name the graph, because the path is open to everybody. */
const CLOSED_MESSAGE =
  "A graph of this server is closed. GET /metrics has its name, and the server's log has the reason."

const ready: Handler = ({ headers, response }, { dispatcher, health }) => {
  if (dispatcher.stopping()) replyJson(response, 503, headers, { status: "stopping" })
  else if (health.graphs().some(({ fault }) => fault?.isClosed === true))
    replyJson(response, 503, headers, { status: "closed", message: CLOSED_MESSAGE })
  else replyJson(response, 200, headers, { status: "ready" })
}

const metrics: Handler = ({ headers, response }, context) => {
  context.runFork("GET /metrics failed", context.metrics.render, (exit) => {
    if (Exit.isSuccess(exit)) {
      headers.push("content-type", "text/plain; version=0.0.4; charset=utf-8")
      reply(response, 200, headers, exit.value)
    } else
      replyJson(response, 500, headers, { message: "The metrics cannot be read; the server's log has the reason." })
  })
}

/** Whether a user may see and cancel a request: the user of the request may, and so may operators. */
const mayOperate = (user: User | null, { authorization }: TransportContext): ((evaluation: Evaluation) => boolean) => {
  if (user === null || authorization === null || authorization.operates?.(user) === true) return () => true
  return (evaluation) => evaluation.request.user.name === user.name
}

/** Lists the running requests, the longest first. */
const running: Handler = ({ headers, response, user }, context) => {
  const { dispatcher, settings } = context
  const visible = [...dispatcher.running()].filter(mayOperate(user, context))
  const requests = visible.map((evaluation) => {
    const description = evaluation.describe()
    return {
      requestId: evaluation.requestId,
      state: description.state,
      elapsed: Math.round(evaluation.times().total),
      user: description.user,
      step: description.step,
      request: description.request.slice(0, settings.scriptLogLength)
    }
  })
  requests.sort((a, b) => b.elapsed - a.elapsed)
  replyJson(response, 200, headers, { acceptedQueryCount: requests.length, queries: requests })
}

/** Cancels a request. Its client is told by whom. */
const cancel: Handler = ({ headers, path, query, request, response, user }, context) => {
  const id = path.startsWith(STATUS_OF)
    ? decoded(path.slice(STATUS_OF.length))
    : new URLSearchParams(query).get("queryId")
  if (id === null || id === "") {
    replyJson(response, 400, headers, {
      message: `Name the request that is to be cancelled: DELETE ${STATUS_OF}{requestId}.`
    })
    return
  }
  const found = [...context.dispatcher.running()].filter(({ requestId }) => requestId === id)
  const cancelled = found.filter(mayOperate(user, context))
  const by = user === null || user.name === "" ? "an operator" : `the user '${user.name}'`
  for (const evaluation of cancelled) evaluation.cancel(new EvaluationCancelled(`The request was cancelled by ${by}.`))
  if (context.settings.enableAuditLog && cancelled.length > 0) {
    const address = request.socket.remoteAddress ?? ""
    const line = Effect.annotateLogs(Effect.logInfo("Audit: cancelled"), {
      user: user?.name ?? "",
      address,
      requestId: id
    })
    context.runFork("The audit of a cancelled request failed", line, () => {})
  }
  if (cancelled.length > 0) replyJson(response, 200, headers, { requestId: id, cancelled: cancelled.length })
  else replyJson(response, 404, headers, { message: `No request ${id} that you may cancel is being evaluated.` })
}

/** Decodes a name in a path. A name whose encoding is broken stays as it is. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Prefix of the path of one request. */
const STATUS_OF = "/gremlin/status/"

/** A reserved path. */
interface Route {
  readonly methods: Readonly<Partial<Record<string, Handler>>>
  /** Whether it is served without credentials when authentication is on. */
  readonly open: (method: string, context: TransportContext) => boolean
  /** Its answer contains nothing that a page of another site may not know. */
  readonly harmless?: true
}

const reading = (handler: Handler) => ({ GET: handler, HEAD: handler })
const always = () => true
const never = () => false

const routes: Readonly<Partial<Record<string, Route>>> = {
  "/health/live": { methods: reading(live), open: always, harmless: true },
  "/health/ready": { methods: reading(ready), open: always, harmless: true },
  "/metrics": { methods: reading(metrics), open: (_, { settings }) => settings.openMetrics },
  // `POST` has the parameters of Amazon Neptune, so that its tools work with this server.
  "/gremlin/status": {
    methods: { ...reading(running), POST: cancel },
    open: (method, { settings }) => settings.openStatus && method !== "POST"
  }
}

const oneRequest: Route = { methods: { DELETE: cancel }, open: never }

/** A reserved path as a request finds it. Every channelizer serves it without the request pool, so that it answers under overload. */
export interface ManagementRoute {
  /** It is served without credentials when authentication is on. */
  readonly open: boolean
  /** Its answer contains nothing that a page of another site may not know. */
  readonly harmless: boolean
  /** The methods of `Allow`; empty for a path without content. */
  readonly methods: string
  readonly serve: (request: ManagementRequest) => void
}

/** A reserved path without content: 404. Browsers ask for `/favicon.ico` without a password. */
const notFound = (path: string): ManagementRoute => ({
  open: path === "/favicon.ico",
  harmless: true,
  methods: "",
  serve: ({ headers, response }) => {
    const advice = "Scripts are sent to / or /gremlin by POST; docs/reference/protocol.md lists the other paths."
    replyJson(response, 404, headers, { message: `There is nothing at ${shownPath(path)}. ${advice}` })
  }
})

/** The route of a path where nothing is evaluated; undefined for all other paths. */
export const managementRoute = (
  path: string,
  method: string | undefined,
  context: TransportContext
): ManagementRoute | undefined => {
  const route = path.startsWith(STATUS_OF) ? oneRequest : Object.hasOwn(routes, path) ? routes[path] : undefined
  if (route === undefined) return path === "/favicon.ico" || isReserved(path) ? notFound(path) : undefined
  const { methods } = route
  const handler = methods[method ?? ""]
  const allowed = [...Object.keys(methods), "OPTIONS"].sort().join(", ")
  return {
    methods: allowed,
    open: route.open(method ?? "", context),
    harmless: route.harmless === true,
    serve: (request) => {
      if (handler !== undefined) {
        handler(request, context)
        return
      }
      request.headers.push("allow", allowed)
      replyJson(request.response, 405, request.headers, { message: `${method} is not allowed here: use ${allowed}.` })
    }
  }
}
