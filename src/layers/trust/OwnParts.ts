import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { Authenticator, UncheckedCredentials } from "../../services/Authenticator.ts"
import { Authorizer } from "../../services/Authorizer.ts"
import { LineQuota } from "../observability/LineQuota.ts"
import { answering } from "./Authorizers.ts"
import { isExchange, isUserOrEffect } from "./OwnAnswers.ts"

/** Logs a failure of a program's authenticator or authorizer. Its answer is then a refusal. */
const report = (part: string) =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const run = Runtime.runFork(runtime)
    const lines = new LineQuota()
    return (error: unknown): void => {
      if (lines.take() !== undefined) run(Effect.logError(`The program's own ${part} failed`, Cause.die(error)))
    }
  })

/** Guards a program's own authenticator: when it throws, the client is refused, and the process does not end. */
export const guardedAuthenticator = (own: Layer.Layer<Authenticator>): Layer.Layer<Authenticator> =>
  Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const { http, isCurrent, required, sasl, token } = yield* Authenticator
      const failed = yield* report("authenticator")
      const refusing = (error: unknown): Effect.Effect<never, UncheckedCredentials> => {
        failed(error)
        return Effect.fail(new UncheckedCredentials("The authentication failed."))
      }
      const guard =
        <A extends ReadonlyArray<unknown>, B>(ask: (...question: A) => B, isAnswer: (answer: unknown) => boolean) =>
        (...question: A): B | Effect.Effect<never, UncheckedCredentials> => {
          try {
            const answer = ask(...question)
            if (!isAnswer(answer)) return refusing(new Error("It gave a promise, or something else that is no answer"))
            // The effect may fail later, too.
            return Effect.isEffect(answer) ? (Effect.catchAllDefect(answer, refusing) as B) : answer
          } catch (error) {
            return refusing(error)
          }
        }
      return {
        required,
        http: guard(http, isUserOrEffect),
        sasl: (address) => {
          const exchange = guard(sasl, isExchange)(address)
          if (!isExchange(exchange)) return { respond: () => exchange }
          return { respond: guard((mechanism, response) => exchange.respond(mechanism, response), isUserOrEffect) }
        },
        isCurrent: (user) => guard(isCurrent, (answer) => typeof answer === "boolean")(user) === true,
        token: token === undefined ? undefined : guard(token, Effect.isEffect)
      }
    })
  ).pipe(Layer.provide(own))

/** Guards a program's own authorizer: when operates() throws, the user is no operator. */
export const guardedAuthorizer = (own: Layer.Layer<Authorizer>): Layer.Layer<Authorizer> =>
  Layer.effect(
    Authorizer,
    Effect.gen(function* () {
      const authorization = yield* Authorizer
      const failed = yield* report("authorizer")
      if (authorization === null) return null
      const { access, admit, operates } = answering(authorization)
      return {
        admit,
        access,
        operates: (user) => {
          try {
            return operates?.(user) === true
          } catch (error) {
            failed(error)
            return false
          }
        }
      }
    })
  ).pipe(Layer.provide(own))
