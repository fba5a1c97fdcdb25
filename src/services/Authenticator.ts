import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageFailure } from "../structure/errors/StoreErrors.ts"
import { type InvalidRequestArguments, type TooManyRequests, Unauthorized } from "./Errors.ts"

/** The user who sends a request. */
export interface User {
  /** Empty when authentication is off. */
  readonly name: string
}

/** The user of all requests when authentication is off. */
export const anonymous: User = { name: "" }

/**
 * Why a client is refused: wrong credentials, unreadable credentials, too many checks at once, or a failed lookup of the
 * user.
 */
export type AuthenticationFailure = Unauthorized | InvalidRequestArguments | TooManyRequests | StorageFailure

/** The credentials were not compared with those of a user, and may be right. A WebSocket does not count such an answer as wrong. */
export class UncheckedCredentials extends Unauthorized {}

/** The credentials of an HTTP request. */
export interface HttpCredentials {
  /** The Authorization header, unchanged. */
  readonly authorization: string | undefined
  readonly remoteAddress: string
}

/** The SASL exchange of one WebSocket connection. */
export interface SaslExchange {
  /**
   * Checks the client's answer to the challenge, which is Base64 text or bytes. Fails with the error for the client, which
   * may then answer again.
   */
  readonly respond: (
    mechanism: string,
    response: string | Uint8Array
  ) => User | Effect.Effect<User, AuthenticationFailure>
}

/** Authenticates clients: each HTTP request, and each WebSocket connection once. */
export class Authenticator extends Context.Tag("engine-server/Authenticator")<
  Authenticator,
  {
    /** False when authentication is off: all users are {@link anonymous}. */
    readonly required: boolean
    /** The user of an HTTP request: at once when the success is cached, otherwise an Effect. */
    readonly http: (credentials: HttpCredentials) => User | Effect.Effect<User, AuthenticationFailure>
    /** Begins the SASL exchange of a connection. */
    readonly sasl: (remoteAddress: string) => SaslExchange
    /**
     * Whether a user who authenticated earlier is still valid. False when the user was removed or the password was changed:
     * the WebSocket must authenticate again. Called for each request of a WebSocket.
     */
    readonly isCurrent: (user: User) => boolean
    /** Makes the token of `GET /session`; undefined when the server gives no tokens. */
    readonly token: ((credentials: HttpCredentials) => Effect.Effect<string, AuthenticationFailure>) | undefined
  }
>() {}
