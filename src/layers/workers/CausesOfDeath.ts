import { readFileSync } from "node:fs"
import type { WorkerExit } from "./WorkerLink.ts"

/** Signals that a fault of the process itself raises. V8 that is out of memory raises SIGABRT, SIGTRAP or SIGILL. */
const FAULTS: ReadonlySet<string> = new Set(["SIGABRT", "SIGTRAP", "SIGILL", "SIGSEGV", "SIGBUS", "SIGFPE"])

/** Exit statuses of a process that ended by order: 0, and 128 + the number of SIGHUP, SIGINT and SIGTERM. */
const ORDERED: ReadonlySet<number> = new Set([0, 129, 130, 143])

/** Files of Linux that count the processes which the kernel killed because memory was short. */
const counters = ["/proc/vmstat", "/sys/fs/cgroup/memory.events"]

/** Time between two readings of the kernel's counters, ms. */
const READING_MS = 1_000
/**
 * Readings that are kept. The kernel counts a process when it kills it, and reports its end after it has freed its memory. A kill
 * by an administrator counts if the kernel killed a process within this number of readings.
 */
const READINGS = 10

const killsOfKernel = (): number =>
  counters.reduce((sum, file) => {
    try {
      return sum + Number(/^oom_kill (\d+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0)
    } catch {
      return sum
    }
  }, 0)

/**
 * Distinguishes deaths that a request may have caused from signals of other processes. SIGKILL counts only if the kernel's count of
 * processes that it killed for memory has grown within ten seconds: the sender of a SIGKILL cannot be found otherwise.
 */
export class CausesOfDeath {
  /** The last readings, the oldest first. */
  readonly #kills = [killsOfKernel()]
  readonly #timer = setInterval(() => {
    this.#kills.push(killsOfKernel())
    if (this.#kills.length > READINGS) this.#kills.shift()
  }, READING_MS).unref()

  /** Whether the request on the event loop may be the cause. */
  isOwn({ code, isStopped, signal }: Omit<WorkerExit, "isExpected">): boolean {
    if (isStopped) return false
    if (signal === "SIGKILL") return killsOfKernel() > this.#kills[0]!
    return signal === null ? code !== null && !ORDERED.has(code) : FAULTS.has(signal)
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
