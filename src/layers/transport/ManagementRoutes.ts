import type { IncomingMessage, ServerResponse } from "node:http"
import * as Exit from "effect/Exit"
import { type FlatHeaders, reply, replyJson } from "./HttpReply.ts"
import type { TransportContext } from "./TransportContext.ts"

type Route = (context: TransportContext, response: ServerResponse, headers: FlatHeaders) => void

const live: Route = (_, response, headers) => replyJson(response, 200, headers, { status: "live" })

const ready: Route = ({ dispatcher }, response, headers) => {
  if (dispatcher.stopping()) replyJson(response, 503, headers, { status: "stopping" })
  else replyJson(response, 200, headers, { status: "ready" })
}

const metrics: Route = (context, response, headers) => {
  context.runFork(context.metrics.render, (exit) => {
    if (Exit.isSuccess(exit)) {
      headers.push("content-type", "text/plain; version=0.0.4; charset=utf-8")
      reply(response, 200, headers, exit.value)
    } else
      replyJson(response, 500, headers, { message: "The metrics cannot be read; the server's log has the reason." })
  })
}

/** What is being evaluated, the longest first. */
const running: Route = ({ dispatcher, settings }, response, headers) => {
  const requests = Array.from(dispatcher.running(), (evaluation) => {
    const { request, state, step, user } = evaluation.describe()
    return {
      requestId: evaluation.requestId,
      state,
      elapsed: Math.round(evaluation.times().total),
      user,
      step,
      request: request.slice(0, settings.scriptLogLength)
    }
  })
  requests.sort((a, b) => b.elapsed - a.elapsed)
  replyJson(response, 200, headers, { acceptedQueryCount: requests.length, queries: requests })
}

/** Served in every channelizer and never queued: a full pool must not hide what is going on. */
const routes: ReadonlyMap<string, { readonly route: Route; readonly open: "always" | "openMetrics" | "never" }> =
  new Map([
    ["/health/live", { route: live, open: "always" }],
    ["/health/ready", { route: ready, open: "always" }],
    ["/metrics", { route: metrics, open: "openMetrics" }],
    ["/gremlin/status", { route: running, open: "never" }]
  ])

/** A reserved path, or undefined for every other, which evaluates. */
export interface ManagementRoute {
  /** Served without credentials when authentication is on. */
  readonly open: boolean
  readonly serve: (request: IncomingMessage, response: ServerResponse, headers: FlatHeaders) => void
}

export const managementRoute = (path: string, context: TransportContext): ManagementRoute | undefined => {
  const found = routes.get(path)
  if (found === undefined) return undefined
  return {
    open: found.open === "always" || (found.open === "openMetrics" && context.settings.openMetrics),
    serve: (request, response, headers) => {
      if (request.method === "GET" || request.method === "HEAD") found.route(context, response, headers)
      else {
        headers.push("allow", "GET, HEAD")
        replyJson(response, 405, headers, { message: `${request.method} is not allowed here: use GET.` })
      }
    }
  }
}
