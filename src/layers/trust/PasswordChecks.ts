import { createHmac, randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import { type AuthenticationFailure, UncheckedCredentials } from "../../services/Authenticator.ts"
import type { CredentialStore, CredentialsFailed, KnownUser, UserRecord } from "../../services/Credentials.ts"
import { TooManyRequests, Unauthorized } from "../../services/Errors.ts"
import type { FailureBucket } from "../../services/LoginFailures.ts"
import { StorageFailure } from "../../structure/errors/StoreErrors.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { FailureLimits } from "./FailureLimits.ts"
import { HashQueue } from "./HashQueue.ts"
import { HASH_COST, MAX_USER_NAME_CHARS } from "./Passwords.ts"

/** Time for which a correct password is not hashed again. */
const SUCCESS_CACHE_MS = 60_000
/** Correct passwords in one generation of the cache. */
const MAX_CACHED_SUCCESSES = 10_000
/**
 * Maximum number of waiting comparisons, which are about ten seconds of work. Also the maximum number of attempts that wait for
 * the outcome of other attempts.
 */
const MAX_WAITING_ATTEMPTS = 256
/** Longer passwords are refused without a comparison. bcrypt reads only 72 bytes. */
const MAX_PASSWORD_CHARS = 1_024

/** Time between two checks whether attempts in other workers have their outcome, ms. */
const OTHER_OUTCOME_MS = 50

/** A password that was correct. */
interface Success {
  readonly user: KnownUser
  /**
   * Until this time (`performance.now()` ms) the password is accepted without a comparison. Later it is compared, but exempt
   * from all limits.
   */
  readonly until: number
}

/** An attempt to authenticate with a password. */
interface Attempt {
  readonly name: string
  readonly password: string
  readonly address: string
  /** The digest of name and password. */
  readonly digest: string
  readonly hasWaited: boolean
}

const asEffect = <A, E>(answer: A | Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.isEffect(answer) ? answer : Effect.succeed(answer)

/** The error of an unknown user and of a wrong password: a client cannot tell them apart. */
export const wrongCredentials = (): Unauthorized => new Unauthorized("Username and/or password are incorrect")

/**
 * Salt and digest of a hash that matches no password. Both end in zero bits, as bcrypt requires. The passwords of unknown users
 * are compared with it, so that such an attempt takes as long as one of an existing user.
 */
export const unmatchableHash = "O".repeat(53)

/** Failures to log. `name` is null if no user has the name, because people sometimes type their password into that field. */
export interface AuthenticationEvents {
  readonly failed: (name: string | null, address: string, reason: string) => void
  readonly unavailable: (error: CredentialsFailed) => void
}

/** The options of password checks. */
export interface PasswordCheckOptions {
  /** Wrong passwords of one address in a minute; 0 = no limit. */
  readonly maxFailures: number
  /** Wrong passwords of one user in a minute; 0 = no limit. */
  readonly maxUserFailures: number
  /** The hash of any user. Comparisons for unknown names have its cost. Undefined if there are no users. */
  readonly likeHash: string | undefined
  readonly events: AuthenticationEvents
  /** A new queue when absent. */
  readonly hashes?: HashQueue
  /** The clock, ms. */
  readonly now?: () => number
  /** The buckets of failed attempts that the workers of a server share; absent in a server of one process. */
  readonly sharedFailures?: ((key: string) => FailureBucket) | undefined
}

/** Checks passwords of users. Wrong passwords are limited, and correct ones are cached. */
export class PasswordChecks {
  readonly #store: CredentialStore
  readonly #events: AuthenticationEvents
  readonly #limits: FailureLimits
  /** Other workers of the server may have the attempts whose outcome this one waits for. */
  readonly #isShared: boolean
  readonly #hashes: HashQueue
  readonly #now: () => number
  readonly #successes = new BoundedMap<string, Success>(MAX_CACHED_SUCCESSES)
  /** Running comparisons. Equal attempts share one, so a client that opens many connections at once causes one comparison. */
  readonly #underWay = new Map<string, Promise<KnownUser | null>>()
  /** Resume the attempts that wait for the outcome of others. Called at the next outcome. */
  #onOutcome: Array<() => void> = []
  /** Key of the cached digests. Each process has its own random key. */
  readonly #key = randomBytes(32)
  /** Prefix of the users' hashes: version and cost. Hashes from other servers may have a lower cost than those of this server. */
  #cost = `$2a$${HASH_COST}$`

  constructor(
    store: CredentialStore,
    {
      events,
      hashes,
      likeHash,
      maxFailures,
      maxUserFailures,
      now = () => performance.now(),
      sharedFailures
    }: PasswordCheckOptions
  ) {
    this.#store = store
    this.#limits = new FailureLimits({ perAddress: maxFailures, perUser: maxUserFailures }, now, sharedFailures)
    this.#isShared = sharedFailures !== undefined
    this.#events = events
    this.#hashes = hashes ?? new HashQueue()
    this.#now = now
    if (likeHash !== undefined) this.#learnCost(likeHash)
  }

  #learnCost(hash: string): void {
    this.#cost = /^\$2[abxy]\$\d\d\$/.exec(hash)?.[0] ?? this.#cost
  }

  /** Returns the user at once when the password was correct within the last minute, otherwise an Effect. */
  check(name: string, password: string, address: string): KnownUser | Effect.Effect<KnownUser, AuthenticationFailure> {
    const isPossible = name.length <= MAX_USER_NAME_CHARS && password.length <= MAX_PASSWORD_CHARS
    // Failures are counted by name, so a long name is truncated. The empty password matches no user.
    const known = isPossible ? { name, password } : { name: name.slice(0, MAX_USER_NAME_CHARS), password: "" }
    return this.#check({ ...known, address, digest: this.#digest(known.name, known.password), hasWaited: false })
  }

  #check(attempt: Attempt): KnownUser | Effect.Effect<KnownUser, AuthenticationFailure> {
    const record = lookUp(this.#store, attempt.name, this.#events)
    return Effect.isEffect(record)
      ? Effect.flatMap(record, (found) => asEffect(this.#compare(attempt, found)))
      : this.#compare(attempt, record)
  }

  #digest(name: string, password: string): string {
    return createHmac("sha256", this.#key).update(`${name.length}:${name}${password}`).digest("base64")
  }

  #compare(attempt: Attempt, record: UserRecord | null): KnownUser | Effect.Effect<KnownUser, AuthenticationFailure> {
    const success = this.#successes.get(attempt.digest)
    const wasRight = success !== undefined && record !== null && success.user.record.hash === record.hash
    if (wasRight && success.until > this.#now()) return success.user
    return Effect.suspend(() => this.#admit(attempt, record, wasRight))
  }

  #admit(
    attempt: Attempt,
    record: UserRecord | null,
    wasRight: boolean
  ): Effect.Effect<KnownUser, AuthenticationFailure> {
    const { address, digest, hasWaited, name } = attempt
    const question = `${digest} ${record?.hash}`
    const underWay = this.#underWay.get(question)
    if (underWay !== undefined) return outcome(underWay)
    // Guesses of strangers must not block a password that was correct before.
    if (!hasWaited && !wasRight && this.#hashes.waiting >= MAX_WAITING_ATTEMPTS) return Effect.fail(tooManyAtOnce())
    const wait = wasRight ? 0 : this.#limits.take(address, name)
    if (wait === "pending") {
      // The running comparisons have all tokens of the limit. A correct password returns its token.
      if (!hasWaited && this.#onOutcome.length >= MAX_WAITING_ATTEMPTS) return Effect.fail(tooManyAtOnce())
      const next = new Promise<void>((resolve) => {
        this.#onOutcome.push(resolve)
        if (this.#isShared) setTimeout(() => this.#resume(resolve), OTHER_OUTCOME_MS)
      })
      return Effect.zipRight(
        Effect.promise(() => next),
        Effect.suspend(() => asEffect(this.#check({ ...attempt, hasWaited: true })))
      )
    }
    if (wait > 0) return Effect.fail(tooManyFailures(wait))
    const ended = (isWrong: boolean): void => {
      this.#underWay.delete(question)
      if (!wasRight) this.#limits.end(address, name, isWrong)
      const waiting = this.#onOutcome
      this.#onOutcome = []
      for (const resume of waiting) resume()
    }
    const comparison = this.#hash(attempt, record, wasRight).then(
      (user) => {
        if (user === null) this.#events.failed(record === null ? null : name, address, "wrong password or unknown user")
        ended(user === null)
        return user
      },
      (error) => {
        // An error of the comparison does not count as a wrong password.
        ended(false)
        throw error
      }
    )
    this.#underWay.set(question, comparison)
    return outcome(comparison)
  }

  /** An outcome of another worker may let a waiting attempt go on. */
  #resume(waiting: () => void): void {
    this.#onOutcome = this.#onOutcome.filter((other) => other !== waiting)
    waiting()
  }

  async #hash(
    { digest, name, password }: Attempt,
    record: UserRecord | null,
    wasRight: boolean
  ): Promise<KnownUser | null> {
    if (record !== null) this.#learnCost(record.hash)
    const possible = !password.includes("\0") && password !== ""
    const matches = await this.#hashes.matches(
      possible ? password : "-",
      record?.hash ?? this.#cost + unmatchableHash,
      wasRight
    )
    if (!matches || !possible || record === null) return null
    const user: KnownUser = { name, record }
    this.#successes.set(digest, { user, until: this.#now() + SUCCESS_CACHE_MS })
    return user
  }
}

const outcome = (comparison: Promise<KnownUser | null>): Effect.Effect<KnownUser, Unauthorized> =>
  Effect.flatMap(
    Effect.promise(() => comparison),
    (user) => (user === null ? Effect.fail(wrongCredentials()) : Effect.succeed(user))
  )

/** Reads a user. If the storage fails, the reason is logged but not sent to the client. */
export const lookUp = (
  store: CredentialStore,
  name: string,
  events: AuthenticationEvents
): UserRecord | null | Effect.Effect<UserRecord | null, StorageFailure> => {
  const found = store.find(name)
  if (!Effect.isEffect(found)) return found
  return Effect.mapError(found, (error) => {
    events.unavailable(error)
    return new StorageFailure(
      "The users cannot be looked up at the moment; the server's log has the reason. Try again later."
    )
  })
}

const tooManyAtOnce = (): TooManyRequests =>
  new TooManyRequests("Too many clients authenticate at the same time. Try again in a few seconds.")

const tooManyFailures = (wait: number): UncheckedCredentials =>
  new UncheckedCredentials(
    `Too many attempts to authenticate have failed for this user or from this address. Try again in ${Math.ceil(wait / 1000)} ` +
      "seconds."
  )
