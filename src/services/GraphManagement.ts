import { reasonOf } from "../structure/errors/Reason.ts"
import type { User } from "./Authenticator.ts"
import type { Authorization } from "./Authorizer.ts"

/**
 * Why a user may not create, change and drop graphs. Undefined: the user may.
 *
 * @param graph the name of the graph that a call changes; undefined for calls that change no graph. The right to manage graphs is not
 * enough for it: a user may have a lower role on a single graph
 */
export const managementProblem = (
  graphs: { readonly allowed: boolean } | undefined,
  authorization: Authorization | null,
  user: User,
  graph?: string
): string | undefined => {
  if (authorization !== null && authorization.operates?.(user) !== true) {
    return `the user '${user.name}' may not manage graphs: this needs the role admin. To use a graph, write its name as a variable of the script.`
  }
  if (authorization !== null && graph !== undefined) {
    try {
      authorization.access(user, graph, "management")
    } catch (error) {
      return reasonOf(error)
    }
  }
  if (graphs?.allowed !== false) return undefined
  return "graphs cannot be managed here, because no authorization is configured. Set dynamicGraphs.allowed to true to permit it to every user."
}
