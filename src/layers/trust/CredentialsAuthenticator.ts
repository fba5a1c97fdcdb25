import * as Effect from "effect/Effect"
import {
  type AuthenticationFailure,
  type Authenticator,
  type HttpCredentials,
  UncheckedCredentials,
  type User
} from "../../services/Authenticator.ts"
import { type CredentialStore, isKnownUser, type KnownUser, type UserRecord } from "../../services/Credentials.ts"
import { Unauthorized } from "../../services/Errors.ts"
import {
  type AuthenticationEvents,
  lookUp,
  type PasswordCheckOptions,
  PasswordChecks,
  wrongCredentials
} from "./PasswordChecks.ts"
import { type NamedPassword, readAuthorization, readSaslPlain } from "./Proofs.ts"
import { parseToken, type Token, type Tokens } from "./Tokens.ts"

/** The options of password checks, and the tokens. */
interface AuthenticatorOptions extends PasswordCheckOptions {
  /** Undefined when the server gives no tokens. */
  readonly tokens: Tokens | undefined
}

type Answer<A> = A | Effect.Effect<A, AuthenticationFailure>

/** Authenticates by the credentials graph: passwords over HTTP Basic and SASL PLAIN, and tokens. */
export class CredentialsAuthenticator {
  readonly #store: CredentialStore
  readonly #passwords: PasswordChecks
  readonly #tokens: Tokens | undefined
  readonly #events: AuthenticationEvents
  readonly service: typeof Authenticator.Service

  constructor(store: CredentialStore, { tokens, ...passwords }: AuthenticatorOptions) {
    this.#store = store
    this.#events = passwords.events
    this.#tokens = tokens
    this.#passwords = new PasswordChecks(store, passwords)
    this.service = {
      required: true,
      http: (credentials) => this.#http(credentials),
      sasl: (address) => ({ respond: (mechanism, response) => this.#sasl(mechanism, response, address) }),
      isCurrent: (user) => isKnownUser(user) && store.current(user)?.hash === user.record.hash,
      token: tokens === undefined ? undefined : (credentials) => this.#newToken(tokens, credentials)
    }
  }

  #http({ authorization, remoteAddress }: HttpCredentials): Answer<User> {
    const proof = readAuthorization(authorization)
    switch (proof.scheme) {
      case "basic":
        return this.#password(proof.given, remoteAddress)
      case "token":
        return this.#tokens === undefined
          ? Effect.fail(new Unauthorized(`This server gives no tokens. ${this.#how}`))
          : this.#token(this.#tokens, proof.token, remoteAddress)
      case "none":
        return Effect.fail(
          new Unauthorized(`This server asks who sends a request, and this one does not say. ${this.#how}`)
        )
      default:
        return Effect.fail(
          new Unauthorized(`The Authorization header has a scheme that is not known here. ${this.#how}`)
        )
    }
  }

  get #how(): string {
    return this.#tokens === undefined
      ? "Send user name and password by HTTP Basic authentication."
      : "Send user name and password by HTTP Basic authentication, or a token of GET /session as 'Authorization: Token ...'."
  }

  #password(given: NamedPassword | null, address: string): Answer<KnownUser> {
    return given === null ? Effect.fail(wrongCredentials()) : this.#passwords.check(given.name, given.password, address)
  }

  #sasl(mechanism: string, response: string | Uint8Array, address: string): Answer<User> {
    if (mechanism !== "" && mechanism.toUpperCase() !== "PLAIN") {
      return Effect.fail(
        new UncheckedCredentials("The SASL mechanism of this server is PLAIN, with user name and password.")
      )
    }
    try {
      return this.#password(readSaslPlain(response), address)
    } catch (error) {
      return Effect.fail(error as AuthenticationFailure)
    }
  }

  // ---- tokens

  #newToken(
    tokens: Tokens,
    { authorization, remoteAddress }: HttpCredentials
  ): Effect.Effect<string, AuthenticationFailure> {
    const proof = readAuthorization(authorization)
    // A client could renew a token forever.
    if (proof.scheme !== "basic") {
      return Effect.fail(new Unauthorized("Send user name and password by HTTP Basic authentication to get a token."))
    }
    const user = this.#password(proof.given, remoteAddress)
    return Effect.map(Effect.isEffect(user) ? user : Effect.succeed(user), ({ record }) => tokens.make(record))
  }

  #token(tokens: Tokens, text: string, address: string): Answer<KnownUser> {
    const token = parseToken(text)
    if (token === null) return this.#forged(null, address)
    const record = lookUp(this.#store, token.name, this.#events)
    return Effect.isEffect(record)
      ? Effect.flatMap(record, (found) => {
          const user = this.#verified(tokens, token, found, address)
          return Effect.isEffect(user) ? user : Effect.succeed(user)
        })
      : this.#verified(tokens, token, record, address)
  }

  #verified(tokens: Tokens, token: Token, record: UserRecord | null, address: string): Answer<KnownUser> {
    if (!tokens.isGenuine(token, record) || record === null) return this.#forged(record?.name ?? null, address)
    return tokens.isExpired(token)
      ? Effect.fail(new Unauthorized("The token has expired: get another one with GET /session."))
      : { name: record.name, record }
  }

  #forged(name: string | null, address: string): Effect.Effect<never, Unauthorized> {
    return Effect.suspend(() => {
      this.#events.failed(name, address, "invalid token")
      return Effect.fail(new Unauthorized("The token is not valid, or no longer: get another one with GET /session."))
    })
  }
}
