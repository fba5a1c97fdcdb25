import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { GraphFault } from "../structure/GraphStore.ts"
import type { User } from "./Authenticator.ts"

/** What a user may do; each role may do what the ones before it may. */
export type Role = "reader" | "editor" | "admin"

/** The roles, by what they may do. */
export const roles: ReadonlyArray<Role> = ["reader", "editor", "admin"]

/** A user as the credentials graph has it. */
export interface UserRecord {
  readonly name: string
  /** bcrypt, in its own text form. */
  readonly hash: string
  /** On every graph that {@link graphRoles} does not name; undefined: the default role of the settings. */
  readonly role: Role | undefined
  /** Name of a graph and the role on it. */
  readonly graphRoles: ReadonlyMap<string, Role>
}

/** A user that has authenticated: remembers what the credentials graph said at the time. */
export interface KnownUser extends User {
  readonly record: UserRecord
}

/** Whether it was the credentials graph that knew the user, and not an authenticator of a program's own. */
export const isKnownUser = (user: User): user is KnownUser => "record" in user

/** The credentials graph does not do what is asked: a person is told why. */
export class CredentialsFailed extends Data.TaggedError("CredentialsFailed")<{
  readonly reason: string
  /** What the graph of the users failed with; undefined where the request was wrong. */
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.reason
  }
}

/** What can be done with a role: for one graph, or for all that have none of their own. */
export interface RoleChange {
  /** Undefined takes the role away. */
  readonly role: Role | undefined
  /** Undefined: all graphs. */
  readonly graph: string | undefined
}

/** The users of the credentials graph, and everything that changes them. */
export interface CredentialStore {
  /**
   * The user of this name; null when there is none. What is given at once may be as old as a second where another
   * process changed it, and never where this one did.
   */
  readonly find: (name: string) => UserRecord | null | Effect.Effect<UserRecord | null, CredentialsFailed>
  /** What is known of the user without waiting: at most seconds old. Null: it has been removed. */
  readonly current: (user: KnownUser) => UserRecord | null
  readonly list: Effect.Effect<ReadonlyArray<UserRecord>, CredentialsFailed>
  /**
   * Adds the user of the settings, an admin, unless there is one of this name or ever was: who was removed does not come
   * back with the next start. True when it was added.
   */
  readonly addDefault: (name: string, password: string) => Effect.Effect<boolean, CredentialsFailed>
  /** Fails when there is one of this name, or when the password cannot be one. */
  readonly add: (name: string, password: string, role: Role | undefined) => Effect.Effect<void, CredentialsFailed>
  readonly setPassword: (name: string, password: string) => Effect.Effect<void, CredentialsFailed>
  readonly setRole: (name: string, change: RoleChange) => Effect.Effect<void, CredentialsFailed>
  readonly remove: (name: string) => Effect.Effect<void, CredentialsFailed>
  /** Why the graph of the users refuses requests; undefined while it does not. */
  readonly fault: GraphFault | undefined
}

/** The credentials graph, or null where nobody is asked for credentials. */
export class Credentials extends Context.Tag("engine-server/Credentials")<Credentials, CredentialStore | null>() {}
