import type { Mode } from "./Connection.ts"
import type { Scenario } from "./Feature.ts"
import type { Outcome } from "./Runner.ts"

/** The number of scenarios by outcome. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const countOutcomes = (outcomes: Iterable<Outcome>): Counts => {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { status } of outcomes) counts[status]++
  return counts
}

export const showCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`

/** The traversal of a scenario, for a failure shown in full. */
const traversal = (scenario: Scenario): string =>
  scenario.steps
    .filter((step) => step.docString !== undefined || /^using the/.test(step.text))
    .map((step) => `      ${step.docString?.replaceAll("\n", "\n      ") ?? step.text}`)
    .join("\n")

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ")
  return line.length > 400 ? `${line.slice(0, 400)} ...` : line
}

/** The report of a scenario that did not pass: one line, or several if `full`. */
export const showOutcome = (scenario: Scenario, outcome: Outcome, full: boolean): string => {
  if (outcome.status === "passed") return `  passed  ${scenario.key}`
  const reason = full ? outcome.reason : shorten(outcome.reason)
  const line = `  ${outcome.status === "failed" ? "FAILED " : "skipped"} ${scenario.key}: ${reason}`
  return full && outcome.status === "failed" ? `${line}\n${traversal(scenario)}` : line
}

/** The counts of a run by folder, and the skipped scenarios by reason. */
export const summary = (
  mode: Mode,
  scenarios: ReadonlyArray<Scenario>,
  outcomes: ReadonlyMap<string, Outcome>
): string => {
  const folders = [...new Set(scenarios.map((scenario) => scenario.folder))].sort()
  const rows = folders.map((folder) => {
    const inside = scenarios.filter((scenario) => scenario.folder === folder)
    const counts = countOutcomes(inside.map((scenario) => outcomes.get(scenario.key)!))
    return `  ${folder.padEnd(12)}${showCounts(counts)}`
  })
  const reasons = new Map<string, number>()
  for (const outcome of outcomes.values()) {
    if (outcome.status === "skipped") reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1)
  }
  const skips = [...reasons].map(([reason, number]) => `  ${number} skipped: ${reason}`)
  return [`${mode}: ${showCounts(countOutcomes(outcomes.values()))}`, ...rows, ...skips].join("\n")
}

/** The failures of all runs, one per line, not shortened. */
export const failureLines = (runs: ReadonlyMap<string, ReadonlyMap<string, Outcome>>): string =>
  [...runs]
    .flatMap(([name, outcomes]) =>
      [...outcomes].flatMap(([key, outcome]) =>
        outcome.status === "failed" ? [`${name} ${key}: ${outcome.reason.replaceAll(/\s+/g, " ")}\n`] : []
      )
    )
    .join("")
