import * as Effect from "effect/Effect"
import type { ServerSettings } from "../../services/Config.ts"
import { CredentialsFailed, type Role, roles } from "../../services/Credentials.ts"
import { existingGraph } from "../graphs/ExistingGraph.ts"
import { openCredentials } from "../trust/CredentialStores.ts"
import { type CredentialsRequest, perform } from "../trust/CredentialsRequests.ts"
import { request as ask } from "./ControlClient.ts"

/** The words and options of the command, and its dependencies. */
export interface CredentialsCommand {
  /** The words after `credentials`. */
  readonly words: ReadonlyArray<string>
  readonly role: string | undefined
  readonly graph: string | undefined
  /** Absolute path of the control socket of a running server. Undefined: this process opens the graph of the users. */
  readonly socket: string | undefined
  /** Asks at the terminal, or reads a line of standard input. */
  readonly password: () => Promise<string>
  readonly settings: Effect.Effect<ServerSettings, { readonly _tag: string; readonly message: string }>
}

const usage = "credentials takes add <user>, passwd <user>, role <user>, remove <user>, or list"

const toRequest = ({
  graph,
  password,
  role,
  words
}: CredentialsCommand): Effect.Effect<CredentialsRequest, CredentialsFailed> =>
  Effect.gen(function* () {
    const [action, user, ...more] = words
    const wrong = (reason: string) => new CredentialsFailed({ reason })
    if (role !== undefined && role !== "none" && !roles.includes(role as Role)) {
      return yield* wrong(`There is no role '${role}': the roles are ${roles.join(", ")}; none removes the role.`)
    }
    const given = role === undefined || role === "none" ? {} : { role: role as Role }
    if (action === "list" && user === undefined) return { action }
    if (user === undefined || more.length > 0) return yield* wrong(usage)
    switch (action) {
      case "add":
        return { action, user, password: yield* Effect.promise(password), ...given }
      case "passwd":
        return { action, user, password: yield* Effect.promise(password) }
      case "role":
        if (role === undefined) return yield* wrong(`--role is needed: ${roles.join(", ")}, or none.`)
        return { action, user, ...given, ...(graph === undefined ? {} : { graph }) }
      case "remove":
        return { action, user }
      default:
        return yield* wrong(usage)
    }
  })

/** Sends the request to a running server. */
const remote = (socket: string, request: CredentialsRequest) =>
  Effect.flatMap(ask(socket, `credentials ${JSON.stringify(request)}`), (answer) =>
    answer.startsWith("error: ")
      ? Effect.fail(new CredentialsFailed({ reason: answer.slice("error: ".length).trim() }))
      : Effect.succeed(answer)
  )

const local = (settings: CredentialsCommand["settings"], request: CredentialsRequest) =>
  Effect.scoped(
    Effect.gen(function* () {
      const given = yield* settings
      const { authentication } = given
      const { credentialsDb } = authentication
      // Only add creates the graph of the users.
      const opened =
        credentialsDb === undefined || request.action === "add"
          ? given
          : { ...given, authentication: { ...authentication, credentialsDb: existingGraph(credentialsDb) } }
      const { store, users } = yield* Effect.catchTag(
        openCredentials(opened),
        "GraphUnavailable",
        ({ message }) =>
          new CredentialsFailed({
            reason: `${message} If a server runs with this configuration, name its socket: --control-socket <path>.`
          })
      )
      if (!store.features.persistent) {
        return yield* new CredentialsFailed({
          reason:
            "The users of this configuration are in the memory of the running server. Name its socket with --control-socket."
        })
      }
      return yield* perform(users, request, given.authorization)
    })
  )

/** Adds, changes, lists or removes users. Returns the text to print. */
export const credentials = (command: CredentialsCommand) =>
  Effect.flatMap(toRequest(command), (request) =>
    command.socket === undefined ? local(command.settings, request) : remote(command.socket, request)
  )
