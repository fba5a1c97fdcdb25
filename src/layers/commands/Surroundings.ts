import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ServerSettings } from "../../services/Config.ts"
import type { Note } from "../config/Report.ts"
import type { WorkerRole } from "./WorkerRole.ts"

/** An error that stops the start of the server. Its message is for the operator. */
export interface StartFailure {
  readonly _tag: string
  readonly message: string
}

/** The reports of a server about its start. */
export interface Announcement {
  /** The first lines that the command `status` prints. */
  readonly status: string
  /** Runs when the server accepts requests, before its control socket is created. */
  readonly ready: Effect.Effect<void>
  /** The notes about the configuration that this process has read. They are in the log of a server that this process started. */
  readonly notes: ReadonlyArray<Note>
}

/** Runs the server until its scope closes. */
export type Serve = (
  settings: ServerSettings,
  announcement: Announcement
) => Effect.Effect<never, StartFailure, Scope.Scope>

/** The role of this process: the whole server, the primary process of several workers, or one of the workers. */
export type ProcessRole = "alone" | { readonly workers: number } | WorkerRole

/** The environment of the program. Tests replace it. */
export interface Surroundings {
  readonly arguments: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly print: (text: string) => void
  /** Loads the server. Runs only when the server starts, so that other commands do not wait for it. */
  readonly serve: (role: ProcessRole) => Promise<Serve>
  /** Asks for a password, or reads it from standard input. */
  readonly password: () => Promise<string>
}
