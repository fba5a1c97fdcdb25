import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Authorization, Authorizer, AuthorizerUnusable } from "../../services/Authorizer.ts"
import { Config } from "../../services/Config.ts"
import { Credentials } from "../../services/Credentials.ts"
import { Forbidden } from "../../services/Errors.ts"
import { RoleAuthorizer } from "./RoleAuthorizer.ts"

const isAuthorization = (value: unknown): value is Authorization =>
  typeof value === "object" &&
  value !== null &&
  "admit" in value &&
  typeof value.admit === "function" &&
  "access" in value &&
  typeof value.access === "function"

/** Whatever a module throws is a refusal: it has no class of this server's for it, and a doubt must not let a request in. */
const asRefusals = (authorization: Authorization): Authorization => {
  const guarded = <A>(decide: () => A): A => {
    try {
      return decide()
    } catch (error) {
      throw error instanceof Forbidden ? error : new Forbidden(error instanceof Error ? error.message : String(error))
    }
  }
  return {
    admit: (user, request) => guarded(() => authorization.admit(user, request)),
    access: (user, graph, access) => guarded(() => authorization.access(user, graph, access)),
    operates: (user) => authorization.operates?.(user) === true
  }
}

/** The default export of an ES module, called with `authorization.config`. */
const fromModule = (
  module: string,
  config: Readonly<Record<string, unknown>>
): Effect.Effect<Authorization, AuthorizerUnusable> =>
  Effect.gen(function* () {
    const made: unknown = yield* Effect.tryPromise({
      try: async () => {
        const loaded: { readonly default?: unknown } = await import(pathToFileURL(module).href)
        if (typeof loaded.default !== "function") throw new Error("it has no function as its default export")
        return loaded.default(config)
      },
      catch: (cause) =>
        new AuthorizerUnusable({ module, reason: cause instanceof Error ? cause.message : String(cause) })
    })
    if (isAuthorization(made)) return asRefusals(made)
    return yield* new AuthorizerUnusable({ module, reason: "what it gives has no functions admit and access" })
  })

/** What the settings name: roles, a module of the user's own, or nothing, and then everybody may do everything. */
export const layer: Layer.Layer<Authorizer, AuthorizerUnusable, Config | Credentials> = Layer.effect(
  Authorizer,
  Effect.gen(function* () {
    const { authentication, authorization } = yield* Config
    const { authorizer, config } = authorization
    if (authorizer === undefined) return null
    if (authorizer === "RoleAuthorizer") return new RoleAuthorizer(yield* Credentials, authentication.defaultRole)
    return yield* fromModule(authorizer.module, config)
  })
)
