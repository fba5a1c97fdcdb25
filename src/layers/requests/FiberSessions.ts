import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { User } from "../../services/Authenticator.ts"
import { Config } from "../../services/Config.ts"
import { SessionNotBound, TooManySessions, TransactionLost } from "../../services/Errors.ts"
import { MemoryBudget } from "../../services/MemoryBudget.ts"
import { Metrics } from "../../services/Metrics.ts"
import { RequestPool } from "../../services/RequestPool.ts"
import { type LossAnswer, type SessionOwner, Sessions } from "../../services/Sessions.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { SharedState } from "../../services/SharedState.ts"
import type { SharedSessions } from "../../services/TakenNames.ts"
import type { TransactionRecord, TransactionRecords } from "../../services/TransactionRecords.ts"
import { FiberSession, type SessionContext } from "./FiberSession.ts"
import { lostTransactions } from "./LostTransactions.ts"
import { poolFull } from "./PoolFull.ts"
import { forkOver } from "./RequestFibers.ts"

/** Maximum number of ended sessions of one connection. For each, the reason is kept until the client uses its name again. */
const MAX_REMEMBERED_ENDS = 16

/** The sessions of a connection. */
interface Owned {
  readonly open: Set<FiberSession>
  /** Errors for the client, by the names of the sessions that the server ended. */
  readonly ended: Map<string, Error>
}

/** All open sessions, by name and by connection. */
class SessionRegistry {
  readonly #context: SessionContext
  readonly #limits: Pick<ServerSettings, "maxSessions" | "maxSessionsPerConnection">
  readonly #sessions = new Map<string, FiberSession>()
  readonly #owners = new Map<SessionOwner, Owned>()
  /** The sessions of all workers of the server; undefined in a server of one process. */
  readonly #shared: SharedSessions | undefined
  readonly #transactions: TransactionRecords

  constructor(
    context: Omit<SessionContext, "ended">,
    limits: Pick<ServerSettings, "maxSessions" | "maxSessionsPerConnection">,
    bounds: Pick<typeof SharedState.Service, "sessions" | "transactions"> | undefined
  ) {
    this.#limits = {
      maxSessions: boundOf(limits.maxSessions),
      maxSessionsPerConnection: boundOf(limits.maxSessionsPerConnection)
    }
    this.#shared = bounds?.sessions
    this.#transactions = bounds?.transactions ?? lostTransactions()
    this.#context = { ...context, ended: (session, reason) => this.#ended(session, reason) }
  }

  get size(): number {
    return this.#sessions.size
  }

  find(id: string, owner: SessionOwner, user: User): FiberSession | undefined {
    const session = this.#sessions.get(id)
    if (session === undefined) {
      if (this.#shared?.isElsewhere(id) === true) throw notBound(id)
      return undefined
    }
    if (session.owner === owner && session.user.name === user.name) return session
    throw notBound(id)
  }

  open(id: string, owner: SessionOwner, user: User, answer: LossAnswer): FiberSession {
    const known = this.find(id, owner, user)
    if (known !== undefined) return known
    const owned = this.#ownedBy(owner)
    const record = this.#transactions(user.name, id)
    const reason = this.#reason(id, owned, record, answer)
    if (reason !== undefined) throw reason
    this.#assertRoom(owned)
    if (this.#shared !== undefined) this.#takeName(id, this.#shared)
    const session = new FiberSession({ id, owner, user }, record, this.#context)
    this.#sessions.set(id, session)
    owned.open.add(session)
    return session
  }

  /** The client closes a session that has ended already. */
  forget(id: string, owner: SessionOwner, user: User): void {
    const owned = this.#owners.get(owner)
    owned?.ended.delete(id)
    this.#transactions(user.name, id).takeLoss()
  }

  /** Why a new session must not open: what the client of the last session of this name does not know. */
  #reason(id: string, owned: Owned, record: TransactionRecord, answer: LossAnswer): Error | undefined {
    const reason = owned.ended.get(id)
    if (reason !== undefined) owned.ended.delete(id)
    const known = record.loss()
    const loss = answer === "refuse" && known !== "state" ? known : record.takeLoss()
    if (answer === "succeed") return undefined
    return reason ?? (loss === undefined ? undefined : new TransactionLost(id, loss))
  }

  /** Throws TooManySessions. */
  #assertRoom(owned: Owned): void {
    const { maxSessions, maxSessionsPerConnection } = this.#limits
    if (this.#sessions.size >= maxSessions) throw tooManySessions(maxSessions)
    if (owned.open.size >= maxSessionsPerConnection) {
      throw new TooManySessions(
        `This connection has ${maxSessionsPerConnection} sessions open, which is the server's ` +
          "maxSessionsPerConnection. Close one first."
      )
    }
  }

  /** Takes a name and a place among the sessions of all workers. Throws SessionNotBound and TooManySessions. */
  #takeName(id: string, shared: SharedSessions): void {
    const { maxSessions } = this.#limits
    switch (shared.open(id, maxSessions)) {
      case "full":
        throw tooManySessions(maxSessions)
      case "crowded":
        throw new TooManySessions(
          "The workers of the server have no room for the names of further sessions and requests. Close a session, or try again later."
        )
      case "elsewhere":
        throw notBound(id)
    }
  }

  #ownedBy(owner: SessionOwner): Owned {
    let owned = this.#owners.get(owner)
    if (owned === undefined) {
      owned = { open: new Set(), ended: new Map() }
      this.#owners.set(owner, owned)
    }
    return owned
  }

  #ended(session: FiberSession, reason: Error | null): void {
    this.#sessions.delete(session.id)
    this.#shared?.close(session.id)
    const owned = this.#owners.get(session.owner)
    owned?.open.delete(session)
    if (owned === undefined || reason === null) return
    if (owned.ended.size >= MAX_REMEMBERED_ENDS) {
      for (const oldest of owned.ended.keys()) {
        owned.ended.delete(oldest)
        break
      }
    }
    owned.ended.set(session.id, reason)
  }

  release(owner: SessionOwner): void {
    const owned = this.#owners.get(owner)
    if (owned === undefined) return
    this.#owners.delete(owner)
    for (const session of [...owned.open]) session.end(null)
  }

  inTransaction(owner: SessionOwner): boolean {
    const open = this.#owners.get(owner)?.open ?? []
    return [...open].some((session) => session.inTransaction)
  }

  /** In the order in which they were opened. */
  all(): ReadonlyArray<FiberSession> {
    return [...this.#sessions.values()]
  }
}

/** The setting 0 is no limit. */
const boundOf = (limit: number): number => (limit === 0 ? Number.POSITIVE_INFINITY : limit)

/** @param maxSessions infinite when the memory that worker processes share has no room for another session */
const tooManySessions = (maxSessions: number): TooManySessions => {
  const reason = Number.isFinite(maxSessions)
    ? `The server has ${maxSessions} sessions open, which is its maxSessions`
    : "The workers of the server have as many sessions open as they can share"
  return new TooManySessions(`${reason}. Close one, or try again later.`)
}

/** Another connection has the session, in this worker of the server or in another one. */
const notBound = (id: string): SessionNotBound =>
  new SessionNotBound(
    `Session ${id} is not bound to the connecting client: another connection or user opened it. A session belongs to ` +
      "the connection that opened it; choose another name."
  )

/** Sessions, each with its own fiber. With UnifiedChannelizer their requests run in the request pool. */
export const layer: Layer.Layer<Sessions, never, Config | MemoryBudget | Metrics | RequestPool> = Layer.scoped(
  Sessions,
  Effect.gen(function* () {
    const settings = yield* Config
    const pool = yield* RequestPool
    const registry = new SessionRegistry(
      {
        settings,
        fork: forkOver(yield* Effect.runtime<never>()),
        memory: yield* MemoryBudget,
        metrics: yield* Metrics,
        pool: settings.channelizer === "UnifiedChannelizer" ? pool : null,
        poolFull: poolFull(settings)
      },
      settings,
      Option.getOrUndefined(yield* Effect.serviceOption(SharedState))
    )
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const session of registry.all()) session.end(null)
      })
    )
    return {
      find: (id, owner, user) => registry.find(id, owner, user),
      open: (id, owner, user, answer) => registry.open(id, owner, user, answer),
      submit: (session, task) => (session as FiberSession).submit(task),
      end: (session) => (session as FiberSession).end(null, true),
      drop: (session) => (session as FiberSession).end(null),
      forget: (id, owner, user) => registry.forget(id, owner, user),
      release: (owner) => registry.release(owner),
      inTransaction: (owner) => registry.inTransaction(owner),
      count: () => registry.size,
      dump: () => registry.all().map((session) => session.status())
    }
  })
)
