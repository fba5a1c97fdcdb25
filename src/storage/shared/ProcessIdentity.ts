import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/**
 * Identifies a process, so that it can be checked later whether it still runs. Process ids are reused; the start time
 * since the boot of the machine is not. Fields are empty where the system does not provide them (outside of Linux).
 */
export interface ProcessIdentity {
  readonly pid: number
  /** The start time of the process, in clock ticks since the boot of the machine. */
  readonly started: string
  /** The id of the boot of the machine. */
  readonly boot: string
  /** The namespace of the process id: containers have their own. */
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

/** The errors of a read of a process that does not exist, or has ended meanwhile. */
const ABSENT: ReadonlySet<unknown> = new Set(["ENOENT", "ESRCH"])

/**
 * The start time of a process; empty when the process does not exist, is a zombie, or the system does not provide it; undefined when
 * this process cannot read it now, for example without a free file descriptor.
 */
const readStart = (pid: number): string | undefined => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1")
    // The name of the program is in parentheses and may contain spaces and parentheses. The state is the first field
    // after it, the start time the twentieth.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ")
    return fields[0] === "Z" || fields[0] === "X" ? "" : (fields[19] ?? "")
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code) ? "" : undefined
  }
}

const startOf = (pid: number): string => readStart(pid) ?? ""

/** The identity of this process. */
export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  started: startOf(process.pid),
  boot: fromSystem(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()),
  namespace: fromSystem(() => readlinkSync("/proc/self/ns/pid")),
  host: hostname()
})

/** Whether a process with the id of another one is that one. In another container, another process may have the same id. */
export const isSame = (a: ProcessIdentity, b: ProcessIdentity): boolean =>
  a.pid === b.pid && a.boot === b.boot && a.namespace === b.namespace

/** The identity of the process that started this one. */
export const parentProcess = (): ProcessIdentity => ({
  ...thisProcess(),
  pid: process.ppid,
  started: startOf(process.ppid)
})

/** Whether another process runs. It is "unknown" for a process on another machine or in another container. */
export const stateOf = (
  other: ProcessIdentity,
  own: ProcessIdentity = thisProcess()
): "running" | "ended" | "unknown" => {
  // Either this machine was rebooted since, or it is another machine with the same name.
  if (other.boot !== own.boot) return "unknown"
  if (other.namespace !== own.namespace) return "unknown"
  if (own.started !== "") {
    const started = readStart(other.pid)
    if (started !== undefined) return started === other.started ? "running" : "ended"
  }
  return other.host === own.host ? signalled(other.pid) : "unknown"
}

const signalled = (pid: number): "ended" | "unknown" => {
  try {
    process.kill(pid, 0)
    return "unknown"
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "ended" : "unknown"
  }
}

/**
 * Whether a process id of this machine and namespace is in use: "ended" when it is not, or belongs to a zombie. A new process may have
 * the id of one that has ended.
 */
export const pidState = (pid: number): "ended" | "unknown" => {
  const known = signalled(pid)
  // Where the system provides the start times of processes, a zombie has none.
  return known === "unknown" && startOf(process.pid) !== "" && readStart(pid) === "" ? "ended" : known
}

/** True for a process that a signal has stopped. False where the system does not tell it. */
export const isStopped = (pid: number): boolean => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1")
    return /^[Tt]/.test(line.slice(line.lastIndexOf(")") + 2))
  } catch {
    return false
  }
}
