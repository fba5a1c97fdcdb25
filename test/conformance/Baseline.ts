import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Outcome } from "./Runner.ts"

/** The baseline of one kind of run. Scenarios that it does not list passed. */
export interface BaselineRun {
  readonly passed: number
  readonly failed: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<string>
}

/** The file baseline.json: kinds of runs (a mode, with its options) by name. */
export type Baseline = Readonly<Record<string, BaselineRun>>

export const readBaseline = (file: string): Baseline =>
  existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Baseline) : {}

/**
 * Scenarios that passed according to the baseline and did not pass now, whether they failed or were skipped. In a run
 * without a baseline, every failure counts as lost.
 */
export const lost = (known: BaselineRun | undefined, outcomes: ReadonlyMap<string, Outcome>): ReadonlyArray<string> => {
  const notPassing = known === undefined ? keysOf(outcomes, "skipped") : [...known.failed, ...known.skipped]
  const expected = new Set(notPassing)
  return [...outcomes].filter(([key, { status }]) => status !== "passed" && !expected.has(key)).map(([key]) => key)
}

/**
 * What is wrong with the scenarios of a complete run, whatever their outcomes: the baseline does not have the run, or it knows other
 * scenarios or another number of them. A scenario that no longer runs would not be missed otherwise.
 */
export const unlike = (
  known: BaselineRun | undefined,
  outcomes: ReadonlyMap<string, Outcome>
): ReadonlyArray<string> => {
  if (known === undefined) return ["the baseline has no such run; --update-baseline records it"]
  const gone = [...known.failed, ...known.skipped].filter((key) => !outcomes.has(key))
  const number = known.passed + known.failed.length + known.skipped.length
  return [
    ...gone.map((key) => `${key} has not run`),
    ...(outcomes.size === number ? [] : [`${outcomes.size} scenarios have run, and the baseline has ${number}`])
  ]
}

const keysOf = (outcomes: ReadonlyMap<string, Outcome>, status: Outcome["status"]): ReadonlyArray<string> =>
  [...outcomes]
    .filter(([, outcome]) => outcome.status === status)
    .map(([key]) => key)
    .sort()

/** Writes the outcomes of complete runs to the baseline. Other runs in it do not change. */
export const updateBaseline = (file: string, runs: ReadonlyMap<string, ReadonlyMap<string, Outcome>>): void => {
  const updated: Record<string, BaselineRun> = { ...readBaseline(file) }
  for (const [name, outcomes] of runs) {
    const passed = keysOf(outcomes, "passed").length
    updated[name] = { passed, failed: keysOf(outcomes, "failed"), skipped: keysOf(outcomes, "skipped") }
  }
  const sorted = Object.fromEntries(Object.entries(updated).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`)
}
