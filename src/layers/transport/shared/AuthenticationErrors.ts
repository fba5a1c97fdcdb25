import * as Cause from "effect/Cause"
import type { AuthenticationFailure } from "../../../services/Authenticator.ts"
import { Unauthorized } from "../../../services/Errors.ts"

/** The error of a failed authentication. A defect of the authenticator becomes Unauthorized; the log has it. */
export const authenticationError = (cause: Cause.Cause<AuthenticationFailure>): AuthenticationFailure => {
  const failure = Cause.failureOption(cause)
  return failure._tag === "Some" ? failure.value : new Unauthorized("The authentication failed.")
}
