import type { ServerSettings } from "../../services/Config.ts"
import { version } from "../config/OwnPackage.ts"

/** What the primary process uses itself, and so keeps until a restart. */
export interface HeldSettings {
  readonly host: string
  readonly port: number
  /** The version of its program. */
  readonly version: string
  /** Other settings, by their names, as texts to compare. */
  readonly others: Readonly<Record<string, string>>
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
  return { host, port, version: version(), others }
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
  if (present.version !== undefined && present.version !== own.version) {
    lines.push(
      `The workers have version ${present.version} of the program. The primary process keeps version ${own.version} until a restart.`
    )
  }
  return lines.map((line) => `${line}\n`).join("")
}
