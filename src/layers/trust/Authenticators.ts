import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import { loggedAndAudited } from "../../services/AuditLine.ts"
import { Authenticator } from "../../services/Authenticator.ts"
import { Config, type ServerSettings, SettingRefused } from "../../services/Config.ts"
import { Credentials } from "../../services/Credentials.ts"
import { SharedState } from "../../services/SharedState.ts"
import { LineQuota } from "../observability/LineQuota.ts"
import * as AllowAllAuthenticator from "./AllowAllAuthenticator.ts"
import { CredentialsAuthenticator } from "./CredentialsAuthenticator.ts"
import { Tokens } from "./Tokens.ts"

const tokensOf = ({
  authenticator,
  hmacAlgo,
  hmacSecret,
  tokenTimeout
}: ServerSettings["authentication"]): Effect.Effect<Tokens | undefined, SettingRefused> => {
  if (authenticator === "SimpleAuthenticator") return Effect.succeed(undefined)
  if (hmacSecret === undefined || Redacted.value(hmacSecret) === "") {
    const reason = `it is missing; ${authenticator} signs its tokens with it`
    return Effect.fail(new SettingRefused({ setting: "authentication.config.hmacSecret", reason }))
  }
  return Effect.succeed(new Tokens({ secret: Redacted.value(hmacSecret), algorithm: hmacAlgo, timeout: tokenTimeout }))
}

/** SimpleAuthenticator, HMACAuthenticator and SaslAndHMACAuthenticator. The last two give tokens. */
const asking: Layer.Layer<Authenticator, SettingRefused, Config | Credentials> = Layer.effect(
  Authenticator,
  Effect.gen(function* () {
    const settings = yield* Config
    const { authentication } = settings
    const users = yield* Credentials
    const run = Runtime.runFork(yield* Effect.runtime<never>())
    if (users === null) return yield* Effect.dieMessage("an authenticator without a credentials graph")
    const failures = new LineQuota()
    const troubles = new LineQuota()
    const [someone] = yield* Effect.orElseSucceed(users.list, () => [])
    const bounds = Option.getOrUndefined(yield* Effect.serviceOption(SharedState))
    const authenticator = new CredentialsAuthenticator(users, {
      sharedFailures: bounds?.failures,
      tokens: yield* tokensOf(authentication),
      maxFailures: authentication.maxFailures,
      maxUserFailures: authentication.maxUserFailures,
      likeHash: someone?.hash,
      events: {
        failed: (name, address, reason) => {
          const unwritten = failures.take()
          if (unwritten === undefined) return
          const notes = {
            address,
            ...(name === null ? {} : { user: name }),
            reason,
            ...(unwritten === 0 ? {} : { unwritten })
          }
          run(loggedAndAudited(settings, "Authentication failed", notes, LogLevel.Warning))
        },
        unavailable: (error) => {
          if (troubles.take() === undefined) return
          run(Effect.logError(error.message, Cause.fail(error)))
        }
      }
    })
    return authenticator.service
  })
)

/** The authenticator that the settings name. */
export const layer: Layer.Layer<Authenticator, SettingRefused, Config | Credentials> = Layer.unwrapEffect(
  Effect.map(Config, ({ authentication }) =>
    authentication.authenticator === "AllowAllAuthenticator" ? AllowAllAuthenticator.layer : asking
  )
)
