import type { User } from "../../services/Authenticator.ts"
import type { Authorization, GraphAccess } from "../../services/Authorizer.ts"
import { type CredentialStore, isKnownUser, type Role, roles } from "../../services/Credentials.ts"
import { Forbidden } from "../../services/Errors.ts"
import type { EvaluationRequest } from "../../services/Evaluator.ts"

/** The lowest role that has each access. */
const needed: Readonly<Record<GraphAccess, Role>> = {
  read: "reader",
  write: "editor",
  call: "editor",
  management: "admin"
}

/** Each access in the words of an error message. */
const words: Readonly<Record<GraphAccess, string>> = {
  read: "read from",
  write: "write to",
  call: "call services on",
  management: "manage"
}

/** Authorizes by the roles of the credentials graph: reader, editor or admin, for each user and graph. */
export class RoleAuthorizer implements Authorization {
  readonly #store: CredentialStore | null
  readonly #defaultRole: Role

  constructor(store: CredentialStore | null, defaultRole: Role) {
    this.#store = store
    this.#defaultRole = defaultRole
  }

  /** Accepts every request: {@link access} checks its traversals. */
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

  /** The current role, not that at the time of the authentication. Undefined for a user who was removed. */
  #roleOf(user: User, graph: string | undefined): Role | undefined {
    if (this.#store === null || !isKnownUser(user)) return this.#defaultRole
    const record = this.#store.current(user)
    if (record === null) return undefined
    const own = graph === undefined ? undefined : record.graphRoles.get(graph)
    return own ?? record.role ?? this.#defaultRole
  }
}
