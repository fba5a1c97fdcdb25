import { join } from "node:path"
import { backupGraph, restoreGraph } from "../../../src/layers/tools/Backup.ts"
import { ToolFailure } from "../../../src/layers/tools/Report.ts"
import { verifyGraph } from "../../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { LmdbStore } from "../../../src/storage/lmdb/LmdbStore.ts"
import type { Ref } from "../../../src/structure/elements/Element.ts"
import { ElementNotFound, TransactionConflict, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { newFolder } from "../../Folders.ts"
import { runLater } from "../../process/run.ts"
import { settled } from "../../storage/Completion.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { context, imported, written } from "./Graphs.ts"
import { changeSchema, edgeLabels, makeTypes, Random, schemaChanges, vertexLabels } from "./RandomSchema.ts"

/** The store, and whether rows are read in small pieces. */
export type Place = "memory" | "pieces" | "lmdb"

const SINGLES = ["a", "s", "u", "f", "w"]
const OF_EDGES = ["a", "s", "u", "f"]

/** Work that may fail because of other work. A run in which all of some kind fails has not tested it. */
export const workKinds = [...schemaChanges, "import", "commit"] as const

/** A kind of such work. */
export type WorkKind = (typeof workKinds)[number]

/** Errors that transactions and schema changes may fail with. */
const isExpected = (error: unknown): boolean =>
  error instanceof TransactionConflict || error instanceof UnsupportedValue || error instanceof ElementNotFound

/** Runs concurrent transactions over a graph while its schema and indexes change, from one seed. */
export class RandomWork {
  readonly #random: Random
  readonly #place: Place
  /** Time advances only in the test. */
  #now = 1_000_000
  #graph!: CellGraph
  #directory = join(newFolder(), "graph")
  #open: Array<{ readonly transaction: GraphTransaction; readonly version: number }> = []
  readonly #vertices: Array<unknown> = []
  readonly #edges: Array<unknown> = []
  readonly #background = new Set<Promise<void>>()
  #unexpected: unknown
  readonly #done: Map<WorkKind, number>

  /** @param done counts the work that succeeds, by its kind */
  constructor(seed: number, place: Place, done = new Map<WorkKind, number>()) {
    this.#random = new Random(seed)
    this.#place = place
    this.#done = done
  }

  async #begin(): Promise<void> {
    const store =
      this.#place === "lmdb"
        ? await lmdbStore({ directory: this.#directory, sync: "none" })
        : new MemoryCellStore(this.#place === "pieces" ? { pageSize: 3 } : {})
    this.#graph = await cellGraph(store, { clock: () => this.#now, idBlockSize: 50 })
  }

  /** Throws when something is wrong. */
  async run(steps: number): Promise<void> {
    await this.#begin()
    await makeTypes(this.#graph)
    for (let step = 0; step < steps; step++) {
      if (this.#open.length === 0 || (this.#open.length < 3 && this.#random.oneIn(25))) this.#openTransaction()
      await this.#step(this.#random.below(100))
      if (this.#unexpected !== undefined) throw this.#unexpected
      if (this.#random.oneIn(4)) await new Promise((resume) => setImmediate(resume))
    }
    await this.#rest()
    await this.#check()
    await this.#graph.close()
  }

  async #step(kind: number): Promise<void> {
    const { transaction } = this.#random.pick(this.#open)
    if (kind < 60) this.#write(transaction)
    else if (kind < 72) await this.#commit(transaction)
    else if (kind < 73) transaction.savepoint?.()
    else if (kind < 74) transaction.rollbackToSavepoint?.()
    else if (kind < 78) this.#now += this.#random.pick([1000, 5000, 10_000])
    else if (kind < 84) this.#meanwhile(() => changeSchema(this.#graph, this.#random))
    else if (kind < 94) await this.#ask(transaction)
    else if (kind < 95) this.#meanwhile(() => this.#import())
    else if (kind < 97) {
      await this.#rest()
      await this.#check()
    } else if (kind < 98 && this.#place === "lmdb") await this.#restart()
  }

  #openTransaction(): void {
    this.#open.push({ transaction: this.#graph.begin(), version: this.#version() })
  }

  #version(): number {
    const snapshot = this.#graph.core.cells.snapshot()
    snapshot.close()
    return snapshot.version
  }

  #count(kind: WorkKind): void {
    this.#done.set(kind, (this.#done.get(kind) ?? 0) + 1)
  }

  #meanwhile(work: () => Promise<WorkKind>): void {
    const done = work()
      .then(
        (kind) => this.#count(kind),
        (error: unknown) => {
          if (!isExpected(error) && !(error instanceof ToolFailure)) this.#unexpected ??= error
        }
      )
      .finally(() => this.#background.delete(done))
    this.#background.add(done)
  }

  /** Commits all transactions, and waits for background work. */
  async #rest(): Promise<void> {
    for (const { transaction } of [...this.#open]) await this.#commit(transaction)
    while (this.#background.size > 0) await Promise.all(this.#background)
    if (this.#unexpected !== undefined) throw this.#unexpected
  }

  // Transactions

  #write(transaction: GraphTransaction): void {
    try {
      this.#change(transaction)
    } catch (error) {
      if (!isExpected(error)) throw error
    }
  }

  #change(transaction: GraphTransaction): void {
    const random = this.#random
    const kind = random.below(12)
    const [ref, other] = [this.#vertex(transaction), this.#vertex(transaction)]
    if (kind < 2 || ref === -1 || other === -1) {
      const made = transaction.addVertex(random.pick(vertexLabels), undefined)
      this.#vertices.push(transaction.vertexId(made))
      for (let left = random.below(4); left > 0; left--) this.#set(transaction, made)
    } else if (kind < 5) this.#set(transaction, ref)
    else if (kind < 6) {
      const properties = transaction.vertexProperties(ref, null)
      if (properties.length > 0) transaction.removeVertexProperty(random.pick(properties))
    } else if (kind < 7) {
      if (random.oneIn(2)) transaction.removeVertex(ref)
    } else if (kind < 10) {
      const edge = transaction.addEdge(ref, random.pick(edgeLabels), other, undefined)
      this.#edges.push(transaction.edgeId(edge))
      for (let left = random.below(3); left > 0; left--) this.#setOfEdge(transaction, edge)
    } else if (this.#edges.length > 0) {
      const edge = transaction.edgeRef(random.pick(this.#edges))
      if (edge === -1) return
      if (kind < 11) this.#setOfEdge(transaction, edge)
      else transaction.removeEdge(edge)
    }
  }

  #vertex(transaction: GraphTransaction): Ref {
    return this.#vertices.length < 3 ? -1 : transaction.vertexRef(this.#random.pick(this.#vertices))
  }

  #set(transaction: GraphTransaction, ref: Ref): void {
    const key = this.#random.pick([...SINGLES, "l", "t"])
    const cardinality = key === "l" ? Cardinality.list : key === "t" ? Cardinality.set : null
    const meta = this.#random.oneIn(3) ? new Map([["m", this.#random.below(4)]]) : null
    transaction.setVertexProperty(ref, cardinality, key, this.#random.value(key), { meta })
  }

  #setOfEdge(transaction: GraphTransaction, edge: Ref): void {
    const key = this.#random.pick(OF_EDGES)
    transaction.setEdgeProperty(edge, key, this.#random.value(key))
  }

  /** A conflict is wrong when no other transaction has committed. */
  async #commit(transaction: GraphTransaction): Promise<void> {
    const { version } = this.#open.find((each) => each.transaction === transaction)!
    this.#open = this.#open.filter((each) => each.transaction !== transaction)
    const isAlone = version === this.#version() && this.#background.size === 0
    try {
      await settled(transaction.commit())
      this.#count("commit")
    } catch (error) {
      if (!isExpected(error) || (isAlone && error instanceof TransactionConflict)) throw error
    }
  }

  async #import(): Promise<WorkKind> {
    const random = this.#random
    const vertices = [0, 1].map(
      (at) => `x${at},person,${random.below(6)},${random.pick(["ab", "b"])},${random.below(40)}`
    )
    const files = written({
      "v.csv": `~id,~label,a:Int,s:String,u:Int\n${vertices.join("\n")}\n`,
      "e.csv": `~id,~from,~to,~label,a:Int\ne0,x1,x0,multi,${random.below(5)}\n`
    })
    await imported(this.#graph, files, { shared: true })
    return "import"
  }

  /** Closes the graph and reopens it, or a graph restored from a backup of it. */
  async #restart(): Promise<void> {
    await this.#rest()
    const file = join(newFolder(), "backup")
    const isRestored = this.#random.oneIn(2)
    if (isRestored) await backupGraph(this.#graph, file, context())
    await this.#graph.close()
    if (isRestored) {
      this.#directory = join(newFolder(), "graph")
      await restoreGraph(file, this.#directory, (directory) => lmdbStore({ directory, sync: "none" }), context())
    }
    await this.#begin()
    if (!(this.#graph.core.cells instanceof LmdbStore)) throw new Error("not the store that was closed")
  }

  // What must hold

  /** An index finds the same elements as a full scan, in the requested order. */
  async #ask(transaction: GraphTransaction): Promise<void> {
    const random = this.#random
    const of = random.oneIn(3) ? "E" : "V"
    const label = random.oneIn(3) ? `.hasLabel('${of === "V" ? "person" : "multi"}')` : ""
    const keys = of === "E" ? OF_EDGES : [...SINGLES, "l", "t"]
    const conditions = Array.from({ length: random.below(3) }, () => random.condition(random.pick(keys))).join("")
    const by = random.pick(["a", "u"])
    const order = `.order().by('${by}'${random.oneIn(2) ? ", desc" : ""}).limit(3).values('${by}')`
    const tail = conditions === "" || random.oneIn(3) ? order : ".id()"
    await this.#same(transaction, `g.${of}()`, `${label}${conditions}${tail}`, tail === order)
    if (this.#vertices.length === 0) return
    const edges = `g.V(${this.#random.pick(this.#vertices)}).${random.pick(["outE", "inE"])}('${random.pick(edgeLabels)}')`
    await this.#same(transaction, edges, `${random.condition(random.pick(["a", "f", "u"]))}.id()`, false)
  }

  async #same(transaction: GraphTransaction, from: string, asked: string, inOrder: boolean): Promise<void> {
    const results = async (traversal: string): Promise<string> => {
      const found = (await runLater(this.#graph, traversal, { transaction })).map(String)
      return (inOrder ? found : found.sort()).join()
    }
    // No strategy moves a filter over these two steps to the index.
    const [found, expected] = [await results(`${from}${asked}`), await results(`${from}.fold().unfold()${asked}`)]
    if (found !== expected) throw new Error(`${from}${asked} gives ${found}, and should give ${expected}`)
  }

  /** verify finds nothing, and live elements satisfy multiplicities and unique indexes. */
  async #check(): Promise<void> {
    await verifyGraph(this.#graph, false, context())
    const transaction = this.#graph.begin({ readOnly: true })
    const places = new Set<string>()
    const take = (place: string): void => {
      if (places.has(place)) throw new Error(`two have the place ${place}`)
      places.add(place)
    }
    const { indexes, labels } = this.#graph.core.schema
    for (const [name, { multiplicity }] of labels) {
      const ends = await runLater(
        this.#graph,
        `g.V().outE('${name}').project('o','i').by(outV().id()).by(inV().id())`,
        {
          transaction
        }
      )
      for (const [out, into] of ends.map((map) => [...(map as ReadonlyMap<string, unknown>).values()].map(String))) {
        if (multiplicity === "SIMPLE") take(`${name} ${out} ${into}`)
        if (multiplicity === "ONE2ONE" || multiplicity === "MANY2ONE") take(`${name} out ${out}`)
        if (multiplicity === "ONE2ONE" || multiplicity === "ONE2MANY") take(`${name} in ${into}`)
      }
    }
    for (const { element, fields, name, onlyLabel, status, unique } of indexes) {
      if (status !== "ENABLED") continue
      if (!unique || onlyLabel !== undefined) continue
      const all = `g.${element === "vertex" ? "V" : "E"}().fold().unfold()`
      const present = fields.map((key) => `.has('${key.name}')`).join("")
      const values = fields.map((key) => `values('${key.name}')`).join(",")
      const found = await runLater(this.#graph, `${all}${present}.map(union(${values}).fold())`, { transaction })
      for (const each of found) take(`${name} ${String(each)}`)
    }
    transaction.rollback()
  }
}
