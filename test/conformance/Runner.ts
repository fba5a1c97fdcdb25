import * as Compare from "./Compare.ts"
import { CannotTravel, type Connection } from "./Connection.ts"
import { serverElements } from "./Elements.ts"
import type { Scenario, Step } from "./Feature.ts"
import { literal } from "./Literal.ts"
import { type Elements, parseNotation, resolve } from "./Notation.ts"
import { type EdgeValue, map, type TreeValue, type Value, type VertexValue } from "./Value.ts"
import { GremlinError } from "./wire/Answer.ts"

/** The outcome of a scenario. */
export type Outcome = { readonly status: "passed" } | { readonly status: "failed" | "skipped"; readonly reason: string }

/** The graphs of scenarios, by their names in the suite. */
export interface World {
  /** the traversal source of a graph: ggraph for the empty one, gmodern and so on for the toy graphs */
  readonly source: (graph: string) => string
  /** elements of a toy graph by name */
  readonly elements: (graph: string) => Elements
}

/** Thrown if the expectation of a step is not met. The message is shown in the report. */
class Failure extends Error {}

const unquote = (text: string): string => text.replaceAll(/\\(["'])/g, "$1")

/** The state of one scenario between its steps. */
class Run {
  readonly connection: Connection
  readonly world: World
  source = ""
  elements: Elements | undefined
  readonly parameters = new Map<string, Value>()
  readonly sideEffects: Array<readonly [string, Value]> = []
  /** Source steps after g, for all traversals of the scenario. */
  readonly prefix: string
  gremlin: string | undefined
  results: ReadonlyArray<Value> | undefined
  /** The result of `iterated next`. Undefined after `iterated to list`. */
  next: Value | undefined
  error: GremlinError | undefined

  constructor(connection: Connection, world: World, scenario: Scenario) {
    this.connection = connection
    this.world = world
    this.prefix = scenario.tags.includes("@GraphComputerOnly") ? ".withStrategies(VertexProgramStrategy)" : ""
  }

  value(text: string): Promise<Value> {
    if (this.elements === undefined) throw new Failure("a value is used before the graph is named")
    return resolve(parseNotation(text), this.elements)
  }

  /** The traversal with the source steps after g. */
  complete(gremlin: string): string {
    const sideEffects = this.sideEffects.map(([key, value]) => `.withSideEffect("${key}", ${literal(value)})`)
    const dot = gremlin.indexOf(".")
    return `${gremlin.slice(0, dot)}${this.prefix}${sideEffects.join("")}${gremlin.slice(dot)}`
  }

  submit(gremlin: string): Promise<ReadonlyArray<Value>> {
    const used = [...this.parameters].filter(([name]) => new RegExp(`\\b${name}\\b`).test(gremlin))
    return this.connection.run(gremlin, this.source, new Map(used))
  }

  async graph(name: string): Promise<void> {
    this.source = this.world.source(name)
    if (name !== "empty") {
      this.elements = this.world.elements(name)
      return
    }
    this.elements = serverElements((gremlin) => this.connection.ask(gremlin, this.source))
    await this.connection.ask("g.V().drop()", this.source)
  }

  async iterate(next: boolean): Promise<void> {
    if (this.gremlin === undefined) throw new Failure("no traversal to iterate")
    try {
      this.results = await this.submit(this.complete(this.gremlin))
      if (!next) return
      this.next = this.results[0]
      if (this.next === undefined) throw new GremlinError(0, "next() on a traversal without results")
    } catch (error) {
      // A scenario may expect only an error of the server or of the driver.
      if (!(error instanceof GremlinError)) throw error
      this.error = error
    }
  }

  /** The results for a table: the list, or the parts of the single result of `next`. The parts of a map are its entries. */
  actual(): ReadonlyArray<Value> {
    const { results, next } = this
    if (this.error !== undefined) throw new Failure(`an error was not expected: ${this.error.message}`)
    if (results === undefined) throw new Failure("nothing was iterated")
    if (next === undefined) return results
    if (next.kind === "list" || next.kind === "set" || next.kind === "bulkSet") return next.items
    if (next.kind === "path") return next.objects
    return next.kind === "map" ? next.entries.map((entry) => map([entry])) : [next]
  }

  size(): number | undefined {
    const actual = this.actual()
    const composed = ["list", "set", "bulkSet", "map", "path"]
    return this.next === undefined || composed.includes(this.next.kind) ? actual.length : undefined
  }

  single(): Value {
    this.actual()
    if (this.next === undefined) throw new Failure("this step needs the result of next")
    return this.next
  }

  /** The rows of a table below its header, resolved. */
  async expected(step: Step): Promise<ReadonlyArray<Value>> {
    const values: Array<Value> = []
    for (const row of step.table?.slice(1) ?? []) values.push(await this.value(row[0] ?? ""))
    return values
  }

  async expectedTree(text: string): Promise<TreeValue> {
    interface Open {
      readonly kind: "tree"
      readonly branches: Array<readonly [Value, Open]>
    }
    const root: Open = { kind: "tree", branches: [] }
    const open: Array<Open> = [root]
    for (const line of text.split("\n").filter((it) => it.trim() !== "")) {
      const level = line.indexOf("|--") / 3
      const parent = open[level]
      if (parent === undefined) throw new Failure(`a tree that is not indented by threes: ${line}`)
      const below: Open = { kind: "tree", branches: [] }
      parent.branches.push([await this.value(line.slice(line.indexOf("|--") + 3).trim()), below])
      open[level + 1] = below
      open.length = level + 2
    }
    return root
  }
}

const demand = (verdict: Compare.Verdict): void => {
  if (verdict !== undefined) throw new Failure(verdict)
}

interface Definition {
  readonly pattern: RegExp
  readonly act: (run: Run, step: Step, ...groups: ReadonlyArray<string>) => Promise<void> | void
}

const text = (step: Step): string => step.docString ?? ""

const error = (run: Run): GremlinError => {
  const { error } = run
  run.error = undefined
  if (error === undefined) throw new Failure(`an error is expected, got ${run.results?.length ?? 0} results`)
  return error
}

const definitions: ReadonlyArray<Definition> = [
  { pattern: /^the (\w+) graph$/, act: (run, _, name) => run.graph(name!) },
  {
    pattern: /^the graph initializer of$/,
    act: async (run, step) => {
      await run.submit(text(step))
    }
  },
  {
    pattern: /^using the parameter (\w+) defined as "(.*)"$/,
    act: async (run, _, name, value) => {
      run.parameters.set(name!, await run.value(unquote(value!)))
    }
  },
  {
    pattern: /^using the side effect (\w+) defined as "(.*)"$/,
    act: async (run, _, name, value) => {
      run.sideEffects.push([name!, await run.value(unquote(value!))])
    }
  },
  {
    pattern: /^the traversal of$/,
    act: (run, step) => {
      run.gremlin = text(step)
    }
  },
  { pattern: /^iterated to list$/, act: (run) => run.iterate(false) },
  { pattern: /^iterated next$/, act: (run) => run.iterate(true) },
  {
    pattern: /^the result should be unordered$/,
    act: async (run, step) => demand(Compare.unordered(run.actual(), await run.expected(step)))
  },
  {
    pattern: /^the result should be ordered$/,
    act: async (run, step) => demand(Compare.ordered(run.actual(), await run.expected(step)))
  },
  {
    pattern: /^the result should be of$/,
    act: async (run, step) => demand(Compare.of(run.actual(), await run.expected(step)))
  },
  { pattern: /^the result should be empty$/, act: (run) => demand(Compare.count(run.size(), 0)) },
  {
    pattern: /^the result should have a count of (\d+)$/,
    act: (run, _, number) => demand(Compare.count(run.size(), Number(number)))
  },
  {
    pattern: /^the graph should return (\d+) for count of "(.*)"$/,
    act: async (run, _, number, gremlin) => {
      run.actual()
      const counted = await run.submit(`${run.complete(unquote(gremlin!))}.count()`)
      demand(Compare.ordered(counted, [{ kind: "long", value: BigInt(number!) }]))
    }
  },
  {
    pattern: /^the result should be a tree with a structure of$/,
    act: async (run, step) => demand(Compare.tree(run.single(), await run.expectedTree(text(step))))
  },
  {
    pattern: /^the result should be a subgraph with the following$/,
    act: async (run, step) => {
      const expected = (await run.expected(step)) as ReadonlyArray<VertexValue> | ReadonlyArray<EdgeValue>
      const what = step.table?.[0]?.[0] === "vertices" ? "vertices" : "edges"
      demand(Compare.subgraph(run.single(), expected, what))
    }
  },
  {
    pattern: /^the traversal will raise an error$/,
    act: (run) => {
      error(run)
    }
  },
  {
    pattern: /^the traversal will raise an error with message (\w+) text of "(.*)"$/,
    act: (run, _, how, expected) => demand(Compare.errorMessage(error(run).message, how!, unquote(expected!)))
  }
]

/** All traversals of a scenario: the initializer, the tested traversal, and the traversals for counts. */
export const traversals = (scenario: Scenario): ReadonlyArray<string> =>
  scenario.steps.flatMap((step) => {
    if (/^(the graph initializer|the traversal) of$/.test(step.text)) return [text(step)]
    const counted = /^the graph should return \d+ for count of "(.*)"$/.exec(step.text)?.[1]
    return counted === undefined ? [] : [unquote(counted)]
  })

/** Runs a scenario step by step on a connection. A step without a definition fails the scenario. */
export const runScenario = async (scenario: Scenario, connection: Connection, world: World): Promise<Outcome> => {
  const run = new Run(connection, world, scenario)
  for (const step of scenario.steps) {
    try {
      const definition = definitions.find(({ pattern }) => pattern.test(step.text))
      if (definition === undefined) throw new Failure("the suite has no such step")
      await definition.act(run, step, ...(definition.pattern.exec(step.text)?.slice(1) ?? []))
    } catch (thrown) {
      const { message } = thrown as Error
      if (thrown instanceof CannotTravel) return { status: "skipped", reason: message }
      return { status: "failed", reason: `line ${step.line} "${step.text}": ${message}` }
    }
  }
  return { status: "passed" }
}
