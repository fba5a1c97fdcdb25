import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Authorization, Authorizer, AuthorizerUnusable } from "../../services/Authorizer.ts"
import { Config } from "../../services/Config.ts"
import { Credentials } from "../../services/Credentials.ts"
import { Forbidden } from "../../services/Errors.ts"
import { importModule } from "../../services/OwnModules.ts"
import { reasonOf } from "../../structure/errors/Reason.ts"
import { isPromise, isRequest } from "./OwnAnswers.ts"
import { RoleAuthorizer } from "./RoleAuthorizer.ts"

const isAuthorization = (value: unknown): value is Authorization =>
  typeof value === "object" &&
  value !== null &&
  "admit" in value &&
  typeof value.admit === "function" &&
  "access" in value &&
  typeof value.access === "function"

/**
 * Checks the answers of an authorizer that the server does not know. admit() must return a request. A promise, or `false`
 * from access(), refuses the request.
 */
export const answering = (authorization: Authorization): Authorization => ({
  admit: (user, request) => {
    const admitted: unknown = authorization.admit(user, request)
    if (isRequest(admitted)) return admitted
    throw new Forbidden("the server's authorizer does not work: its admit() has to give a request, and at once")
  },
  access: (user, graph, access) => {
    const answer: unknown = authorization.access(user, graph, access)
    if (answer === false) throw new Forbidden(`the user '${user.name}' may not ${access} the graph '${graph}'`)
    if (!isPromise(answer)) return
    throw new Forbidden("the server's authorizer does not work: its access() has to decide at once, and gave a promise")
  },
  operates: (user) => {
    const answer: unknown = authorization.operates?.(user)
    return !isPromise(answer) && answer === true
  }
})

/** Turns every error of a module into Forbidden: a failed authorizer must not allow a request. */
const asRefusals = ({ access, admit, operates }: Authorization): Authorization => {
  const guarded = <A>(decide: () => A): A => {
    try {
      return decide()
    } catch (error) {
      throw error instanceof Forbidden ? error : new Forbidden(reasonOf(error))
    }
  }
  return {
    admit: (user, request) => guarded(() => admit(user, request)),
    access: (user, graph, kind) => guarded(() => access(user, graph, kind)),
    operates: (user) => operates?.(user) === true
  }
}

/** The first function that is async: its answer would come too late. */
const asynchronous = (authorization: Authorization): string | undefined =>
  (["admit", "access", "operates"] as const).find(
    (name) => Object.prototype.toString.call(authorization[name]) === "[object AsyncFunction]"
  )

/** The default export of an ES module, called with `authorization.config`. */
const fromModule = (
  module: string,
  config: Readonly<Record<string, unknown>>
): Effect.Effect<Authorization, AuthorizerUnusable> =>
  Effect.gen(function* () {
    const made: unknown = yield* Effect.tryPromise({
      try: async () => {
        const loaded = await importModule(module)
        if (typeof loaded.default !== "function") throw new Error("it has no function as its default export")
        return loaded.default(config)
      },
      catch: (cause) => new AuthorizerUnusable({ module, reason: reasonOf(cause) })
    })
    if (isAuthorization(made)) {
      const late = asynchronous(made)
      if (late === undefined) return asRefusals(answering(made))
      return yield* new AuthorizerUnusable({ module, reason: `its ${late}() is async, and has to answer at once` })
    }
    return yield* new AuthorizerUnusable({ module, reason: "its result has no functions admit and access" })
  })

/** The authorizer of the settings: roles, or a module of the user. Null without one: everything is allowed. */
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
