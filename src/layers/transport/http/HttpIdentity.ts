import type { IncomingMessage } from "node:http"
import type * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { AuthenticationFailure, HttpCredentials } from "../../../services/Authenticator.ts"
import { authenticationError } from "../shared/AuthenticationErrors.ts"
import { clientAddress } from "../shared/ClientAddress.ts"
import { countRefusal, type HttpExchange } from "./HttpExchange.ts"
import { reply, replyError } from "./HttpReply.ts"

/** What a request says about its user. */
export const credentialsOf = (request: IncomingMessage): HttpCredentials => ({
  authorization: request.headers.authorization,
  remoteAddress: clientAddress(request.socket)
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
  exchange: HttpExchange,
  check: Effect.Effect<A, AuthenticationFailure>,
  then: (found: A) => void
): void => {
  const { context, headers, response } = exchange
  context.runFork("An authentication over HTTP failed", check, (exit) => {
    if (Exit.isFailure(exit)) {
      const error = authenticationError(exit.cause)
      // A client that guesses passwords may not wait for the answers.
      countRefusal(
        exchange,
        replyError(response, error, null, headers, context.settings.poolFullStatus),
        "authentication"
      )
    } else if (!response.destroyed) then(exit.value)
  })
}
