import type { User } from "./Authenticator.ts"
import type { Authorization } from "./Authorizer.ts"

/** Why a user may not create, change and drop graphs. Undefined: the user may. */
export const managementProblem = (
  graphs: { readonly allowed: boolean } | undefined,
  authorization: Authorization | null,
  user: User
): string | undefined => {
  if (authorization !== null && authorization.operates?.(user) !== true) {
    return `the user '${user.name}' may not manage graphs: it takes the role admin. A graph '<name>' is the variable <name> of scripts.`
  }
  if (graphs?.allowed !== false) return undefined
  return "graphs cannot be managed here, because no authorization is configured. The setting dynamicGraphs.allowed permits it to every user."
}
