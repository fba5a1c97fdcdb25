import { EvaluationCancelled } from "../../../process/language/Errors.ts"
import type { User } from "../../../services/Authenticator.ts"
import type { Evaluation } from "../../../services/Evaluator.ts"
import type { ListedRequest, Owned, PeerQuestions } from "../../../services/Peers.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { audit } from "./Audit.ts"
import { replyJson } from "./HttpReply.ts"
import type { Handler, ManagementRequest } from "./ManagementRequest.ts"
import { formOf, refuseManagement } from "./ManagementRequest.ts"
import { askOthers, lateText, missingStatus, type Others, unansweredIn, unansweredText } from "./OtherWorkers.ts"

/** Prefix of the path of one request. */
export const STATUS_PATH_PREFIX = "/gremlin/status/"

/** The state of a request that has not begun. */
const WAITING = "waiting"

/** Whose requests a user may see and cancel: their own, or all for operators. */
export const meant = (user: User | null, { authorization }: TransportContext): Owned => {
  if (user === null || authorization === null || authorization.operates?.(user) === true) return { user: null }
  return { user: user.name }
}

/** True if something that belongs to `owner` is among what was asked for. */
export const isOf = ({ user }: Owned, owner: User): boolean => user === null || owner.name === user

/** True if a parameter is present and its value is not `false`. The value may be empty. */
const isSet = (parameters: URLSearchParams, name: string): boolean => {
  const value = parameters.get(name)
  return value !== null && value.toLowerCase() !== "false"
}

/**
 * Whether a query string asks for the cancellation of a request. It is parsed here exactly as in {@link runningRequests}: a name may
 * be percent-encoded, and what is not recognized here would need no credentials.
 */
export const asksToCancel = (query: string): boolean => query !== "" && isSet(new URLSearchParams(query), "cancelQuery")

/** A request in listings. It has the members of Amazon Neptune and our own. */
const shown = (evaluation: Evaluation, { settings, worker }: TransportContext): ListedRequest => {
  const { request, state, step, user } = evaluation.describe()
  const { queued, total } = evaluation.times()
  const text = request.slice(0, settings.scriptLogLength)
  return {
    requestId: evaluation.requestId,
    state,
    elapsed: Math.round(total),
    user,
    step,
    request: text,
    ...(worker === undefined ? {} : { worker }),
    queryId: evaluation.requestId,
    queryString: text,
    queryEvalStats: { waited: Math.round(queued), elapsed: Math.round(total), cancelled: false }
  }
}

/** The requests of this process that run or wait. */
export const ownRequests = (owned: Owned, context: TransportContext): ReadonlyArray<ListedRequest> =>
  Array.from(context.dispatcher.running())
    .filter(({ request }) => isOf(owned, request.user))
    .map((evaluation) => shown(evaluation, context))

/** Lists the requests that run or wait, the longest first; or shows the one that `queryId` names. */
const list = (management: ManagementRequest, context: TransportContext, parameters: URLSearchParams): void => {
  const owned = meant(management.user, context)
  askOthers({ management, context }, "running", owned, (others) => {
    const { headers, response } = management
    const requests = [...ownRequests(owned, context), ...others.answers.flat()]
    const id = parameters.get("queryId") ?? ""
    if (id !== "") {
      const named = requests.find(({ queryId }) => queryId === id.toLowerCase())
      if (named !== undefined) replyJson(response, 200, headers, named)
      else {
        const message = `No request ${id} that you may see is being evaluated.${unansweredText(others)}`
        refuseManagement(management, missingStatus(others), message)
      }
      return
    }
    requests.sort((a, b) => b.elapsed - a.elapsed)
    const running = requests.filter(({ state }) => state !== WAITING)
    const withWaiting = parameters.has("includeWaiting")
      ? isSet(parameters, "includeWaiting")
      : management.request.method !== "POST"
    replyJson(response, 200, headers, {
      acceptedQueryCount: requests.length,
      runningQueryCount: running.length,
      queries: withWaiting ? requests : running,
      ...unansweredIn(others)
    })
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

/** Cancels the requests of this process with an id. Returns their number. */
export const cancelOwn = (
  { reason, requestId, ...owned }: PeerQuestions["cancel"][0],
  { dispatcher }: TransportContext
): number => {
  const found = Array.from(dispatcher.running()).filter(
    (evaluation) => evaluation.requestId === requestId && isOf(owned, evaluation.request.user)
  )
  for (const evaluation of found) evaluation.cancel(new EvaluationCancelled(reason))
  return found.length
}

/** Cancels a request, in whichever worker it is. The error for its client names who cancelled it. */
const cancel = (management: ManagementRequest, context: TransportContext, given: string): void => {
  const { headers, response, user } = management
  const requestId = given.toLowerCase()
  if (requestId === "") {
    const message = `Name the request that is to be cancelled: DELETE ${STATUS_PATH_PREFIX}{requestId}, or the parameter queryId.`
    refuseManagement(management, 400, message)
    return
  }
  const by = user === null || user.name === "" ? "an operator" : `the user '${user.name}'`
  const asked = { ...meant(user, context), requestId, reason: `The request was cancelled by ${by}.` }
  const own = cancelOwn(asked, context)
  const auditCancelled = (notes = {}): void =>
    audit("Audit: cancelled", { management, context }, { requestId, ...notes })
  const answer = (others: Others<number>): void => {
    const cancelled = others.answers.reduce((sum, count) => sum + count, own)
    // A worker without an answer may still carry it out.
    if (cancelled > 0 || others.unanswered.length > 0) auditCancelled(unansweredIn(others))
    const shown = { requestId, cancelled, status: "200 OK", payload: true, ...unansweredIn(others) }
    if (cancelled > 0) replyJson(response, 200, headers, shown)
    else {
      const message = `No request ${given} that you may cancel is being evaluated.${lateText(others)}`
      refuseManagement(management, missingStatus(others), message)
    }
  }
  // What the other workers did is not known then.
  askOthers({ management, context }, "cancel", asked, answer, auditCancelled)
}

/** Decodes a name in a path. A name whose encoding is broken stays as it is. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
