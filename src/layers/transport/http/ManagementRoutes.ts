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
  /** Null where nobody was asked who it is, because a setting opens the path. */
  readonly user: User | null
}

type Handler = (request: ManagementRequest, context: TransportContext) => void

const live: Handler = ({ headers, response }) => replyJson(response, 200, headers, { status: "live" })

/** Who asks need not say who it is: it is not told which graphs there are. */
const CLOSED = "A graph of this server is closed. GET /metrics has its name, and the server's log has the reason."

const ready: Handler = ({ headers, response }, { dispatcher, health }) => {
  if (dispatcher.stopping()) replyJson(response, 503, headers, { status: "stopping" })
  else if (health.graphs().some(({ fault }) => fault?.isClosed === true))
    replyJson(response, 503, headers, { status: "closed", message: CLOSED })
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

/** Whether somebody may see and cancel a request: its own user, and who operates the server. */
const mayOperate = (user: User | null, { authorization }: TransportContext): ((evaluation: Evaluation) => boolean) => {
  if (user === null || authorization === null || authorization.operates?.(user) === true) return () => true
  return (evaluation) => evaluation.request.user.name === user.name
}

/** What is being evaluated, the longest first. */
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

/** Ends a request, which its client is told, and who did it. */
const cancel: Handler = ({ headers, path, query, request, response, user }, context) => {
  const id = path.startsWith(STATUS_OF)
    ? decoded(path.slice(STATUS_OF.length))
    : new URLSearchParams(query).get("queryId")
  if (id === null || id === "") {
    replyJson(response, 400, headers, {
      message: `Say which request is to be cancelled: DELETE ${STATUS_OF}{requestId}.`
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

/** A name in a path; one whose encoding is broken is taken as it is. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Path of one request. */
const STATUS_OF = "/gremlin/status/"

/** A reserved path: what it does by method, and who may without credentials where authentication is on. */
interface Route {
  readonly methods: Readonly<Partial<Record<string, Handler>>>
  readonly open: (method: string, context: TransportContext) => boolean
  /** It tells nothing that a page of another site may not know. */
  readonly harmless?: true
}

const reading = (handler: Handler) => ({ GET: handler, HEAD: handler })
const always = () => true
const never = () => false

const routes: Readonly<Partial<Record<string, Route>>> = {
  "/health/live": { methods: reading(live), open: always, harmless: true },
  "/health/ready": { methods: reading(ready), open: always, harmless: true },
  "/metrics": { methods: reading(metrics), open: (_, { settings }) => settings.openMetrics },
  // The names in a query of `POST` are those of Neptune, whose tools speak to this server too.
  "/gremlin/status": {
    methods: { ...reading(running), POST: cancel },
    open: (method, { settings }) => settings.openStatus && method !== "POST"
  }
}

const oneRequest: Route = { methods: { DELETE: cancel }, open: never }

/** Served in every channelizer and never queued: a full pool must not hide what is going on. */
export interface ManagementRoute {
  /** Served without credentials when authentication is on. */
  readonly open: boolean
  /** It tells nothing that a page of another site may not know. */
  readonly harmless: boolean
  /** Its methods, as `Allow` lists them; empty where nothing is. */
  readonly methods: string
  readonly serve: (request: ManagementRequest) => void
}

/** The answer at a path that is reserved, and where nothing is. Browsers ask for an icon without a password. */
const nothing = (path: string): ManagementRoute => ({
  open: path === "/favicon.ico",
  harmless: true,
  methods: "",
  serve: ({ headers, response }) => {
    const advice = "Scripts are sent to / or /gremlin by POST; docs/reference/protocol.md lists the other paths."
    replyJson(response, 404, headers, { message: `There is nothing at ${shownPath(path)}. ${advice}` })
  }
})

/** What is at a path where nothing is evaluated; undefined for every other. */
export const managementRoute = (
  path: string,
  method: string | undefined,
  context: TransportContext
): ManagementRoute | undefined => {
  const route = path.startsWith(STATUS_OF) ? oneRequest : Object.hasOwn(routes, path) ? routes[path] : undefined
  if (route === undefined) return path === "/favicon.ico" || isReserved(path) ? nothing(path) : undefined
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
