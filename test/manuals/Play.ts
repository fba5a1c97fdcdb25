import { type Block, typedLines } from "./Blocks.ts"
import type { Line } from "./Line.ts"
import { beginsAnew, loadsGods, preparation } from "./Preparation.ts"
import { verdictOf } from "./Report.ts"
import { type Played, Session } from "./Session.ts"
import { type Statement, statementsOf } from "./Statements.ts"

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
  /** The names of empty graphs with a schema on this server, as many as there are blocks. */
  readonly graphs: readonly string[]
  /** An expression for a new, empty graph of the reference, with its number. */
  readonly graphThere: (number: number) => string
  /** Called for a preparation that failed. */
  readonly problem: (block: Block, text: string) => void
}

/** Plays blocks on both servers. */
class Player {
  readonly #places: Places
  readonly #here: Side
  readonly #there: Side | undefined
  #graphs = 0

  constructor(places: Places) {
    this.#places = places
    this.#here = new Side(places.here)
    this.#there = places.there === undefined ? undefined : new Side(places.there)
  }

  /** Does what a reader has done before the block. */
  async prepare(block: Block, page: readonly Block[]): Promise<void> {
    const { graphs, graphThere, problem } = this.#places
    const number = this.#graphs++
    const loadsItself = loadsGods(page)
    const graph = graphs[number % graphs.length] ?? "graph"
    for (const text of await this.#here.begin(preparation(block, page, { graph, loadsItself }))) problem(block, text)
    const there = preparation(block, page, { graph: graphThere(number), loadsItself })
    for (const text of (await this.#there?.begin(there)) ?? []) problem(block, `on the reference: ${text}`)
  }

  /** Runs the statements of a block, each as a separate request, as in the console. */
  async run(block: Block, isAlone: boolean): Promise<Line[]> {
    const lines: Line[] = []
    for (const statement of statementsOf(typedLines(block))) {
      const [here, there] = await Promise.all([this.#here.run(statement), this.#there?.run(statement)])
      lines.push({ block, statement, here, there, isAlone })
    }
    return lines
  }

  async end(): Promise<void> {
    await Promise.all([this.#here.end(), this.#there?.end()])
  }
}

const refusals = (lines: readonly Line[]): number =>
  lines.filter((line) => ["refused", "different"].includes(verdictOf(line))).length

/**
 * Runs the blocks of each page in order, in one session. A block that fails runs once more alone, on a new graph: blocks of a page
 * are also alternatives of each other, such as two definitions of the same index. The better of the two answers counts.
 */
export const play = async (blocks: readonly Block[], places: Places): Promise<Line[]> => {
  const player = new Player(places)
  const lines: Line[] = []
  const failed: Array<{
    readonly block: Block
    readonly page: readonly Block[]
    readonly at: number
    readonly of: Line[]
  }> = []
  for (const name of new Set(blocks.map(({ page }) => page))) {
    const page = blocks.filter((block) => block.page === name)
    for (const [number, block] of page.entries()) {
      const isFirst = beginsAnew(block, number === 0)
      if (isFirst) await player.prepare(block, page)
      const of = await player.run(block, false)
      if (refusals(of) > 0 && !isFirst) failed.push({ block, page, at: lines.length, of })
      lines.push(...of)
    }
  }
  for (const { at, block, of, page } of failed) {
    await player.prepare(block, page)
    const alone = await player.run(block, true)
    if (refusals(alone) < refusals(of)) lines.splice(at, alone.length, ...alone)
  }
  await player.end()
  return lines
}
