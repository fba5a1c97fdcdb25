import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Config } from "../../services/Config.ts"
import { SessionNotBound, TooManySessions } from "../../services/Errors.ts"
import { MemoryBudget } from "../../services/MemoryBudget.ts"
import { Metrics } from "../../services/Metrics.ts"
import { RequestPool } from "../../services/RequestPool.ts"
import { type SessionOwner, Sessions } from "../../services/Sessions.ts"
import { forkOver } from "./FiberRequestPool.ts"
import { FiberSession, type SessionContext } from "./FiberSession.ts"

/** Sessions that ended behind a connection's back and of which it is told; older ones are forgotten. */
const REMEMBERED_ENDS = 16

/** The sessions of a connection. */
interface Owned {
  readonly open: Set<FiberSession>
  /** Name of a session that timed out, and what its client is told. */
  readonly ended: Map<string, Error>
}

/** Sessions with a fiber of their own; with UnifiedChannelizer their requests run in the pool. */
export const layer: Layer.Layer<Sessions, never, Config | MemoryBudget | Metrics | RequestPool> = Layer.scoped(
  Sessions,
  Effect.gen(function* () {
    const settings = yield* Config
    const pool = yield* RequestPool
    const fork = forkOver(yield* Effect.runtime<never>())
    const sessions = new Map<string, FiberSession>()
    const owners = new Map<SessionOwner, Owned>()

    const ownedBy = (owner: SessionOwner): Owned => {
      let owned = owners.get(owner)
      if (owned === undefined) {
        owned = { open: new Set(), ended: new Map() }
        owners.set(owner, owned)
      }
      return owned
    }

    const context: SessionContext = {
      settings,
      fork,
      memory: yield* MemoryBudget,
      metrics: yield* Metrics,
      pool: settings.channelizer === "UnifiedChannelizer" ? pool : null,
      ended: (session, reason) => {
        sessions.delete(session.id)
        const owned = owners.get(session.owner)
        owned?.open.delete(session)
        if (owned === undefined || reason === null) return
        if (owned.ended.size >= REMEMBERED_ENDS) {
          for (const oldest of owned.ended.keys()) {
            owned.ended.delete(oldest)
            break
          }
        }
        owned.ended.set(session.id, reason)
      }
    }

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const session of [...sessions.values()]) session.end(null)
      })
    )

    const find: (typeof Sessions.Service)["find"] = (id, owner, user) => {
      const session = sessions.get(id)
      if (session === undefined) return undefined
      if (session.owner === owner && session.user.name === user.name) return session
      throw new SessionNotBound(
        `Session ${id} is not bound to the connecting client: another connection or user opened it. A session belongs to ` +
          "the connection that opened it; choose another name."
      )
    }

    return {
      find,
      open: (id, owner, user) => {
        const known = find(id, owner, user)
        if (known !== undefined) return known
        const owned = ownedBy(owner)
        const reason = owned.ended.get(id)
        if (reason !== undefined) {
          owned.ended.delete(id)
          throw reason
        }
        if (sessions.size >= settings.maxSessions) {
          throw new TooManySessions(
            `The server has ${settings.maxSessions} sessions open, which is its maxSessions. Close one, or try again later.`
          )
        }
        if (owned.open.size >= settings.maxSessionsPerConnection) {
          throw new TooManySessions(
            `This connection has ${settings.maxSessionsPerConnection} sessions open, which is the server's ` +
              "maxSessionsPerConnection. Close one first."
          )
        }
        const session = new FiberSession(id, owner, user, context)
        sessions.set(id, session)
        owned.open.add(session)
        return session
      },
      submit: (session, task) => (session as FiberSession).submit(task),
      end: (session) => (session as FiberSession).end(null),
      release: (owner) => {
        const owned = owners.get(owner)
        if (owned === undefined) return
        owners.delete(owner)
        for (const session of [...owned.open]) session.end(null)
      },
      count: () => sessions.size,
      dump: () => Array.from(sessions.values(), (session) => session.status())
    }
  })
)
