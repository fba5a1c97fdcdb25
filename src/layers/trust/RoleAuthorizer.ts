import type { User } from "../../services/Authenticator.ts"
import type { Authorization, GraphAccess } from "../../services/Authorizer.ts"
import { type CredentialStore, isKnownUser, type Role, roles } from "../../services/Credentials.ts"
import { Forbidden } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"

/** The least role that may do it. */
const needed: Readonly<Record<GraphAccess, Role>> = {
  read: "reader",
  write: "editor",
  call: "editor",
  management: "admin"
}

const words: Readonly<Record<GraphAccess, string>> = {
  read: "read from",
  write: "write to",
  call: "call services on",
  management: "manage indexes of"
}

/** Readers, editors and admins, for each user and graph as the credentials graph has it. */
export class RoleAuthorizer implements Authorization {
  readonly #store: CredentialStore | null
  readonly #defaultRole: Role

  constructor(store: CredentialStore | null, defaultRole: Role) {
    this.#store = store
    this.#defaultRole = defaultRole
  }

  /** What a request does is known when its traversals are. */
  admit(_user: User, request: EvaluationRequest): EvaluationRequest {
    return request
  }

  access(user: User, graph: string, access: GraphAccess): void {
    const role = this.#roleOf(user, graph)
    if (role !== undefined && roles.indexOf(role) >= roles.indexOf(needed[access])) return
    throw new Forbidden(
      role === undefined
        ? `The user '${user.name}' is no longer known here.`
        : `The user '${user.name}' may not ${words[access]} the graph '${graph}': the role is ${role}, and it takes ` +
            `${needed[access]}.`
    )
  }

  operates(user: User): boolean {
    return this.#roleOf(user, undefined) === "admin"
  }

  /** As it is now, not as it was when the user authenticated. Undefined for a user who was removed. */
  #roleOf(user: User, graph: string | undefined): Role | undefined {
    if (this.#store === null || !isKnownUser(user)) return this.#defaultRole
    const record = this.#store.current(user)
    if (record === null) return undefined
    const own = graph === undefined ? undefined : record.graphRoles.get(graph)
    return own ?? record.role ?? this.#defaultRole
  }
}
