import * as Effect from "effect/Effect"
import { anonymous } from "../../../services/Authenticator.ts"
import type { LogControl, LogLevelName } from "../../../services/LogControl.ts"
import type { Peers } from "../../../services/Peers.ts"
import { clientAddress } from "../shared/ClientAddress.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import { refuseUser } from "./Audit.ts"
import { replyJson } from "./HttpReply.ts"
import { type Handler, type ManagementRequest, refuseManagement } from "./ManagementRequest.ts"
import { afterPeers, unansweredIn } from "./OtherWorkers.ts"

const names: ReadonlyArray<LogLevelName> = ["trace", "debug", "info", "warn", "error", "off"]

const NO_LOG =
  "The log of this server belongs to the program that contains it. Change its level there, with Logger.minimumLogLevel."

/** Serves a request with the log of the server, to users who may see it or change it. */
const withLog =
  (serve: (log: typeof LogControl.Service, request: ManagementRequest, context: TransportContext) => void): Handler =>
  (request, context) => {
    const { authorization, log } = context
    const user = request.user ?? anonymous
    if (authorization !== null && authorization.operates?.(user) !== true) {
      const message = `The user '${user.name}' may not see or change the level of the log: this needs the role admin.`
      refuseUser({ management: request, context }, message)
    } else if (log === undefined) refuseManagement(request, 501, NO_LOG)
    else serve(log, request, context)
  }

/** The levels, the one that applies, and the setting, to which `DELETE` goes back. */
const show = (
  { configured, current }: typeof LogControl.Service,
  { headers, response }: ManagementRequest,
  more: object = {}
): void => {
  headers.push("cache-control", "no-store")
  replyJson(response, 200, headers, { level: current(), configured, levels: names, ...more })
}

/**
 * Changes the level in all processes of the server. The log has the change at the level ERROR, so that it shows it at every level but
 * `off`.
 */
const change = (
  log: typeof LogControl.Service,
  level: LogLevelName,
  request: ManagementRequest,
  context: TransportContext
): void => {
  const before = log.current()
  const tellOthers = (): void => {
    const forOthers = level === log.configured ? null : level
    const ask = (peers: Peers) => peers.changeLogLevel(forOthers)
    afterPeers(request, context, ask, (others) => show(log, request, unansweredIn(others)))
  }
  if (before === level) {
    tellOthers()
    return
  }
  const address = clientAddress(request.request.socket)
  const line = Effect.logError(`The level of the log changes from ${before} to ${level}`).pipe(
    Effect.annotateLogs({ user: request.user?.name ?? "", address })
  )
  const changed = Effect.sync(() => log.change(level))
  // The line is written while the log is open.
  const both = before === "off" ? Effect.zipRight(changed, line) : Effect.zipRight(line, changed)
  context.runFork("A change of the level of the log failed", both, tellOthers)
}

/** `GET /log-level`. */
export const logLevel: Handler = withLog((log, request) => show(log, request))

/** `PUT /log-level`, with the level in a JSON object. */
export const putLogLevel: Handler = withLog((log, request, context) => {
  const level = levelOf(request.body)
  if (level !== undefined) change(log, level, request, context)
  else refuseManagement(request, 400, `The body is {"level": "<level>"}, with one of ${names.join(", ")}.`)
})

/** `DELETE /log-level`: back to the setting `logging.level`. */
export const resetLogLevel: Handler = withLog((log, request, context) => change(log, log.configured, request, context))

const levelOf = (body: string): LogLevelName | undefined => {
  try {
    const given: unknown = JSON.parse(body)
    const level = typeof given === "object" && given !== null && "level" in given ? given.level : undefined
    return names.find((name) => name === level)
  } catch {
    return undefined
  }
}
