import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { obtain } from "./Artifacts.ts"
import { lost, readBaseline, unlike, updateBaseline } from "./Baseline.ts"
import type { Mode } from "./Connection.ts"
import type { Scenario } from "./Feature.ts"
import { wrongScenarios } from "./Mutations.ts"
import { type Options, parseOptions } from "./Options.ts"
import { Payloads } from "./Payloads.ts"
import { countOutcomes, failureLines, showCounts, showOutcome, summary } from "./Report.ts"
import type { Outcome } from "./Runner.ts"
import { runSuite, type SuiteRun } from "./Suite.ts"
import { startServer } from "./server.ts"

type Outcomes = ReadonlyMap<string, Outcome>

/** Runs scenarios in a mode. The common arguments of all runs are already bound. */
type Run = (mode: Mode, scenarios: ReadonlyArray<Scenario>, ended: SuiteRun["ended"]) => Promise<Outcomes>

/** Name of a kind of run in the baseline. */
const runName = (mode: Mode, options: Options): string =>
  [
    mode,
    options.allowNull ? "allow-null" : "",
    options.asyncStore ? "async-store" : "",
    options.backend === "memory" ? "" : options.backend
  ]
    .filter(Boolean)
    .join("+")

/** Runs all modes, and compares them with the baseline. Returns the exit code. */
const runModes = async (
  run: Run,
  scenarios: ReadonlyArray<Scenario>,
  options: Options,
  baselineFile: string
): Promise<number> => {
  const baseline = readBaseline(baselineFile)
  const runs = new Map<string, Outcomes>()
  const missing: Array<string> = []
  const other: Array<string> = []
  const { filter, folder, without } = options
  const isComplete = filter === undefined && folder === undefined && without.length === 0
  for (const mode of options.modes) {
    const started = Date.now()
    const outcomes = await run(mode, scenarios, (scenario, outcome) => {
      if (options.verbose || outcome.status === "failed") console.log(showOutcome(scenario, outcome, options.verbose))
    })
    const name = runName(mode, options)
    runs.set(name, outcomes)
    missing.push(...lost(baseline[name], outcomes).map((key) => `${name} ${key}`))
    if (isComplete) other.push(...unlike(baseline[name], outcomes).map((what) => `${name}: ${what}`))
    console.log(`${summary(mode, scenarios, outcomes)}\n  ${((Date.now() - started) / 1000).toFixed(1)} s\n`)
  }
  if (options.listFailures !== undefined) writeFileSync(options.listFailures, failureLines(runs))
  if (options.updateBaseline) updateBaseline(baselineFile, runs)
  else {
    for (const key of missing) console.log(`lost since the baseline: ${key}`)
    for (const what of other) console.log(`unlike the baseline: ${what}`)
  }
  console.log(showCounts(countOutcomes([...runs.values()].flatMap((outcomes) => [...outcomes.values()]))))
  return !options.updateBaseline && missing.length + other.length > 0 ? 1 : 0
}

/** Runs scenarios with wrong expectations, which must all fail. Returns the exit code. */
const checkChecker = async (run: Run, scenarios: ReadonlyArray<Scenario>, options: Options): Promise<number> => {
  const wrong = scenarios.flatMap(wrongScenarios)
  let accepted = 0
  for (const mode of options.modes) {
    await run(mode, wrong, ({ key }, { status }) => {
      if (status !== "passed") return
      accepted++
      console.log(`  ACCEPTED ${mode} ${key}`)
    })
  }
  console.log(`${wrong.length * options.modes.length} wrong expectations, ${accepted} of them accepted`)
  return accepted === 0 ? 0 : 1
}

/**
 * Runs the conformance suite: every scenario of TinkerPop's feature files, in each mode. The last output line has the sums of
 * all modes. Returns the exit code: 1 if a scenario fails that passes according to the baseline, or if the scenarios of a complete run
 * are not those of the baseline.
 *
 * @param home folder of this suite
 * @param cache folder for downloaded and compiled files
 */
export const main = async (args: ReadonlyArray<string>, home: string, cache: string): Promise<number> => {
  const options = parseOptions(args)
  const { filter, folder, allowNull, asyncStore, backend, without, workers, emptySource, serial } = options
  const artifacts = obtain(home, cache)
  const scenarios = artifacts.scenarios.filter(
    (scenario) =>
      (folder === undefined || scenario.folder === folder) && (filter === undefined || filter.test(scenario.key))
  )
  if (scenarios.length === 0) throw new Error("no scenario matches --filter and --folder")
  const place = { root: join(home, "..", ".."), directory: join(cache, "server") }
  const server =
    options.url === undefined
      ? await startServer({ ...place, artifacts, allowNull, asyncStore, backend, workers, without })
      : undefined
  const payloads = new Payloads(artifacts.classPath, cache, home)
  const url = server?.url ?? options.url!
  const run: Run = (mode, chosen, ended) =>
    runSuite({ mode, scenarios: chosen, url, artifacts, payloads, emptySource, allowNull, backend, serial, ended })
  try {
    const work = options.checkTheChecker
      ? checkChecker(run, scenarios, options)
      : runModes(run, scenarios, options, join(home, "baseline.json"))
    return await (server === undefined ? work : Promise.race([work, server.ended]))
  } finally {
    payloads.close()
    await server?.stop()
  }
}
