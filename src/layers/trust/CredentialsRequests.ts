import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ServerSettings } from "../../services/Config.ts"
import { type CredentialStore, CredentialsFailed, type UserRecord } from "../../services/Credentials.ts"

const optional = <A>(schema: Schema.Schema<A>) => Schema.optionalWith(schema, { exact: true })
const role = optional(Schema.Literal("reader", "editor", "admin"))
const user = Schema.String

const requests = Schema.Union(
  Schema.Struct({ action: Schema.Literal("list") }),
  Schema.Struct({ action: Schema.Literal("add"), user, password: Schema.String, role }),
  Schema.Struct({ action: Schema.Literal("passwd"), user, password: Schema.String }),
  /** Without a role: the role of the user is removed. */
  Schema.Struct({ action: Schema.Literal("role"), user, role, graph: optional(Schema.String) }),
  Schema.Struct({ action: Schema.Literal("remove"), user })
)

/** A request of the command `credentials`, made in its own process or over the control socket. */
export type CredentialsRequest = typeof requests.Type

const decode = Schema.decodeUnknown(Schema.parseJson(requests))

/** Reads a request from a line of JSON. The error does not say what is wrong: the line may contain a password. */
export const parseRequest = (text: string): Effect.Effect<CredentialsRequest, CredentialsFailed> =>
  Effect.mapError(decode(text), () => new CredentialsFailed({ reason: "The request about users cannot be read." }))

const listing = (users: ReadonlyArray<UserRecord>): string =>
  users
    .map(({ graphRoles, name, role }) => {
      const others = [...graphRoles].map(([graph, own]) => `${graph}=${own}`)
      return `${[name, role ?? "(default role)", ...others].join("\t")}\n`
    })
    .join("")

const WITHOUT_AUTHORIZER =
  "WARNING: roles have no effect, because the configuration names no authorizer: every user may do everything. " +
  "Add 'authorization: {authorizer: RoleAuthorizer}' to it, and restart the server.\n"

/**
 * Runs a request. The result is text for the person who sent it.
 *
 * @param authorization of the settings: without an authorizer roles have no effect, and the text warns about that
 */
export const perform = (
  users: CredentialStore,
  request: CredentialsRequest,
  { authorizer }: ServerSettings["authorization"]
): Effect.Effect<string, CredentialsFailed> => {
  const given = "role" in request && request.role !== undefined
  const done = change(users, request)
  return given && authorizer === undefined ? Effect.map(done, (text) => text + WITHOUT_AUTHORIZER) : done
}

const change = (users: CredentialStore, request: CredentialsRequest): Effect.Effect<string, CredentialsFailed> => {
  switch (request.action) {
    case "list":
      return Effect.map(users.list, listing)
    case "add":
      return Effect.as(
        users.add(request.user, request.password, request.role),
        `The user '${request.user}' has been added.\n`
      )
    case "passwd":
      return Effect.as(
        users.setPassword(request.user, request.password),
        `The user '${request.user}' has the new password; tokens given for the old one are no longer valid.\n`
      )
    case "role":
      return Effect.as(users.setRole(request.user, { role: request.role, graph: request.graph }), roleSentence(request))
    case "remove":
      return Effect.as(users.remove(request.user), `The user '${request.user}' has been removed.\n`)
  }
}

const roleSentence = ({ graph, role, user }: Extract<CredentialsRequest, { action: "role" }>): string => {
  const where = graph === undefined ? "" : ` on the graph '${graph}'`
  return role === undefined
    ? `The user '${user}' has no role of its own${where} any more.\n`
    : `The user '${user}' has the role ${role}${where}.\n`
}
