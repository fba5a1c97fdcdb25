import { readFileSync } from "node:fs"
import type { ServerSettings } from "../../services/Config.ts"
import { version } from "../config/OwnPackage.ts"
import type { Note } from "../config/Report.ts"

/** What the primary process uses itself, and so keeps until a restart. */
export interface HeldSettings {
  readonly host: string
  readonly port: number
  /** The version of its program. */
  readonly version: string
  /** Other settings, by their names, as texts to compare. */
  readonly others: Readonly<Record<string, string>>
  /** The JVM options of the launcher's file, which Node.js gets at its start; undefined without the launcher. */
  readonly options?: { readonly file: string; readonly lines: string } | undefined
}

/** The variable with the path of the file of JVM options. */
const OPTIONS_FILE = "JAVA_OPTIONS_FILE"

/** The lines of the file of JVM options that are options. A file that cannot be read has none, as for the launcher. */
const presentOptions = (
  environment: Readonly<Record<string, string | undefined>> = process.env
): HeldSettings["options"] => {
  const file = environment[OPTIONS_FILE]
  if (file === undefined || file === "") return undefined
  let text = ""
  try {
    text = readFileSync(file, "utf8")
  } catch {
    // It has no options.
  }
  const lines = text.split("\n").map((line) => line.trim())
  return { file, lines: lines.filter((line) => line.startsWith("-")).join("\n") }
}

/**
 * The settings of a worker's configuration that the primary process has, which may have changed since the primary process started. A worker
 * of an earlier version reports only the address.
 */
export type ReportedSettings = Pick<HeldSettings, "host" | "port"> & Partial<HeldSettings>

/** What a process would use as the primary process. */
export const heldSettings = (
  settings: Pick<ServerSettings, "controlSocket" | "host" | "logging" | "port" | "scriptLogLength" | "shutdownTimeout">
): HeldSettings => {
  const { controlSocket = "", host, logging, port, scriptLogLength, shutdownTimeout } = settings
  const others = {
    controlSocket,
    "logging.file": logging.file ?? "",
    "logging.format": logging.format,
    "logging.level": logging.level,
    scriptLogLength: String(scriptLogLength),
    shutdownTimeout: String(shutdownTimeout)
  }
  return { host, port, version: version(), others, options: presentOptions() }
}

/** Lines about what the primary process keeps although the workers that have started would use something else. */
export const keptLines = (own: HeldSettings, present: ReportedSettings): string => {
  const lines: Array<string> = []
  if (present.host !== own.host || present.port !== own.port) {
    lines.push(
      `The configuration names ${present.host}:${present.port} now. The server still listens on ${own.host}:${own.port}: ` +
        "restart it to change the address."
    )
  }
  const names = Object.keys(own.others).filter(
    (name) => own.others[name] !== (present.others?.[name] ?? own.others[name])
  )
  if (names.length > 0) {
    lines.push(`The primary process keeps its values of these settings until a restart: ${names.join(", ")}.`)
  }
  if (present.options !== undefined && own.options !== undefined && present.options.lines !== own.options.lines) {
    lines.push(
      `The options in ${own.options.file} were changed. All processes keep those of the start, such as the limit of the heap, until a restart.`
    )
  }
  if (present.version !== undefined && present.version !== own.version) {
    lines.push(
      `The workers have version ${present.version} of the program. The primary process keeps version ${own.version} until a restart.`
    )
  }
  return lines.map((line) => `${line}\n`).join("")
}

/** The notes about the new configuration, for the answer to the command `reload`. */
export const noteLines = ({ notes = [] }: { readonly notes?: ReadonlyArray<Note> | undefined }): string =>
  notes.map(({ level, text }) => `${level === "warn" ? "WARNING: " : ""}${text}\n`).join("")
