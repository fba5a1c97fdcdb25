import type { ConfigProblem } from "../../services/Config.ts"
import type { Origin } from "../../services/GraphSettings.ts"
import { originAt, type Path, pathKey, type Sourced } from "./Tree.ts"

/** A note for the operator. It does not stop the start. */
export interface Note {
  readonly level: "info" | "warn"
  readonly text: string
}

/** Collects the problems and notes of a configuration. */
export interface Report {
  readonly problems: Array<ConfigProblem>
  readonly notes: Array<Note>
  /** Adds a problem of a setting with the origin of the setting. */
  readonly fail: (path: Path, reason: string) => undefined
  /** Adds a warning about a setting with the place of the setting. It does not stop the start. */
  readonly warn: (path: Path, reason: string) => undefined
}

/** The origin of a value, for messages. */
export const sourceOf = (origin: Origin | undefined, file: string): Pick<ConfigProblem, "source" | "line"> => {
  if (origin?.kind === "file") return { source: origin.file, line: origin.line }
  if (origin?.kind === "environment") return { source: `environment variable ${origin.variable}`, line: undefined }
  if (origin?.kind === "argument") return { source: `argument ${origin.argument}`, line: undefined }
  return { source: file, line: undefined }
}

/**
 * Reports a missing setting without which others of its block have no effect: what they protect would stay open. `given` are the names of
 * these others, of which the first is named.
 */
export const failIfMissing = (
  { fail }: Pick<Report, "fail">,
  path: Path,
  [given]: ReadonlyArray<string>,
  remedy: string
): void => {
  if (given !== undefined) fail(path, `is missing, and ${given} has no effect without it; ${remedy}`)
}

/** Creates the report of a file. */
export const makeReport = (file: string, sourced: Sourced): Report => {
  const problems: Array<ConfigProblem> = []
  const notes: Array<Note> = []
  return {
    problems,
    notes,
    warn: (path, reason) => {
      const { line, source } = sourceOf(originAt(sourced.origins, path), file)
      notes.push({
        level: "warn",
        text: `${source}${line === undefined ? "" : `:${line}`}: ${pathKey(path)}: ${reason}`
      })
    },
    fail: (path, reason) => {
      problems.push({ ...sourceOf(originAt(sourced.origins, path), file), setting: pathKey(path), reason })
    }
  }
}
