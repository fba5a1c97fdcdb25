import { type Block, typedLines } from "./Blocks.ts"
import { type Played, Session } from "./Session.ts"
import { type Statement, statementsOf } from "./Statements.ts"

/** A statement of a manual with the answer of the server, and of the reference if there is one. */
export interface Line {
  readonly block: Block
  readonly statement: Statement
  readonly here: Played
  readonly there: Played | undefined
}

/** A line that loads the Graph of the Gods. */
const LOADS = /GraphOfTheGodsFactory\.load/

const capitalized = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1)}`

/**
 * What the reader has done before a block. Blocks of TinkerPop's reference name their data set; blocks of JanusGraph's manual
 * use a graph with the Graph of the Gods. `loadsItself`: a block of the page loads it.
 */
const preparation = ({ dataset }: Block, graph: string, loadsItself: boolean): readonly string[] => {
  if (dataset === "") {
    const source = [`graph = ${graph}`, "g = graph.traversal()"]
    return loadsItself ? source : [...source, "GraphOfTheGodsFactory.load(graph)"]
  }
  return [
    dataset === "empty" ? "graph = TinkerGraph.open()" : `graph = TinkerFactory.create${capitalized(dataset)}()`,
    "g = graph.traversal()",
    "marko = g.V().has('name', 'marko').tryNext().orElse(null)"
  ]
}

/** One server, with the session of the blocks that belong together. */
class Side {
  readonly #url: string
  #session: Session | undefined
  constructor(url: string) {
    this.#url = url
  }

  async begin(statements: readonly string[]): Promise<readonly string[]> {
    await this.end()
    this.#session = await Session.open(this.#url)
    const problems: string[] = []
    for (const statement of statements) {
      const played = await this.#session.run(statement)
      if (played.kind === "error") problems.push(`${statement}: ${played.message}`)
    }
    return problems
  }

  async run(statement: Statement): Promise<Played> {
    this.#session ??= await Session.open(this.#url)
    return this.#session.run(statement.text)
  }

  async end(): Promise<void> {
    await this.#session?.close()
    this.#session = undefined
  }
}

/** The servers on which blocks run. */
export interface Places {
  /** The address of this server. */
  readonly here: string
  /** The address of Gremlin Server or JanusGraph; undefined to play on this server only. */
  readonly there: string | undefined
  /** The names of empty graphs with a schema, one for each page of JanusGraph's manual. */
  readonly graphs: readonly string[]
  /** Called for a preparation that failed. */
  readonly problem: (block: Block, text: string) => void
}

/** Runs the blocks in order. Each statement is a separate request, as in the console. */
export const play = async (blocks: readonly Block[], places: Places): Promise<Line[]> => {
  const { graphs, problem } = places
  const here = new Side(places.here)
  const there = places.there === undefined ? undefined : new Side(places.there)
  const lines: Line[] = []
  let page = ""
  let pages = 0
  for (const block of blocks) {
    const isNewPage = block.page !== page
    page = block.page
    if ((block.dataset === "" && isNewPage) || (block.dataset !== "" && block.dataset !== "existing")) {
      const graph = graphs[pages % graphs.length] ?? "graph"
      if (block.dataset === "") pages++
      const loadsItself = blocks.some((other) => other.page === page && other.lines.some((line) => LOADS.test(line)))
      const statements = preparation(block, graph, loadsItself)
      for (const text of await here.begin(statements)) problem(block, text)
      await there?.begin(statements)
    }
    for (const statement of statementsOf(typedLines(block))) {
      const [left, right] = await Promise.all([here.run(statement), there?.run(statement)])
      lines.push({ block, statement, here: left, there: right })
    }
  }
  await Promise.all([here.end(), there?.end()])
  return lines
}
