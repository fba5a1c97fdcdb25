import * as Effect from "effect/Effect"
import {
  type CredentialStore,
  CredentialsFailed,
  type KnownUser,
  type Role,
  type RoleChange,
  roles,
  type UserRecord
} from "../../services/Credentials.ts"
import type { SharedVersion } from "../../services/UsersVersion.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import { TransactionConflict } from "../../structure/errors/StoreErrors.ts"
import type { GraphFault, GraphStore } from "../../structure/graph/GraphStore.ts"
import { OwnTraversals, type Variables } from "../graphs/OwnTraversals.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { hashPassword, nameProblem } from "./Passwords.ts"

/** Age of a cached user. Older ones are read again, because other processes may change the graph. */
const MAX_CACHE_AGE_MS = 1_000
/** Users in one generation of the cache. */
const MAX_CACHED_USERS = 10_000
/** How often a change is repeated after a conflict. */
const MAX_CONFLICT_RETRIES = 5

/**
 * Labels and keys are those of the credentials graphs of Gremlin Server and JanusGraph. The roles, and the vertices with the
 * label `defaultUser`, exist only here.
 */
const user = "g.V().hasLabel('user').has('username', username)"
const texts = {
  find: `${user}.elementMap()`,
  list: "g.V().hasLabel('user').has('username').elementMap()",
  add: `g.addV('user').property('username', username).property('password', hash)`,
  setPassword: `${user}.property(single, 'password', hash)`,
  setRole: `${user}.property(single, roleKey, role)`,
  dropRole: `${user}.properties(roleKey).drop()`,
  remove: `${user}.drop()`,
  wasDefault: "g.V().hasLabel('defaultUser').has('defaultUsername', username).limit(1)",
  rememberDefault: "g.addV('defaultUser').property('defaultUsername', username)"
}

/** Property key of a role; `role.<graph>` is that of a role on one graph. */
const ROLE = "role"

/** A cached user; null when it was removed. */
interface Entry {
  record: UserRecord | null
  /** When the user was read, `performance.now()` ms. */
  at: number
  /** The version of the users before the user was read. */
  version: number
}

const isRole = (value: unknown): value is Role => roles.includes(value as Role)

const recordOf = (value: unknown): UserRecord | null => {
  if (!(value instanceof GremlinMap)) return null
  const name = value.get("username")
  const hash = value.get("password")
  if (typeof name !== "string" || typeof hash !== "string") return null
  const graphRoles = new Map<string, Role>()
  value.forEach((role, key) => {
    if (typeof key === "string" && key.startsWith(`${ROLE}.`) && isRole(role)) {
      graphRoles.set(key.slice(ROLE.length + 1), role)
    }
  })
  const role = value.get(ROLE)
  return { name, hash, role: isRole(role) ? role : undefined, graphRoles }
}

const failed = (error: Error): CredentialsFailed =>
  error instanceof CredentialsFailed
    ? error
    : new CredentialsFailed({ reason: `The credentials graph could not be used: ${error.message}`, cause: error })

/** The users as vertices with the label `user`, in a separate graph. */
export class CredentialsGraph implements CredentialStore {
  readonly #traversals: OwnTraversals
  readonly #entries = new BoundedMap<string, Entry>(MAX_CACHED_USERS)
  readonly #refreshing = new Set<string>()
  readonly #store: GraphStore
  readonly #report: (error: CredentialsFailed) => void
  readonly #version: SharedVersion
  readonly list: Effect.Effect<ReadonlyArray<UserRecord>, CredentialsFailed>

  /**
   * @param report called with the error when a user cannot be read again; its requests continue with the cached user
   * @param version counts the changes that the workers of a server make. The default is that of a server in one process, whose
   *   changes are in its own cache
   */
  constructor(
    store: GraphStore,
    report: (error: CredentialsFailed) => void = () => {},
    version: SharedVersion = { current: () => 0, changed: () => {} }
  ) {
    this.#store = store
    this.#report = report
    this.#version = version
    this.#traversals = new OwnTraversals(store)
    this.list = Effect.map(this.#traversals.effect(texts.list), (found) =>
      found.map(recordOf).filter((record) => record !== null)
    ).pipe(
      Effect.map((records) => records.sort((a, b) => (a.name < b.name ? -1 : 1))),
      Effect.mapError(failed)
    )
  }

  get fault(): GraphFault | undefined {
    return this.#store.fault
  }

  find(name: string): UserRecord | null | Effect.Effect<UserRecord | null, CredentialsFailed> {
    const entry = this.#entries.get(name)
    if (entry !== undefined && this.#isFresh(entry)) return entry.record
    return this.#look(name)
  }

  #isFresh({ at, version }: Entry): boolean {
    return performance.now() - at < MAX_CACHE_AGE_MS && version === this.#version.current()
  }

  #look(name: string): UserRecord | null | Effect.Effect<UserRecord | null, CredentialsFailed> {
    // Before the read: a change during the read makes the entry outdated.
    const version = this.#version.current()
    try {
      const found = this.#traversals.run(texts.find, { username: name })
      if (!Effect.isEffect(found)) return this.#remember(name, found, version)
      return Effect.mapError(
        Effect.map(found, (later) => this.#remember(name, later, version)),
        failed
      )
    } catch (error) {
      return Effect.fail(failed(error as Error))
    }
  }

  /** Caches a user. Unknown names are not cached: clients can make up any number of them. */
  #remember(name: string, found: ReadonlyArray<unknown>, version: number): UserRecord | null {
    const record = recordOf(found[0])
    if (record === null && !this.#entries.has(name)) return null
    this.#entries.set(name, { record, at: performance.now(), version })
    return record
  }

  current({ name, record }: KnownUser): UserRecord | null {
    const entry = this.#entries.get(name)
    if (entry !== undefined && this.#isFresh(entry)) return entry.record
    if (this.#refreshing.has(name)) return entry === undefined ? record : entry.record
    const found = this.#look(name)
    if (!Effect.isEffect(found)) return found
    this.#refreshing.add(name)
    Effect.runFork(
      Effect.ensuring(
        Effect.catchAll(found, (error) => Effect.sync(() => this.#report(error))),
        Effect.sync(() => this.#refreshing.delete(name))
      )
    )
    return entry === undefined ? record : entry.record
  }

  // ---- changes

  add(name: string, password: string, role: Role | undefined): Effect.Effect<void, CredentialsFailed> {
    return Effect.gen(this, function* () {
      const reason = nameProblem(name)
      if (reason !== undefined) return yield* new CredentialsFailed({ reason })
      const hash = yield* hashPassword(password)
      if ((yield* this.#fresh(name)) !== null) {
        return yield* new CredentialsFailed({ reason: `There is a user '${name}' already.` })
      }
      const withRole = role === undefined ? texts.add : `${texts.add}.property('${ROLE}', role)`
      yield* this.#change(name, withRole, { hash, role })
    })
  }

  addDefault(name: string, password: string): Effect.Effect<boolean, CredentialsFailed> {
    return Effect.gen(this, function* () {
      const before = yield* Effect.mapError(this.#traversals.effect(texts.wasDefault, { username: name }), failed)
      if (before.length > 0) return false
      const isNew = (yield* this.#fresh(name)) === null
      if (isNew) yield* Effect.catchAll(this.add(name, password, "admin"), (error) => this.#unlessKnown(name, error))
      yield* this.#change(name, texts.rememberDefault, {})
      return isNew
    })
  }

  /** Ignores the error when another server, which starts at the same time, has added the user. */
  #unlessKnown(name: string, error: CredentialsFailed): Effect.Effect<void, CredentialsFailed> {
    return Effect.flatMap(this.#fresh(name), (record) => (record === null ? Effect.fail(error) : Effect.void))
  }

  setPassword(name: string, password: string): Effect.Effect<void, CredentialsFailed> {
    return Effect.gen(this, function* () {
      const hash = yield* hashPassword(password)
      yield* this.#existing(name)
      yield* this.#change(name, texts.setPassword, { hash })
    })
  }

  setRole(name: string, { graph, role }: RoleChange): Effect.Effect<void, CredentialsFailed> {
    const roleKey = graph === undefined ? ROLE : `${ROLE}.${graph}`
    return Effect.zipRight(
      this.#existing(name),
      role === undefined
        ? this.#change(name, texts.dropRole, { roleKey })
        : this.#change(name, texts.setRole, { roleKey, role })
    )
  }

  remove(name: string): Effect.Effect<void, CredentialsFailed> {
    return Effect.zipRight(this.#existing(name), this.#change(name, texts.remove, {}))
  }

  #fresh(name: string): Effect.Effect<UserRecord | null, CredentialsFailed> {
    return Effect.suspend(() => {
      const found = this.#look(name)
      return Effect.isEffect(found) ? found : Effect.succeed(found)
    })
  }

  #existing(name: string): Effect.Effect<void, CredentialsFailed> {
    return Effect.flatMap(this.#fresh(name), (record) =>
      record === null ? Effect.fail(new CredentialsFailed({ reason: `There is no user '${name}'.` })) : Effect.void
    )
  }

  /** Changes a user, and reads it again, so that the caches of this process and of other workers are current afterwards. */
  #change(name: string, gremlin: string, variables: Variables): Effect.Effect<void, CredentialsFailed> {
    return this.#traversals.effect(gremlin, { ...variables, username: name }).pipe(
      Effect.retry({ times: MAX_CONFLICT_RETRIES, while: (error) => error instanceof TransactionConflict }),
      Effect.mapError(failed),
      // Also after an error: a commit whose outcome is unknown may have been applied.
      Effect.ensuring(Effect.sync(() => this.#version.changed())),
      Effect.zipRight(this.#fresh(name)),
      Effect.asVoid
    )
  }
}
