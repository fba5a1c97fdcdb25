import * as Cause from "effect/Cause"
import { type AuthenticationFailure, UncheckedCredentials, type User } from "../../../services/Authenticator.ts"
import { UnknownOperation } from "../../../services/Errors.ts"

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
