import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isKnownUser } from "../../../services/Credentials.ts"
import { Unauthorized } from "../../../services/Errors.ts"
import type { TransportContext } from "./TransportContext.ts"

/** How often the users of running requests are checked. */
const CHECK_INTERVAL_MS = 1_000

/**
 * Ends the requests of users who were removed or whose password was changed, while the scope is open. Users that an
 * authorizer put into a request, and users of a program's own authenticator, are not checked.
 */
export const endRequestsOfFormerUsers = ({
  authenticator,
  dispatcher
}: Pick<TransportContext, "authenticator" | "dispatcher">): Effect.Effect<void, never, Scope.Scope> => {
  if (!authenticator.required) return Effect.void
  const check = (): void => {
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
      Effect.sync(() => setInterval(check, CHECK_INTERVAL_MS).unref()),
      (timer) => Effect.sync(() => clearInterval(timer))
    )
  )
}
