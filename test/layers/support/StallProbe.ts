/**
 * Loaded into a server process before the server. At SIGUSR2 it prints the longest turn of the event loop in milliseconds
 * and resets it. Time is excluded in which the process waited for a CPU, in which the host took the CPU, and in which the
 * garbage collector ran.
 */
import { readFileSync } from "node:fs"
import { type PerformanceEntry, PerformanceObserver, performance } from "node:perf_hooks"

interface Turn {
  readonly begin: number
  readonly end: number
  readonly waited: number
}

/** Time in which the main thread was runnable but did not run, ms. */
const ready = (): number => Number(readFileSync("/proc/self/schedstat", "latin1").split(" ")[1]) / 1e6

/** Steal time of the virtual machine, ms: the eighth value of the first line, in hundredths of a second. */
const stolen = (): number => Number(readFileSync("/proc/stat", "latin1").split("\n", 1)[0]!.split(/ +/)[8] ?? 0) * 10

const waited = (): number => ready() + stolen()

/** Turns shorter than this are ignored, ms. */
const MIN_TURN_MS = 10

let turns: Array<Turn> = []
let collections: ReadonlyArray<PerformanceEntry> = []
new PerformanceObserver((list) => {
  collections = [...collections, ...list.getEntries()]
}).observe({ entryTypes: ["gc"] })

let last = { at: performance.now(), waited: waited() }
const look = (): void => {
  const now = { at: performance.now(), waited: waited() }
  if (now.at - last.at > MIN_TURN_MS) {
    turns.push({ begin: last.at, end: now.at, waited: now.waited - last.waited })
  }
  last = now
  setTimeout(look, 1)
}
look()

const own = ({ begin, end, waited: outside }: Turn): number => {
  const collecting = collections.reduce(
    (sum, { duration, startTime }) =>
      sum + Math.max(0, Math.min(end, startTime + duration) - Math.max(begin, startTime)),
    0
  )
  return Math.max(0, end - begin - outside) * (1 - Math.min(1, collecting / (end - begin)))
}

process.on("SIGUSR2", () => {
  // Performance entries of the last collections arrive a little later.
  setTimeout(() => {
    process.stdout.write(`longest turn: ${Math.max(0, ...turns.map(own)).toFixed(1)} ms\n`)
    turns = []
    collections = []
  }, 20)
})
