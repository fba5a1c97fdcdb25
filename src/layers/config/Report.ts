import type { ConfigProblem } from "../../services/Config.ts"
import type { Origin } from "../../services/GraphSettings.ts"
import { originAt, type Path, pathKey, type Sourced } from "./Tree.ts"

/** Something to tell the person who starts the server; it does not keep the server from starting. */
export interface Note {
  readonly level: "info" | "warn"
  readonly text: string
}

/** Gathers everything there is to say about a configuration. */
export interface Report {
  readonly problems: Array<ConfigProblem>
  readonly notes: Array<Note>
  /** Adds a problem of a setting, with the place the setting came from. */
  readonly fail: (path: Path, reason: string) => undefined
}

/** Names the place a value came from, for a problem's first words. */
export const sourceOf = (origin: Origin | undefined, file: string): Pick<ConfigProblem, "source" | "line"> => {
  if (origin?.kind === "file") return { source: origin.file, line: origin.line }
  if (origin?.kind === "environment") return { source: `environment variable ${origin.variable}`, line: undefined }
  if (origin?.kind === "argument") return { source: `argument ${origin.argument}`, line: undefined }
  return { source: file, line: undefined }
}

/** A report on one file's settings. */
export const makeReport = (file: string, sourced: Sourced): Report => {
  const problems: Array<ConfigProblem> = []
  return {
    problems,
    notes: [],
    fail: (path, reason) => {
      problems.push({ ...sourceOf(originAt(sourced.origins, path), file), setting: pathKey(path), reason })
    }
  }
}
