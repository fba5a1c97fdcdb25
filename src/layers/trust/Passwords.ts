import * as Effect from "effect/Effect"
import { CredentialsFailed } from "../../services/Credentials.ts"
import { lateModule } from "../../services/LateModules.ts"

/** Cost of new hashes: 2 to this power rounds, about 50 ms. Existing hashes keep their cost. */
export const HASH_COST = 10

/** bcrypt ignores further bytes of a password. */
const MAX_PASSWORD_BYTES = 72

/** Maximum length of a user's name. */
export const MAX_USER_NAME_CHARS = 256

/** Hashes a password in version 2a of bcrypt, the only one that JanusGraph and Gremlin Server read. */
export const hashPassword = (password: string): Effect.Effect<string, CredentialsFailed> => {
  const refused = passwordProblem(password)
  return refused === undefined
    ? Effect.promise(async () =>
        (await lateModule(import("./Bcrypt.ts"))).hash(password, { cost: HASH_COST, version: "2a" })
      )
    : Effect.fail(new CredentialsFailed({ reason: refused }))
}

const passwordProblem = (password: string): string | undefined => {
  if (password === "") return "A password cannot be empty."
  if (password.includes("\0")) return "A password cannot contain the character NUL: SASL ends it there."
  const bytes = Buffer.byteLength(password)
  return bytes > MAX_PASSWORD_BYTES
    ? `The password has ${bytes} bytes in UTF-8; bcrypt would ignore all beyond ${MAX_PASSWORD_BYTES}. Choose a shorter one.`
    : undefined
}

/** Why a name cannot be that of a user; undefined when it can. */
export const nameProblem = (name: string): string | undefined => {
  if (name === "") return "A user needs a name."
  if (name.length > MAX_USER_NAME_CHARS) return `The name of a user has at most ${MAX_USER_NAME_CHARS} characters.`
  if (name.includes(":")) return "The name of a user cannot contain a colon: HTTP Basic authentication ends it there."
  return /\p{Cc}/u.test(name) ? "The name of a user cannot contain control characters." : undefined
}
