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
import { GremlinMap } from "../../structure/Collections.ts"
import type { GraphFault, GraphStore } from "../../structure/GraphStore.ts"
import { TransactionConflict } from "../../structure/StoreErrors.ts"
import { BoundedMap } from "./BoundedMap.ts"
import { OwnTraversals, type Variables } from "./OwnTraversals.ts"
import { hashPassword, nameProblem } from "./Passwords.ts"

/** Time that a user is known for without another look into the graph, which other processes may change, ms. */
const FRESH = 1_000
/** Users that are known at once. */
const KNOWN = 10_000
/** Times a change is tried again after a conflict. */
const RETRIES = 5

/**
 * Label and keys are those of Gremlin Server's and JanusGraph's credentials graphs; the roles are ours, and so are the
 * vertices that remember whom the settings asked for.
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

const ROLE = "role"

interface Entry {
  record: UserRecord | null
  /** `performance.now()` ms. */
  at: number
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

/** Users as vertices with the label `user`, in a graph of their own. */
export class CredentialsGraph implements CredentialStore {
  readonly #traversals: OwnTraversals
  readonly #entries = new BoundedMap<string, Entry>(KNOWN)
  readonly #refreshing = new Set<string>()
  readonly #store: GraphStore
  readonly #report: (error: CredentialsFailed) => void
  readonly list: Effect.Effect<ReadonlyArray<UserRecord>, CredentialsFailed>

  /** @param report is told why a user could not be looked up again whom a request goes on with meanwhile */
  constructor(store: GraphStore, report: (error: CredentialsFailed) => void = () => {}) {
    this.#store = store
    this.#report = report
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
    if (entry !== undefined && performance.now() - entry.at < FRESH) return entry.record
    return this.#look(name)
  }

  #look(name: string): UserRecord | null | Effect.Effect<UserRecord | null, CredentialsFailed> {
    try {
      const found = this.#traversals.run(texts.find, { username: name })
      if (!Effect.isEffect(found)) return this.#remember(name, found)
      return Effect.mapError(
        Effect.map(found, (later) => this.#remember(name, later)),
        failed
      )
    } catch (error) {
      return Effect.fail(failed(error as Error))
    }
  }

  /** Names that no user has are not remembered: there is no end of them. */
  #remember(name: string, found: ReadonlyArray<unknown>): UserRecord | null {
    const record = recordOf(found[0])
    if (record === null && !this.#entries.has(name)) return null
    this.#entries.set(name, { record, at: performance.now() })
    return record
  }

  current({ name, record }: KnownUser): UserRecord | null {
    const entry = this.#entries.get(name)
    if (entry !== undefined && performance.now() - entry.at < FRESH) return entry.record
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

  /** Another server that starts at the same time may have been faster. */
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

  /** What is known of the user is as new as the change when it is done. */
  #change(name: string, gremlin: string, variables: Variables): Effect.Effect<void, CredentialsFailed> {
    return this.#traversals
      .effect(gremlin, { ...variables, username: name })
      .pipe(
        Effect.retry({ times: RETRIES, while: (error) => error instanceof TransactionConflict }),
        Effect.mapError(failed),
        Effect.zipRight(this.#fresh(name)),
        Effect.asVoid
      )
  }
}
