import type { Artifacts } from "./Artifacts.ts"
import { type Connection, connect, type Mode } from "./Connection.ts"
import { datasetElements, serverElements } from "./Elements.ts"
import type { Scenario } from "./Feature.ts"
import type { Elements } from "./Notation.ts"
import type { Backend } from "./Options.ts"
import type { Payloads } from "./Payloads.ts"
import { type Outcome, runScenario, type World } from "./Runner.ts"
import { skipReason } from "./Skips.ts"

/** Connections for scenarios of unchanging graphs. The scenarios of the empty graph have one more connection. */
const readers = 3

/** The scenarios of a run and the server that it tests. */
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
  /** With lmdb and cql, ids of toy graphs differ from those of the datasets, so that elements are read from the server. */
  readonly backend: Backend
  /** One scenario at a time, also on unchanging graphs. */
  readonly serial: boolean
  /** Called with the outcome of each scenario when it ends. */
  readonly ended: (scenario: Scenario, outcome: Outcome) => void
}

const changesGraph = (scenario: Scenario): boolean => scenario.steps.some((step) => step.text === "the empty graph")

const makeWorld = ({ artifacts, backend, emptySource }: SuiteRun, ask: Connection["ask"]): World => {
  const known = new Map<string, Elements>()
  return {
    source: (graph) => (graph === "empty" ? emptySource : `g${graph}`),
    elements: (graph) => {
      const elements =
        known.get(graph) ??
        (backend === "memory"
          ? datasetElements(artifacts.dataset(graph))
          : serverElements(once((gremlin) => ask(gremlin, `g${graph}`))))
      known.set(graph, elements)
      return elements
    }
  }
}

/** Caches the answers, because no scenario changes the toy graphs. */
const once = <A>(ask: (gremlin: string) => Promise<A>): ((gremlin: string) => Promise<A>) => {
  const answers = new Map<string, Promise<A>>()
  return (gremlin) => {
    const answer = answers.get(gremlin) ?? ask(gremlin)
    answers.set(gremlin, answer)
    return answer
  }
}

/** Runs scenarios in one mode. Returns the outcomes by the keys of the scenarios. */
export const runSuite = async (run: SuiteRun): Promise<ReadonlyMap<string, Outcome>> => {
  const { mode, scenarios, payloads, allowNull, backend } = run
  const url = mode === "http" ? run.url.replace(/^ws/, "http") : run.url
  const asking = connect(mode, url, payloads)
  const world = makeWorld(run, (gremlin, source) => asking.ask(gremlin, source))
  const outcomes = new Map<string, Outcome>()
  const lane = async (queue: Array<Scenario>): Promise<void> => {
    const connection = connect(mode, url, payloads)
    for (let scenario = queue.shift(); scenario !== undefined; scenario = queue.shift()) {
      const reason = skipReason(scenario, { allowNull, backend })
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
  asking.close()
  return outcomes
}
