import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { GraphFault } from "../structure/graph/GraphStore.ts"
import type { User } from "./Authenticator.ts"

/** What a user may do. Each role includes the roles before it. */
export type Role = "reader" | "editor" | "admin"

/** The roles from the lowest to the highest. */
export const roles: ReadonlyArray<Role> = ["reader", "editor", "admin"]

/** A user in the credentials graph. */
export interface UserRecord {
  readonly name: string
  /** The bcrypt hash of the password, in bcrypt's text form. */
  readonly hash: string
  /** The role on graphs that {@link graphRoles} does not name; undefined = the default role of the settings. */
  readonly role: Role | undefined
  /** Roles by the name of the graph. */
  readonly graphRoles: ReadonlyMap<string, Role>
}

/** A user who has authenticated, with the record at that time. */
export interface KnownUser extends User {
  readonly record: UserRecord
}

/** True for a user of the credentials graph. False for a user of another authenticator, which a program provides. */
export const isKnownUser = (user: User): user is KnownUser => "record" in user

/** An operation on users failed. `reason` is for the person who requested it. */
export class CredentialsFailed extends Data.TaggedError("CredentialsFailed")<{
  readonly reason: string
  /** The error of the credentials graph; undefined when the request was wrong. */
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.reason
  }
}

/** A change of a user's role on one graph, or on all graphs without a specific role. */
export interface RoleChange {
  /** Undefined removes the role. */
  readonly role: Role | undefined
  /** Undefined = all graphs. */
  readonly graph: string | undefined
}

/** The users of the credentials graph, and everything that changes them. */
export interface CredentialStore {
  /**
   * The user of this name; null when there is none. An answer without an Effect is cached: it may miss changes that another
   * process made within the last second, but never changes of this process.
   */
  readonly find: (name: string) => UserRecord | null | Effect.Effect<UserRecord | null, CredentialsFailed>
  /** The cached record of a user, which is at most some seconds old. Null if the user was removed. */
  readonly current: (user: KnownUser) => UserRecord | null
  readonly list: Effect.Effect<ReadonlyArray<UserRecord>, CredentialsFailed>
  /**
   * Adds the user of the settings, as an admin, unless this user exists or ever existed: a removed user does not come back
   * with the next start. True when the user was added.
   */
  readonly addDefault: (name: string, password: string) => Effect.Effect<boolean, CredentialsFailed>
  /** Fails when the user exists, or when the name or the password is not allowed. */
  readonly add: (name: string, password: string, role: Role | undefined) => Effect.Effect<void, CredentialsFailed>
  readonly setPassword: (name: string, password: string) => Effect.Effect<void, CredentialsFailed>
  readonly setRole: (name: string, change: RoleChange) => Effect.Effect<void, CredentialsFailed>
  readonly remove: (name: string) => Effect.Effect<void, CredentialsFailed>
  /** Why the credentials graph refuses requests; undefined while it accepts them. */
  readonly fault: GraphFault | undefined
}

/** The credentials graph; null when authentication is off. */
export class Credentials extends Context.Tag("engine-server/Credentials")<Credentials, CredentialStore | null>() {}
