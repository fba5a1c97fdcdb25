import type { User } from "./Authenticator.ts"
import type { Authorization } from "./Authorizer.ts"

/** Why a user may not create, change and drop graphs. Undefined: the user may. */
export const managementProblem = (
  graphs: { readonly allowed: boolean } | undefined,
  authorization: Authorization | null,
  user: User
): string | undefined => {
  if (authorization !== null && authorization.operates?.(user) !== true) {
    return `the user '${user.name}' may not manage graphs: this needs the role admin. To use a graph, write its name as a variable of the script.`
  }
  if (graphs?.allowed !== false) return undefined
  return "graphs cannot be managed here, because no authorization is configured. Set dynamicGraphs.allowed to true to permit it to every user."
}
