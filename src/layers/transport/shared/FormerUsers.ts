import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isKnownUser } from "../../../services/Credentials.ts"
import { Unauthorized } from "../../../services/Errors.ts"
import type { TransportContext } from "./TransportContext.ts"

/** How often it is looked whose requests run, ms. */
const CHECK = 1_000

/**
 * Ends, while the scope is open, the requests of users who have been removed or have another password since. Users whom an
 * authorizer put into a request, and those of a program's own authenticator, are not looked at.
 */
export const endRequestsOfFormerUsers = ({
  authenticator,
  dispatcher
}: Pick<TransportContext, "authenticator" | "dispatcher">): Effect.Effect<void, never, Scope.Scope> => {
  if (!authenticator.required) return Effect.void
  const look = (): void => {
    for (const evaluation of [...dispatcher.running()]) {
      const { user } = evaluation.request
      if (!isKnownUser(user) || authenticator.isCurrent(user)) continue
      evaluation.cancel(
        new Unauthorized(
          "The user of this request was removed, or has another password, since it came: it was stopped."
        )
      )
    }
  }
  return Effect.asVoid(
    Effect.acquireRelease(
      Effect.sync(() => setInterval(look, CHECK).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
  )
}
