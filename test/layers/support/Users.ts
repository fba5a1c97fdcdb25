import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { emptyTinkerGraph } from "../../../src/services/Config.ts"
import { type CredentialStore, Credentials } from "../../../src/services/Credentials.ts"
import type { ServerSettings } from "../../../src/services/Settings.ts"
import { type AuthenticationSettings, openAuthentication } from "../../../src/services/TrustSettings.ts"
import type { InsideServer } from "./TestServers.ts"

/** The default user of test servers. Its Base64 has characters in which the two alphabets differ. */
export const user = "stephen"
export const password = "pä:ss?wörd>>>~~~"

/** A server with the graphs `graph` and `other`, and their sources `g` and `g_other`. */
export const twoGraphs: Partial<ServerSettings> = {
  graphs: new Map([
    ["graph", { ...emptyTinkerGraph, name: "graph" }],
    ["other", { ...emptyTinkerGraph, name: "other" }]
  ]),
  traversalSources: [
    { name: "g", graph: "graph", expression: undefined },
    { name: "g_other", graph: "other", expression: undefined }
  ]
}

/** A server with authentication and users in memory. */
export const asking = (more: Partial<AuthenticationSettings> = {}): Partial<ServerSettings> => ({
  authentication: {
    ...openAuthentication,
    authenticator: "SimpleAuthenticator",
    authenticationHandler: "SaslAndHttpBasicAuthenticationHandler",
    credentialsDb: { name: "credentialsDb", ...emptyTinkerGraph },
    defaultUsername: user,
    defaultPassword: Redacted.make(password),
    ...more
  }
})

/** A server with authentication by tokens. */
export const givingTokens = (more: Partial<AuthenticationSettings> = {}): Partial<ServerSettings> =>
  asking({
    authenticator: "SaslAndHMACAuthenticator",
    authenticationHandler: "SaslAndHMACAuthenticationHandler",
    hmacSecret: Redacted.make("s3cret"),
    ...more
  })

export const basic = (name = user, secret = password, alphabet: "base64" | "base64url" = "base64"): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString(alphabet)}`

export const plain = (name = user, secret = password): string => Buffer.from(`\0${name}\0${secret}`).toString("base64")

/** The users of a running server. */
export const usersOf = (server: InsideServer): CredentialStore => Context.get(server.services, Credentials)!

/** Runs an operation on the users. */
export const change = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)
