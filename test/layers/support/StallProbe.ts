/**
 * Loaded into a server's process before the server: prints the longest turn of its event loop in milliseconds at SIGUSR2,
 * and begins anew. Time in which the process waited for a processor does not count, nor that in which the machine itself did
 * because another machine had its processors, and neither does the garbage collector.
 */
import { readFileSync } from "node:fs"
import { type PerformanceEntry, PerformanceObserver, performance } from "node:perf_hooks"

interface Turn {
  readonly begin: number
  readonly end: number
  readonly waited: number
}

/** Time that the main thread was ready and did not run, ms. */
const ready = (): number => Number(readFileSync("/proc/self/schedstat", "latin1").split(" ")[1]) / 1e6

/** Time that a virtual machine had to do without its processors, ms: the eighth figure of all of them, in hundredths of a second. */
const stolen = (): number => Number(readFileSync("/proc/stat", "latin1").split("\n", 1)[0]!.split(/ +/)[8] ?? 0) * 10

const waited = (): number => ready() + stolen()

/** Shorter turns are not kept. */
const NOTEWORTHY = 10

let turns: Array<Turn> = []
let collections: ReadonlyArray<PerformanceEntry> = []
new PerformanceObserver((list) => {
  collections = [...collections, ...list.getEntries()]
}).observe({ entryTypes: ["gc"] })

let last = { at: performance.now(), waited: waited() }
const look = (): void => {
  const now = { at: performance.now(), waited: waited() }
  if (now.at - last.at > NOTEWORTHY) {
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
  // The entries of the last collections are handed over a little later.
  setTimeout(() => {
    process.stdout.write(`longest turn: ${Math.max(0, ...turns.map(own)).toFixed(1)} ms\n`)
    turns = []
    collections = []
  }, 20)
})
