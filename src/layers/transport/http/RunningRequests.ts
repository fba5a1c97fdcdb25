import * as Effect from "effect/Effect"
import { EvaluationCancelled } from "../../../process/language/Errors.ts"
import type { User } from "../../../services/Authenticator.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { replyJson } from "./HttpReply.ts"
import type { Handler, ManagementRequest } from "./ManagementRequest.ts"
import { formOf, refuseManagement } from "./ManagementRequest.ts"

/** Prefix of the path of one request. */
export const STATUS_PATH_PREFIX = "/gremlin/status/"

/** States of a request that has not begun, or whose turn has not come. */
const WAITING = "waiting"

/** Whether a user may see and cancel a request: the user of the request may, and so may operators. */
export const mayOperate = (
  user: User | null,
  { authorization }: TransportContext
): ((evaluation: { readonly request: Pick<Evaluation["request"], "user"> }) => boolean) => {
  if (user === null || authorization === null || authorization.operates?.(user) === true) return () => true
  return (evaluation) => evaluation.request.user.name === user.name
}

/** True if a parameter is present and its value is not `false`. The value may be empty. */
const isSet = (parameters: URLSearchParams, name: string): boolean => {
  const value = parameters.get(name)
  return value !== null && value.toLowerCase() !== "false"
}

/** Whether a query string asks for the cancellation of a request. */
export const asksToCancel = (query: string): boolean =>
  query.includes("cancelQuery") && isSet(new URLSearchParams(query), "cancelQuery")

/** A request in listings. It has the members of Amazon Neptune and our own. */
const shown = (evaluation: Evaluation, maxRequestChars: number) => {
  const { request, state, step, user } = evaluation.describe()
  const { queued, total } = evaluation.times()
  const text = request.slice(0, maxRequestChars)
  return {
    requestId: evaluation.requestId,
    state,
    elapsed: Math.round(total),
    user,
    step,
    request: text,
    queryId: evaluation.requestId,
    queryString: text,
    queryEvalStats: { waited: Math.round(queued), elapsed: Math.round(total), cancelled: false }
  }
}

/** Lists the requests that run or wait, the longest first; or shows the one that `queryId` names. */
const list = (management: ManagementRequest, context: TransportContext, parameters: URLSearchParams): void => {
  const { headers, response, user } = management
  const { scriptLogLength } = context.settings
  const visible = [...context.dispatcher.running()].filter(mayOperate(user, context))
  const requests = visible.map((evaluation) => shown(evaluation, scriptLogLength))
  const id = parameters.get("queryId") ?? ""
  if (id !== "") {
    const named = requests.find(({ queryId }) => queryId === id.toLowerCase())
    if (named !== undefined) replyJson(response, 200, headers, named)
    else refuseManagement(management, 404, `No request ${id} that you may see is being evaluated.`)
    return
  }
  requests.sort((a, b) => b.elapsed - a.elapsed)
  const running = requests.filter(({ state }) => state !== WAITING)
  const withWaiting = parameters.has("includeWaiting")
    ? isSet(parameters, "includeWaiting")
    : management.request.method !== "POST"
  const queries = withWaiting ? requests : running
  replyJson(response, 200, headers, {
    acceptedQueryCount: requests.length,
    runningQueryCount: running.length,
    queries
  })
}

/** `GET` and `POST /gremlin/status`: lists, shows or cancels requests. The parameters of a POST may be a form. */
export const runningRequests: Handler = (management, context) => {
  const parameters = formOf(management)
  if (!isSet(parameters, "cancelQuery")) {
    list(management, context, parameters)
    return
  }
  cancel(management, context, parameters.get("queryId") ?? "")
}

/** `DELETE /gremlin/status/{requestId}`. */
export const cancelOne: Handler = (management, context) => {
  cancel(management, context, decoded(management.path.slice(STATUS_PATH_PREFIX.length)))
}

/** Cancels a request. The error for its client names who cancelled it. */
const cancel = (management: ManagementRequest, context: TransportContext, given: string): void => {
  const { headers, request, response, user } = management
  const id = given.toLowerCase()
  if (id === "") {
    const message = `Name the request that is to be cancelled: DELETE ${STATUS_PATH_PREFIX}{requestId}, or the parameter queryId.`
    refuseManagement(management, 400, message)
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
  if (cancelled.length > 0) {
    replyJson(response, 200, headers, {
      requestId: id,
      cancelled: cancelled.length,
      status: "200 OK",
      payload: true
    })
  } else refuseManagement(management, 404, `No request ${given} that you may cancel is being evaluated.`)
}

/** Decodes a name in a path. A name whose encoding is broken stays as it is. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
