import { createHmac, randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import type { AuthenticationFailure } from "../../services/Authenticator.ts"
import type { CredentialStore, CredentialsFailed, KnownUser, UserRecord } from "../../services/Credentials.ts"
import { TooManyRequests, Unauthorized } from "../../services/Errors.ts"
import { StorageFailure } from "../../structure/StoreErrors.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { FailureLimits } from "./FailureLimits.ts"
import { HashQueue } from "./HashQueue.ts"
import { HASH_COST, LONGEST_NAME } from "./Passwords.ts"

/** Time that a right password is not hashed again, ms. */
const REMEMBERED = 60_000
/** Right passwords that are known at once. */
const KNOWN = 10_000
/** Comparisons that wait, some ten seconds of work, and as many attempts that wait for others of their address or user. */
const WAITING = 256
/** Longest password that is looked at, in characters: bcrypt reads 72 bytes. */
const LONGEST = 1_024

/** A password that was right. */
interface Success {
  readonly user: KnownUser
  /** Until then it is right without a hash, `performance.now()` ms; later it needs one, but no limit holds it up. */
  readonly until: number
}

/** A password that somebody sent. */
interface Attempt {
  readonly name: string
  readonly password: string
  readonly address: string
  /** Of name and password. */
  readonly digest: string
  readonly hasWaited: boolean
}

const asEffect = <A, E>(answer: A | Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.isEffect(answer) ? answer : Effect.succeed(answer)

/** What a client is told, the same for an unknown user and a wrong password. */
export const wrongCredentials = (): Unauthorized => new Unauthorized("Username and/or password are incorrect")

/**
 * Salt and rest of a hash that no password has (O ends both in zero bits, as they must). For a name that no user has, a comparison with it
 * takes the time of one with a real hash.
 */
export const nobody = "O".repeat(53)

/** What to tell about attempts to authenticate. `name` is null where no user has it: people type passwords there. */
export interface AuthenticationEvents {
  readonly failed: (name: string | null, address: string, reason: string) => void
  readonly unavailable: (error: CredentialsFailed) => void
}

/** What passwords are checked by. */
export interface PasswordCheckOptions {
  /** Passwords that may be wrong in a minute, of one address; 0 = no limit. */
  readonly maxFailures: number
  /** The hash of some user, whose cost an unknown name is to have too; undefined when there is none. */
  readonly likeHash: string | undefined
  readonly events: AuthenticationEvents
  /** Of its own when absent. */
  readonly hashes?: HashQueue
  /** The clock, ms. */
  readonly now?: () => number
}

/** Finds out whether a password is that of a user. Wrong ones cost the one who sends them, and right ones little. */
export class PasswordChecks {
  readonly #store: CredentialStore
  readonly #events: AuthenticationEvents
  readonly #limits: FailureLimits
  readonly #hashes: HashQueue
  readonly #now: () => number
  readonly #successes = new BoundedMap<string, Success>(KNOWN)
  /** Comparisons under way: a pool of connections that opens at once hashes once. */
  readonly #underWay = new Map<string, Promise<KnownUser | null>>()
  /** Called with the next outcome: attempts that wait for others to be none that failed. */
  #onOutcome: Array<() => void> = []
  /** Of this process only: what is kept in memory is of no use elsewhere. */
  readonly #key = randomBytes(32)
  /** Cost of the hashes that users have here: those of other servers are cheaper than ours. */
  #cost = `$2a$${HASH_COST}$`

  constructor(
    store: CredentialStore,
    { events, hashes, likeHash, maxFailures, now = () => performance.now() }: PasswordCheckOptions
  ) {
    this.#store = store
    this.#limits = new FailureLimits(maxFailures, now)
    this.#events = events
    this.#hashes = hashes ?? new HashQueue()
    this.#now = now
    if (likeHash !== undefined) this.#learnCost(likeHash)
  }

  #learnCost(hash: string): void {
    this.#cost = /^\$2[abxy]\$\d\d\$/.exec(hash)?.[0] ?? this.#cost
  }

  /** At once for a password that was right a moment ago; otherwise by an Effect. */
  check(name: string, password: string, address: string): KnownUser | Effect.Effect<KnownUser, AuthenticationFailure> {
    const isPossible = name.length <= LONGEST_NAME && password.length <= LONGEST
    // What nobody has is cut: names are remembered for their failures. The empty password is nobody's.
    const known = isPossible ? { name, password } : { name: name.slice(0, LONGEST_NAME), password: "" }
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
    // A password that was right before is one of few, and strangers' guesses must not keep it out.
    if (!hasWaited && !wasRight && this.#hashes.waiting >= WAITING) return Effect.fail(tooManyAtOnce())
    const wait = wasRight ? 0 : this.#limits.take(address, name)
    if (wait === "pending") {
      // As many as may fail are being compared; those that are right make room again. They take no place of others.
      if (!hasWaited && this.#onOutcome.length >= WAITING) return Effect.fail(tooManyAtOnce())
      const next = new Promise<void>((resolve) => this.#onOutcome.push(resolve))
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
        // It could not be compared, which is nobody's failure but the server's.
        ended(false)
        throw error
      }
    )
    this.#underWay.set(question, comparison)
    return outcome(comparison)
  }

  async #hash(
    { digest, name, password }: Attempt,
    record: UserRecord | null,
    wasRight: boolean
  ): Promise<KnownUser | null> {
    if (record !== null) this.#learnCost(record.hash)
    const possible = !password.includes("\0") && password !== ""
    const matches = await this.#hashes.matches(possible ? password : "-", record?.hash ?? this.#cost + nobody, wasRight)
    if (!matches || !possible || record === null) return null
    const user: KnownUser = { name, record }
    this.#successes.set(digest, { user, until: this.#now() + REMEMBERED })
    return user
  }
}

const outcome = (comparison: Promise<KnownUser | null>): Effect.Effect<KnownUser, Unauthorized> =>
  Effect.flatMap(
    Effect.promise(() => comparison),
    (user) => (user === null ? Effect.fail(wrongCredentials()) : Effect.succeed(user))
  )

/** Looks a user up. The client is not told what is wrong with the storage of the users; the log has it. */
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

const tooManyFailures = (wait: number): Unauthorized =>
  new Unauthorized(
    `Too many attempts to authenticate have failed for this user or from this address. Try again in ${Math.ceil(wait / 1000)} ` +
      "seconds."
  )
