import * as Effect from "effect/Effect"
import { CredentialsFailed } from "../../services/Credentials.ts"

/** Cost of new hashes: two to this power rounds, some 50 ms. Hashes that are there keep theirs. */
export const HASH_COST = 10

/** bcrypt reads no more of a password. */
const LONGEST = 72

/** Longest name of a user, in characters. */
export const LONGEST_NAME = 256

/** A hash that JanusGraph and Gremlin Server can read too: their bcrypt knows version 2a only. */
export const hashPassword = (password: string): Effect.Effect<string, CredentialsFailed> => {
  const refused = passwordProblem(password)
  return refused === undefined
    ? Effect.promise(async () => (await import("./Bcrypt.ts")).hash(password, { cost: HASH_COST, version: "2a" }))
    : Effect.fail(new CredentialsFailed({ reason: refused }))
}

const passwordProblem = (password: string): string | undefined => {
  if (password === "") return "A password cannot be empty."
  if (password.includes("\0")) return "A password cannot hold the character NUL: SASL ends it there."
  const bytes = Buffer.byteLength(password)
  return bytes > LONGEST
    ? `The password has ${bytes} bytes in UTF-8; bcrypt would ignore all beyond ${LONGEST}. Choose a shorter one.`
    : undefined
}

/** Why a name cannot be that of a user; undefined when it can. */
export const nameProblem = (name: string): string | undefined => {
  if (name === "") return "A user needs a name."
  if (name.length > LONGEST_NAME) return `The name of a user has at most ${LONGEST_NAME} characters.`
  if (name.includes(":")) return "The name of a user cannot hold a colon: HTTP Basic authentication ends it there."
  return /\p{Cc}/u.test(name) ? "The name of a user cannot hold control characters." : undefined
}
