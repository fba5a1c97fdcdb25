import type { Artifacts } from "./Artifacts.ts"
import { connect, type Mode } from "./Connection.ts"
import { datasetElements } from "./Elements.ts"
import type { Scenario } from "./Feature.ts"
import type { Elements } from "./Notation.ts"
import type { Payloads } from "./Payloads.ts"
import { type Outcome, runScenario, type World } from "./Runner.ts"
import { skipReason } from "./Skips.ts"

/** Connections that run scenarios of graphs that nobody changes; the scenarios of the empty graph have one more. */
const readers = 3

/** What runs, and against what. */
export interface SuiteRun {
  readonly mode: Mode
  readonly scenarios: ReadonlyArray<Scenario>
  /** address of the server's WebSocket */
  readonly url: string
  readonly artifacts: Artifacts
  readonly payloads: Payloads
  /** traversal source of the graph that scenarios change */
  readonly emptySource: string
  readonly allowNull: boolean
  /** one scenario at a time, also on graphs that nobody changes */
  readonly serial: boolean
  /** called with each outcome as it is known */
  readonly ended: (scenario: Scenario, outcome: Outcome) => void
}

const changesGraph = (scenario: Scenario): boolean => scenario.steps.some((step) => step.text === "the empty graph")

const makeWorld = (artifacts: Artifacts, emptySource: string): World => {
  const known = new Map<string, Elements>()
  return {
    source: (graph) => (graph === "empty" ? emptySource : `g${graph}`),
    elements: (graph) => {
      const elements = known.get(graph) ?? datasetElements(artifacts.dataset(graph))
      known.set(graph, elements)
      return elements
    }
  }
}

/** Runs scenarios in one mode and gives the outcomes by the keys of the scenarios. */
export const runSuite = async (run: SuiteRun): Promise<ReadonlyMap<string, Outcome>> => {
  const { mode, scenarios, payloads, allowNull } = run
  const url = mode === "http" ? run.url.replace(/^ws/, "http") : run.url
  const world = makeWorld(run.artifacts, run.emptySource)
  const outcomes = new Map<string, Outcome>()
  const lane = async (queue: Array<Scenario>): Promise<void> => {
    const connection = connect(mode, url, payloads)
    for (let scenario = queue.shift(); scenario !== undefined; scenario = queue.shift()) {
      const reason = skipReason(scenario, { allowNull })
      const outcome: Outcome =
        reason === undefined ? await runScenario(scenario, connection, world) : { status: "skipped", reason }
      outcomes.set(scenario.key, outcome)
      run.ended(scenario, outcome)
    }
    connection.close()
  }
  const changing = scenarios.filter(changesGraph)
  const reading = scenarios.filter((scenario) => !changesGraph(scenario))
  if (run.serial) await lane([...changing, ...reading])
  else await Promise.all([lane(changing), ...Array.from({ length: readers }, () => lane(reading))])
  return outcomes
}
