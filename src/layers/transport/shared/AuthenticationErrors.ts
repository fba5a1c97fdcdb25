import * as Cause from "effect/Cause"
import { type AuthenticationFailure, UncheckedCredentials } from "../../../services/Authenticator.ts"

/** The error of a failed authentication. A defect of the authenticator becomes UncheckedCredentials; the log has it. */
export const authenticationError = (cause: Cause.Cause<AuthenticationFailure>): AuthenticationFailure => {
  const failure = Cause.failureOption(cause)
  return failure._tag === "Some" ? failure.value : new UncheckedCredentials("The authentication failed.")
}
