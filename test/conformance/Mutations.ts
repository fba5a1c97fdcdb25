import type { Scenario, Step } from "./Feature.ts"

/** Makes the expectation of a step wrong. Returns the same step if it does not apply. */
type Mutation = (step: Step) => Step

const isTable = (step: Step): boolean => /^the result should be (unordered|ordered|a subgraph)/.test(step.text)

const withRows = (
  step: Step,
  change: (rows: ReadonlyArray<ReadonlyArray<string>>) => ReadonlyArray<ReadonlyArray<string>>
): Step => (step.table === undefined ? step : { ...step, table: [step.table[0]!, ...change(step.table.slice(1))] })

const withCells = (step: Step, change: (cell: string) => string): Step =>
  withRows(step, (rows) => rows.map((row) => row.map(change)))

const withText = (step: Step, pattern: RegExp, replacement: string | ((...groups: Array<string>) => string)): Step => ({
  ...step,
  text: step.text.replace(pattern, replacement as string)
})

/** Types are not exchanged, because a table with a row of each type would stay equal. */
const otherNumber = (type: string): string => (type === "i" ? "l" : "i")

const mutations: Readonly<Record<string, Mutation>> = {
  "a row too few": (step) => (isTable(step) ? withRows(step, (rows) => rows.slice(0, -1)) : step),
  "a row too many": (step) => (isTable(step) ? withRows(step, (rows) => [...rows, ...rows.slice(-1)]) : step),
  "rows in reverse": (step) =>
    step.text === "the result should be ordered" ? withRows(step, (rows) => rows.toReversed()) : step,
  "another type of number": (step) =>
    withCells(step, (cell) =>
      cell.replaceAll(
        /(d\[-?[\d]+\]\.)([ilsbnm])\b/g,
        (_, number: string, type: string) => `${number}${otherNumber(type)}`
      )
    ),
  "float for double": (step) => withCells(step, (cell) => cell.replaceAll(/\]\.d\b/g, "].f")),
  "set for list": (step) =>
    withCells(step, (cell) => cell.replace(/^([ls])\[/, (_, kind: string) => (kind === "l" ? "s[" : "l["))),
  "one more": (step) =>
    withText(step, /(count of|return) (\d+)/, (_, words, number) => `${words} ${Number(number) + 1}`),
  "something for nothing": (step) =>
    withText(step, /^the result should be empty$/, "the result should have a count of 1"),
  "another message": (step) => withText(step, /(error with message \w+ text of) ".*"$/, '$1 "no server says this"'),
  "a result for an error": (step) =>
    withText(step, /^the traversal will raise an error.*$/, "the result should be empty"),
  "a tree without its last leaf": (step) =>
    step.text.startsWith("the result should be a tree") && step.docString?.includes("\n")
      ? { ...step, docString: step.docString.slice(0, step.docString.lastIndexOf("\n")) }
      : step
}

/** All variants of a scenario with a wrong expectation. Their names say what is wrong. */
export const wrongScenarios = (scenario: Scenario): ReadonlyArray<Scenario> =>
  Object.entries(mutations).flatMap(([name, mutate]) => {
    const steps = scenario.steps.map(mutate)
    const changed = JSON.stringify(steps) !== JSON.stringify(scenario.steps)
    return changed ? [{ ...scenario, steps, key: `${scenario.key} with ${name}` }] : []
  })
