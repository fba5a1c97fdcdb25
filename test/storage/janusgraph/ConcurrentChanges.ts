import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { CellStore } from "../../../src/storage/janusgraph/cells/CellStore.ts"
import { TransactionConflict, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { edgeLabels, makeTypes, Random } from "../../layers/tools/RandomSchema.ts"
import { runLater } from "../../process/run.ts"
import { settled } from "../Completion.ts"
import { findingsOf } from "../cassandra/Findings.ts"
import { type Change, ChangingTransaction } from "./ChangingTransaction.ts"
import { cellGraph } from "./Graphs.ts"
import { elementText, PlainGraph } from "./PlainGraph.ts"

/** A time after which every element with a TTL has expired. */
const LIFETIME_MS = 30_000

/** The store of a run. */
export interface Place {
  readonly open: (random: Random) => Promise<CellStore>
  /** True when a transaction reads a snapshot, so that the first of several commits cannot conflict. */
  readonly hasSnapshots: boolean
}

/**
 * Runs rounds of a few transactions that begin at the same time, change the same few elements, and are committed one
 * after the other or at the same time. After each round every cell of the store is verified, and the graph must equal
 * the result of applying the committed transactions one after the other.
 */
export class ConcurrentChanges {
  readonly #random: Random
  readonly #place: Place
  #now = 1_000_000
  #graph!: CellGraph
  #expected = new PlainGraph()
  /** The outcomes of the transactions of the round. */
  #log: Array<string> = []

  constructor(seed: number, place: Place) {
    this.#random = new Random(seed)
    this.#place = place
  }

  /** Fails with the first error. */
  async run(rounds: number): Promise<void> {
    this.#graph = await cellGraph(await this.#place.open(this.#random), { clock: () => this.#now })
    await makeTypes(this.#graph)
    await makeIndexes(this.#graph)
    for (let round = 0; round < rounds; round++) {
      try {
        await this.#round()
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        throw new Error(`round ${round}: ${message}\n${this.#log.join("\n")}`, { cause: error })
      }
    }
    await this.#graph.close()
  }

  async #round(): Promise<void> {
    const random = this.#random
    this.#log = []
    const timePasses = random.oneIn(5)
    if (this.#expected.vertices.size < 2 || this.#expected.vertices.size > 6) {
      await this.#removeAll()
      await this.#populate()
    }
    const transactions: Array<ChangingTransaction> = []
    for (let left = 2 + random.below(2); left > 0; left--) {
      transactions.push(new ChangingTransaction(this.#graph.begin(), this.#expected, random))
      if (timePasses && random.oneIn(2)) this.#now += LIFETIME_MS
    }
    for (const transaction of transactions) await transaction.change(1 + random.below(4))
    if (random.oneIn(2)) transactions.reverse()
    const isSequential = random.oneIn(2)
    const ends: Array<Promise<ReadonlyArray<Change>>> = []
    for (const [at, transaction] of transactions.entries()) {
      const isFirst = at === 0 && isSequential && !timePasses
      const end = this.#commit(transaction, isFirst && this.#place.hasSnapshots)
      ends.push(end)
      if (isSequential) this.#expect(await end)
    }
    // The order of these commits is unknown, except that an edge must be added before one of its ends is removed.
    if (!isSequential) this.#expect((await Promise.all(ends)).flat().sort(additionsFirst))
    await this.#check(timePasses)
    if (timePasses) await this.#removeAll()
  }

  async #populate(): Promise<void> {
    const transaction = new ChangingTransaction(this.#graph.begin(), this.#expected, this.#random)
    for (let left = 3; left > 0; left--) await transaction.addVertex()
    for (let left = 3 + this.#random.below(4); left > 0; left--) await transaction.attempt(() => transaction.addEdge())
    this.#expect(await this.#commit(transaction, false))
  }

  #expect(changes: ReadonlyArray<Change>): void {
    for (const { apply } of changes) apply(this.#expected)
  }

  /** Commits a transaction. Returns its changes; none when the commit was refused. */
  async #commit(transaction: ChangingTransaction, isFirst: boolean): Promise<ReadonlyArray<Change>> {
    try {
      await settled(transaction.transaction.commit())
    } catch (error) {
      const isExpected = error instanceof UnsupportedValue || (error instanceof TransactionConflict && !isFirst)
      if (!isExpected) throw error
      this.#log.push(`refused (${error.message}): ${transaction.text}`)
      return []
    }
    this.#log.push(`committed: ${transaction.text}`)
    return transaction.changes
  }

  async #check(timePassed: boolean): Promise<void> {
    const findings = await findingsOf(this.#graph)
    if (findings.length > 0) throw new Error(findings.join("\n"))
    if (timePassed) return
    this.#expected.assertRules()
    const transaction = this.#graph.begin({ readOnly: true })
    const [found, expected] = [await this.#text(transaction), this.#expected.text()]
    transaction.rollback()
    if (found !== expected) throw new Error(`The graph is\n${found}\nand should be\n${expected}`)
  }

  /** All elements that a transaction reads, in the format of {@link PlainGraph.text}. */
  async #text(transaction: GraphTransaction): Promise<string> {
    const fields = async (traversal: string): Promise<ReadonlyArray<ReadonlyArray<unknown>>> => {
      const found = await runLater(this.#graph, traversal, { transaction })
      return found.map((map) => [...(map as ReadonlyMap<string, unknown>).values()])
    }
    const elements = async (all: string, isVertex: boolean): Promise<ReadonlyArray<string>> => {
      const meta = isVertex ? ".by(properties().fold())" : ".by(constant([]))"
      const properties = `properties().project('k','v','m').by(key()).by(value())${meta}.fold()`
      const found = await fields(`${all}.project('i','l','p').by(id()).by(label()).by(${properties})`)
      return found
        .map(([id, label, list]) =>
          elementText(String(id), String(label), (list as ReadonlyArray<Map<string, unknown>>).map(pair))
        )
        .sort()
    }
    const vertices = await elements("g.V()", true)
    const [around, scanned] = [await elements("g.V().outE()", false), await elements("g.E()", false)]
    if (around.join() !== scanned.join()) throw new Error(`g.E() gives ${scanned}, and g.V().outE() ${around}`)
    return [...vertices, ...around].join("\n")
  }

  async #removeAll(): Promise<void> {
    const transaction = new ChangingTransaction(this.#graph.begin(), this.#expected, this.#random)
    await transaction.removeAll()
    await settled(transaction.transaction.commit())
    this.#expected = new PlainGraph()
    const findings = await findingsOf(this.#graph)
    if (findings.length > 0) throw new Error(findings.join("\n"))
  }
}

const additionsFirst = (one: Change, other: Change): number => Number(isAddition(other)) - Number(isAddition(one))

const isAddition = ({ text }: Change): boolean => text.startsWith("add vertex") || text.startsWith("add edge")

/** A property, projected as `k`, `v` and its meta-properties `m`. */
const pair = (map: ReadonlyMap<string, unknown>): readonly [string, string] => {
  const meta = (map.get("m") as ReadonlyArray<{ readonly key: string; readonly value: unknown }>).map(
    ({ key, value }) => `{${key}=${String(value)}}`
  )
  return [String(map.get("k")), `${String(map.get("v"))}${meta.join("")}`]
}

/** Creates an index of each kind over vertices and over edges, and a vertex-centric index of each edge label. */
const makeIndexes = async ({ management }: CellGraph): Promise<void> => {
  const editor = await management.edit()
  const [a, s, u, w] = ["a", "s", "u", "w"].map((name) => editor.key(name)!)
  for (const element of ["vertex", "edge"] as const) {
    const index = (kind: "equality" | "ordered" | "mixed", keys: ReadonlyArray<typeof a>) =>
      ({ name: `${element} ${kind}`, element, kind, unique: false, keys: keys.map((key) => key!) }) as const
    editor.makeIndex({ ...index("equality", [a, s]), inlineKeys: element === "vertex" ? [w!] : [] })
    editor.makeIndex(index("ordered", [s]))
    editor.makeIndex({ ...index("mixed", [a, s]), mappings: ["DEFAULT", "DEFAULT"] })
    editor.makeIndex({ ...index("equality", [u]), name: `${element} unique`, unique: true })
  }
  for (const [at, label] of edgeLabels.entries()) {
    const base = editor.label(label)!
    if (base.multiplicity === "ONE2ONE") continue
    editor.makeRelationIndex(base, `${label} sorted`, (["BOTH", "OUT", "IN"] as const)[at % 3]!, at % 2 === 0, [a!])
  }
  editor.makeRelationIndex(editor.key("l")!, "l sorted", "OUT", false, [editor.key("m")!])
  await management.commit(editor)
  const schema = await management.schema()
  for (const { name } of schema.indexes) await management.built(name)
  for (const { type } of schema.relationIndexes) await management.done(type.id)
}
