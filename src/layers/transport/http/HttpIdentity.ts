import type { IncomingMessage } from "node:http"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { AuthenticationFailure, HttpCredentials } from "../../../services/Authenticator.ts"
import { authenticationError } from "../shared/AuthenticationErrors.ts"
import type { HttpExchange } from "./HttpExchange.ts"
import { reply, replyError } from "./HttpReply.ts"

/** What a request says about its user. */
export const credentialsOf = (request: IncomingMessage): HttpCredentials => ({
  authorization: request.headers.authorization,
  remoteAddress: request.socket.remoteAddress ?? ""
})

/** Answers `GET /session` with a token that stands for the password in later requests. */
export const giveToken = (exchange: HttpExchange): void => {
  const { context, headers, request, response } = exchange
  const { token } = context.authenticator
  if (token === undefined) return
  awaitAuthentication(exchange, token(credentialsOf(request)), (made) => {
    headers.push("content-type", "application/json", "cache-control", "no-store")
    reply(response, 200, headers, JSON.stringify({ token: made }))
  })
}

/** Calls `then` when an authentication succeeds, and answers when it fails. The body is not read before. */
export const awaitAuthentication = <A>(
  { context, headers, response }: HttpExchange,
  check: Effect.Effect<A, AuthenticationFailure>,
  then: (found: A) => void
): void =>
  context.runFork("An authentication over HTTP failed", check, (exit) => {
    if (response.destroyed) return
    if (Exit.isSuccess(exit)) then(exit.value)
    else replyError(response, authenticationError(exit.cause), null, headers, context.settings.poolFullStatus)
  })
