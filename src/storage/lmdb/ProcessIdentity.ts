import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/**
 * Which process it is, so that it can be told later whether it still runs: ids of processes are used again, the time at
 * which one started since the machine did is not. Empty where the system does not tell (outside of Linux).
 */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in ticks since the machine was started. */
  readonly started: string
  /** Which start of the machine. */
  readonly boot: string
  /** In which namespace its id counts: containers have their own. */
  readonly namespace: string
  readonly host: string
}

const fromSystem = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ""
  }
}

/**
 * Empty when there is no such process, when it has ended and only its parent was not told, or the system does not tell.
 */
const startOf = (pid: number): string =>
  fromSystem(() => {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The name, in brackets, may have blanks and brackets itself. Behind it come the state and, as the twentieth, the
    // start.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "")
  })

/** This process. */
export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  boot: fromSystem(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
  namespace: fromSystem(() => readlinkSync("/proc/self/ns/pid")),
  host: hostname()
})

/**
 * Whether another process runs; "unknown" when it cannot be told from here: on another machine or in another container.
 */
export const stateOf = (
  other: ProcessIdentity,
  own: ProcessIdentity = thisProcess()
): "running" | "ended" | "unknown" => {
  // Two machines may have one name: this one started anew, or another one.
  if (other.boot !== own.boot) return "unknown"
  if (other.namespace !== own.namespace) return "unknown"
  if (own.started !== "") return startOf(other.pid) === other.started ? "running" : "ended"
  if (other.host !== own.host) return "unknown"
  try {
    process.kill(other.pid, 0)
    return "unknown"
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "ended" : "unknown"
  }
}
