import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import type * as Scope from "effect/Scope"
import { Config, type ServerSettings, SettingRefused } from "../../services/Config.ts"
import { type CredentialStore, Credentials, CredentialsFailed } from "../../services/Credentials.ts"
import type { GraphUnavailable } from "../../services/GraphRegistry.ts"
import { SharedState } from "../../services/SharedState.ts"
import { isFirstProcess } from "../../services/WorkerProcess.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { mayShareData, sharedText } from "../config/SameStorage.ts"
import { scopedGraph } from "../graphs/GraphStores.ts"
import { makePrivate } from "../graphs/PrivateFolder.ts"
import { LineQuota } from "../observability/LineQuota.ts"
import { CredentialsGraph } from "./CredentialsGraph.ts"

/** The settings of the credentials graph, and the served graphs, which must be other ones. */
export type CredentialSettings = Pick<ServerSettings, "authentication" | "graphs">

const setting = "authentication.config.credentialsDb"

/** Makes the unique index on names: when two servers add the same user at once, one of them must fail. */
const withIndex = (store: GraphStore): Effect.Effect<void> => {
  if (store.management.indexedKeys("vertex").includes("username")) return Effect.void
  return Effect.tryPromise(() => store.management.createIndex("username", "vertex", { unique: true })).pipe(
    Effect.catchAll((error) =>
      Effect.logWarning(
        `The credentials graph has no index on username, and none can be made: each lookup reads all users. ${String(error.cause ?? error)}`
      )
    )
  )
}

/** Opens the credentials graph while the scope is open. */
export const openCredentials = ({
  authentication,
  graphs
}: CredentialSettings): Effect.Effect<
  { readonly users: CredentialStore; readonly store: GraphStore },
  GraphUnavailable | SettingRefused,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const { authenticator, credentialsDb } = authentication
    if (credentialsDb === undefined) {
      const reason =
        authenticator === "AllowAllAuthenticator"
          ? "it is missing, or names a file that does not exist, which AllowAllAuthenticator accepts; the users are kept in that graph"
          : `it is missing; ${authenticator} keeps its users in that graph`
      return yield* new SettingRefused({ setting, reason })
    }
    const served = [...graphs.values()].find((graph) => mayShareData(graph, credentialsDb))
    if (served !== undefined) {
      const reason = sharedText(credentialsDb, served, `the served graph '${served.name}'`)
      return yield* new SettingRefused({ setting, reason })
    }
    yield* makePrivate(credentialsDb)
    const store = yield* scopedGraph(credentialsDb)
    yield* withIndex(store)
    const runtime = yield* Effect.runtime<never>()
    const lines = new LineQuota()
    const report = (error: CredentialsFailed): void => {
      if (lines.take() !== undefined) Runtime.runFork(runtime)(Effect.logError(error.message, Cause.fail(error)))
    }
    const bounds = Option.getOrUndefined(yield* Effect.serviceOption(SharedState))
    const users = new CredentialsGraph(store, report, bounds?.users)
    return { users, store }
  })

/** Creates the user of the settings once. It is not changed later: its password may have been changed since. */
const withDefaultUser = (
  users: CredentialStore,
  { defaultPassword, defaultUsername }: ServerSettings["authentication"]
): Effect.Effect<void, CredentialsFailed> =>
  Effect.gen(function* () {
    if (defaultUsername === undefined || defaultPassword === undefined) return
    const isNew = yield* Effect.mapError(
      users.addDefault(defaultUsername, Redacted.value(defaultPassword)),
      ({ reason }) =>
        new CredentialsFailed({
          reason: `The user of authentication.config.defaultUsername and defaultPassword cannot be created: ${reason}`
        })
    )
    if (!isNew) return
    yield* Effect.logInfo(`The user '${defaultUsername}' has been created, with the role admin`)
  })

/** The users; null when the settings ask for no credentials. */
export const layer: Layer.Layer<Credentials, CredentialsFailed | GraphUnavailable | SettingRefused, Config> =
  Layer.scoped(
    Credentials,
    Effect.gen(function* () {
      const settings = yield* Config
      if (settings.authentication.authenticator === "AllowAllAuthenticator") return null
      const { store, users } = yield* openCredentials(settings)
      if (!(yield* isFirstProcess)) return users
      if (!store.features.persistent) {
        yield* Effect.logWarning(
          "The credentials graph is in memory: changes of users and passwords are lost at the next start"
        )
      }
      yield* withDefaultUser(users, settings.authentication)
      if ((yield* users.list).length === 0) {
        yield* Effect.logWarning(
          "The credentials graph has no user, so no client can authenticate: add a user with `engine-server credentials add`"
        )
      }
      return users
    })
  )
