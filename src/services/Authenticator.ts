import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageFailure } from "../structure/StoreErrors.ts"
import type { InvalidRequestArguments, TooManyRequests, Unauthorized } from "./Errors.ts"

/** Who sends a request. */
export interface User {
  /** Empty when authentication is off. */
  readonly name: string
}

/** Everybody, when authentication is off. */
export const anonymous: User = { name: "" }

/**
 * Why somebody is not let in: wrong credentials, credentials that cannot be read, too many that want to be checked, or
 * users that cannot be looked up.
 */
export type AuthenticationFailure = Unauthorized | InvalidRequestArguments | TooManyRequests | StorageFailure

/** What an HTTP request brings to prove who sends it. */
export interface HttpCredentials {
  /** The Authorization header as it came. */
  readonly authorization: string | undefined
  readonly remoteAddress: string
}

/** The SASL exchange of one WebSocket connection. */
export interface SaslExchange {
  /**
   * The client's answer to the challenge, as it came: Base64 text or bytes. Fails with what the client is told; it may
   * then answer again.
   */
  readonly respond: (
    mechanism: string,
    response: string | Uint8Array
  ) => User | Effect.Effect<User, AuthenticationFailure>
}

/** Finds out who sends a request. Every HTTP request is asked about; a WebSocket connection once. */
export class Authenticator extends Context.Tag("engine-server/Authenticator")<
  Authenticator,
  {
    /** False: nobody is asked, and everybody is {@link anonymous}. */
    readonly required: boolean
    /** Who sends an HTTP request. Answers at once where it can (a remembered success); otherwise by an Effect. */
    readonly http: (credentials: HttpCredentials) => User | Effect.Effect<User, AuthenticationFailure>
    readonly sasl: (remoteAddress: string) => SaslExchange
    /**
     * Whether a user who authenticated earlier may go on. False when the user was removed or has another password since:
     * a WebSocket is then asked again. Called for each of its requests.
     */
    readonly isCurrent: (user: User) => boolean
    /** Makes the token that `GET /session` answers with; undefined where there are no tokens. */
    readonly token: ((credentials: HttpCredentials) => Effect.Effect<string, AuthenticationFailure>) | undefined
  }
>() {}
