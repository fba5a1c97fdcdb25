import * as Effect from "effect/Effect"
import { type GraphSettings, type ServerSettings, SettingRefused } from "../../services/Config.ts"
import { workerCount } from "./WorkerCount.ts"

/** What the composed server can enforce of the settings that must never be ignored. */
interface Abilities {
  /** Authenticators other than AllowAllAuthenticator. */
  readonly authenticators: ReadonlyArray<string>
  /** True when requests can be authorised. */
  readonly authorization: boolean
  readonly ssl: boolean
  /** Storage backends that can be opened. */
  readonly backends: ReadonlyArray<string>
}

/** The abilities of this version of the server. */
export const abilities: Abilities = {
  authenticators: ["SimpleAuthenticator", "HMACAuthenticator", "SaslAndHMACAuthenticator"],
  authorization: true,
  ssl: true,
  backends: ["inmemory", "lmdb", "cql"]
}

const backendProblem = (graph: GraphSettings, able: Abilities): SettingRefused | undefined => {
  if (graph.factory.kind !== "JanusGraphFactory") return undefined
  const { backend } = graph.factory.storage
  if (able.backends.includes(backend)) return undefined
  const given = graph.options.get("storage.backend") ?? backend
  return new SettingRefused({
    setting: `storage.backend=${given} of the graph '${graph.name}'`,
    reason: `this version of the server opens ${able.backends.join(", ")} only`
  })
}

/**
 * Fails for settings that the server cannot enforce. A server must not start when it looks protected and is not, or when it
 * would store data elsewhere than configured.
 */
export const refuseUnenforceable = (
  settings: ServerSettings,
  able: Abilities = abilities
): Effect.Effect<void, SettingRefused> =>
  Effect.suspend(() => {
    const { authentication, authorization, ssl, graphs } = settings
    const refused = (setting: string, reason: string) => Effect.fail(new SettingRefused({ setting, reason }))
    const { authenticator } = authentication
    if (authenticator !== "AllowAllAuthenticator" && !able.authenticators.includes(authenticator)) {
      return refused(
        "authentication",
        `this version of the server has no ${authenticator}, and does not start without authentication instead`
      )
    }
    if (authorization.authorizer !== undefined && !able.authorization) {
      return refused(
        "authorization",
        "this version of the server does not authorise requests, and does not start without authorization instead"
      )
    }
    if (authorization.authorizer === "RoleAuthorizer" && authenticator === "AllowAllAuthenticator") {
      return refused("authorization", "roles need users: set authentication, too")
    }
    if (ssl.enabled && !able.ssl) {
      return refused("ssl", "this version of the server has no TLS, and does not start without encryption instead")
    }
    const workers = workerCount(settings)
    if (workers instanceof SettingRefused) return Effect.fail(workers)
    for (const graph of graphs.values()) {
      const problem = backendProblem(graph, able)
      if (problem !== undefined) return Effect.fail(problem)
    }
    return Effect.void
  })
