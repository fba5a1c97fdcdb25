import type { IncomingMessage } from "node:http"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { AuthenticationFailure, HttpCredentials, User } from "../../../services/Authenticator.ts"
import { Unauthorized } from "../../../services/Errors.ts"
import type { TransportContext } from "../shared/TransportContext.ts"
import type { HttpExchange } from "./HttpExchange.ts"
import { reply, replyError } from "./HttpReply.ts"

/** Goes on when it is known who sends a request, and answers when nobody is. Its body is not read before. */
export const identify = (exchange: HttpExchange, context: TransportContext, then: (user: User) => void): void => {
  const found = context.authenticator.http(credentialsOf(exchange.request))
  if (Effect.isEffect(found)) waitFor(exchange, context, found, then)
  else then(found)
}

/** `GET /session`: a token that stands for the password in what follows. False when this server gives none. */
export const giveToken = (exchange: HttpExchange, context: TransportContext): boolean => {
  const { authenticator } = context
  if (authenticator.token === undefined) return false
  const { headers, request, response } = exchange
  waitFor(exchange, context, authenticator.token(credentialsOf(request)), (token) => {
    headers.push("content-type", "application/json", "cache-control", "no-store")
    reply(response, 200, headers, JSON.stringify({ token }))
  })
  return true
}

const credentialsOf = (request: IncomingMessage): HttpCredentials => ({
  authorization: request.headers.authorization,
  remoteAddress: request.socket.remoteAddress ?? ""
})

const waitFor = <A>(
  { headers, response }: HttpExchange,
  { runFork, settings }: TransportContext,
  check: Effect.Effect<A, AuthenticationFailure>,
  then: (found: A) => void
): void =>
  runFork("An authentication over HTTP failed", check, (exit) => {
    if (response.destroyed) return
    if (Exit.isSuccess(exit)) {
      then(exit.value)
      return
    }
    const failure = Cause.failureOption(exit.cause)
    const error = failure._tag === "Some" ? failure.value : new Unauthorized("The authentication failed.")
    replyError(response, error, null, headers, settings.poolFullStatus)
  })
