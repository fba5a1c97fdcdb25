import * as Cause from "effect/Cause"
import { type AuthenticationFailure, UncheckedCredentials, type User } from "../../../services/Authenticator.ts"
import { Unauthorized, UnknownOperation } from "../../../services/Errors.ts"

/** The error of a failed authentication. A defect of the authenticator becomes UncheckedCredentials; the log has it. */
export const authenticationError = (cause: Cause.Cause<AuthenticationFailure>): AuthenticationFailure => {
  const failure = Cause.failureOption(cause)
  return failure._tag === "Some" ? failure.value : new UncheckedCredentials("The authentication failed.")
}

/** The error of a client that authenticates although nobody asks for it. */
export const notAsked = (): UnknownOperation =>
  new UnknownOperation(
    "Message with op code [authentication] is not recognized: this server does not ask for authentication."
  )

/** The error of a client that authenticates once more on a connection of a user. */
export const otherUser = ({ name }: User): UnknownOperation =>
  new UnknownOperation(
    `Message with op code [authentication] is not recognized: this connection has authenticated as the user '${name}'. ` +
      "Open another connection for another user."
  )

/** More requests, or more bytes, than may wait for the authentication of a connection. */
export const tooManyWait = (requests: number, bytes: number): Unauthorized =>
  new Unauthorized(
    `At most ${requests} requests, together of at most ${bytes} bytes (maxContentLength), wait for the authentication of a ` +
      "connection. Authenticate before you send more."
  )

/** The client has not authenticated within `timeout` ms. */
export const notInTime = (timeout: number): Unauthorized =>
  new Unauthorized(
    `Authentication did not finish in the allowed duration (${timeout} ms), which is ` +
      "authentication.config.authenticationTimeout. Answer the challenge earlier, and send the request again."
  )

/** More answers to the challenge than the `limit` of those that may be wrong. */
export const tooManyAnswers = (limit: number): Unauthorized =>
  new Unauthorized(
    `A connection has at most ${limit} answers to challenges that are wrong or still being checked. Wait for the ` +
      "result of one before you send the next."
  )
