import { Pending } from "../../../src/scheduling/Pending.ts"
import type { Ref } from "../../../src/structure/elements/Element.ts"
import { ElementNotFound, UnsupportedValue } from "../../../src/structure/errors/StoreErrors.ts"
import type { GraphTransaction } from "../../../src/structure/graph/GraphStore.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { edgeLabels, type Random, vertexLabels } from "../../layers/tools/RandomSchema.ts"
import { column, fetched } from "../Completion.ts"
import { around } from "../Reads.ts"
import type { PlainGraph } from "./PlainGraph.ts"

const SINGLES = ["a", "s", "u", "f", "w"]
const OF_EDGES = ["a", "s", "u", "f"]

/** A change that is applied to a plain graph after its transaction was committed. */
export interface Change {
  /** A description for messages. */
  readonly text: string
  readonly apply: (graph: PlainGraph) => void
}

/** The net change of a property with one value: the value in the snapshot, and the last value that was set. */
interface NetChange {
  readonly element: string
  readonly key: string
  readonly base: string | undefined
  value: string | undefined
}

/** A transaction that makes random changes to the elements of a plain graph, and records them. */
export class ChangingTransaction {
  readonly transaction: GraphTransaction
  readonly #random: Random
  readonly #vertices: Array<string>
  readonly #edges: Array<string>
  #made: Array<Change> = []
  /** The edges that the transaction has added, each with its change. Removing the edge drops the change. */
  readonly #addedEdges = new Map<string, Change>()
  readonly #singles = new Map<string, NetChange>()
  readonly #ofEdges = new Map<string, NetChange>()

  constructor(transaction: GraphTransaction, graph: PlainGraph, random: Random) {
    this.transaction = transaction
    this.#random = random
    this.#vertices = [...graph.vertices.keys()]
    this.#edges = [...graph.edges.keys()]
  }

  /** The net changes of the transaction. Setting the original value again is not a change. */
  get changes(): ReadonlyArray<Change> {
    const singles = [...this.#singles.values()].filter(({ base, value }) => base !== undefined || value !== undefined)
    const ofEdges = [...this.#ofEdges.values()].filter(({ base, value }) => base !== value)
    return [
      ...this.#made,
      ...singles.map(({ element, key, value }) =>
        change(`set ${key}=${value} of vertex ${element}`, (graph) => graph.setSingle(element, key, value))
      ),
      ...ofEdges.map(({ element, key, value }) =>
        change(`set ${key}=${value} of edge ${element}`, (graph) => graph.setOfEdge(element, key, value))
      )
    ]
  }

  /** A description of the changes for messages. */
  get text(): string {
    return this.changes.map(({ text }) => text).join(", ")
  }

  #add(text: string, apply: Change["apply"]): void {
    this.#made.push(change(text, apply))
  }

  /** Makes some random changes. */
  async change(count: number): Promise<void> {
    for (let left = count; left > 0; left--) await this.attempt(() => this.#one(this.#random.below(20)))
  }

  /** Makes a change. A change that the graph refuses has no effect. */
  async attempt(change: () => Promise<void>): Promise<void> {
    try {
      await change()
    } catch (error) {
      if (!(error instanceof UnsupportedValue || error instanceof ElementNotFound)) throw error
    }
  }

  async #one(kind: number): Promise<void> {
    if (kind < 1) await this.addVertex()
    else if (kind < 4) await this.addEdge()
    else if (kind < 7) await this.#setOfVertex()
    else if (kind < 8) await this.#removeOfVertex()
    else if (kind < 13) await this.#setOfEdge()
    else if (kind < 15) await this.#removeEdge()
    else if (kind < 17) await this.#removeVertex()
    else if (kind < 19) await this.#removeEdgeWithEnd()
    else await this.#removeOfEdge()
  }

  async #vertex(id: string): Promise<Ref> {
    await fetched(this.transaction, { kind: "vertexIds", ids: [Number(id)] })
    const ref = this.transaction.vertexRef(Number(id))
    if (ref !== -1) await fetched(this.transaction, { kind: "vertex", ...column(this.transaction, ref), keys: null })
    return ref
  }

  async #edge(id: string): Promise<Ref> {
    await fetched(this.transaction, { kind: "edgeIds", ids: [id] })
    const ref = this.transaction.edgeRef(id)
    if (ref !== -1) await fetched(this.transaction, { kind: "edge", ...column(this.transaction, ref), keys: null })
    return ref
  }

  async addVertex(): Promise<void> {
    const label = this.#random.pick(vertexLabels)
    await Pending.toPromise(this.transaction.newIds?.())
    const ref = this.transaction.addVertex(label, undefined)
    const id = String(this.transaction.vertexId(ref))
    this.#vertices.push(id)
    this.#add(`add vertex ${id} ${label}`, (graph) => graph.addVertex(id, label))
    for (let left = this.#random.below(4); left > 0; left--) this.#setAt(ref, id)
  }

  async addEdge(): Promise<void> {
    if (this.#vertices.length === 0) return
    const [out, into] = [this.#random.pick(this.#vertices), this.#random.pick(this.#vertices)]
    const label = this.#random.pick(edgeLabels)
    const [outRef, intoRef] = [await this.#vertex(out), await this.#vertex(into)]
    if (outRef === -1 || intoRef === -1) return
    const ref = this.transaction.addEdge(outRef, label, intoRef, undefined)
    const id = String(this.transaction.edgeId(ref))
    this.#edges.push(id)
    this.#add(`add edge ${id} ${label} ${out}-${into}`, (graph) => graph.addEdge(id, label, out, into))
    this.#addedEdges.set(id, this.#made.at(-1)!)
    for (let left = this.#random.below(3); left > 0; left--) this.#setAtEdge(ref, id)
  }

  async #setOfVertex(): Promise<void> {
    if (this.#vertices.length === 0) return
    const id = this.#random.pick(this.#vertices)
    const ref = await this.#vertex(id)
    if (ref !== -1) this.#setAt(ref, id)
  }

  #setAt(ref: Ref, id: string): void {
    const { transaction } = this
    const key = this.#random.pick([...SINGLES, "l", "t"])
    const value = this.#random.value(key)
    const meta = key !== "t" && this.#random.oneIn(3) ? new Map([["m", this.#random.below(4)]]) : null
    const text = `${String(value)}${meta === null ? "" : `{m=${meta.get("m")}}`}`
    if (key !== "l" && key !== "t") {
      const base = this.#valuesOf(ref, key)[0]
      transaction.setVertexProperty(ref, null, key, value, { meta })
      netChange(this.#singles, id, key, base).value = text
      return
    }
    const cardinality = key === "l" ? Cardinality.list : Cardinality.set
    transaction.setVertexProperty(ref, cardinality, key, value, { meta })
    this.#add(`add ${key}=${text} to vertex ${id}`, (graph) => graph.addValue(id, key, text, key === "t"))
  }

  #valuesOf(ref: Ref, key: string): ReadonlyArray<string> {
    return this.transaction.vertexProperties(ref, [key]).map(({ value }) => String(value))
  }

  async #removeOfVertex(): Promise<void> {
    if (this.#vertices.length === 0) return
    const id = this.#random.pick(this.#vertices)
    const ref = await this.#vertex(id)
    if (ref === -1) return
    const properties = this.transaction.vertexProperties(ref, [...SINGLES, "l"])
    if (properties.length === 0) return
    const property = this.#random.pick(properties)
    const meta = property.properties().map(({ key, value }) => `{${key}=${String(value)}}`)
    const text = `${String(property.value)}${meta.join("")}`
    const { key } = property
    this.transaction.removeVertexProperty(property)
    const added = this.#made.find((each) => each.text === `add l=${text} to vertex ${id}`)
    if (key !== "l") netChange(this.#singles, id, key, text).value = undefined
    else if (added !== undefined) this.#made = this.#made.filter((each) => each !== added)
    else this.#add(`remove ${key}=${text} of vertex ${id}`, (graph) => graph.removeValue(id, key, text))
  }

  async #setOfEdge(): Promise<void> {
    if (this.#edges.length === 0) return
    const id = this.#random.pick(this.#edges)
    const ref = await this.#edge(id)
    if (ref !== -1) this.#setAtEdge(ref, id)
  }

  #setAtEdge(ref: Ref, id: string): void {
    const key = this.#random.pick(OF_EDGES)
    const value = this.#random.value(key)
    const [before] = this.transaction.edgeProperties(ref, [key])
    this.transaction.setEdgeProperty(ref, key, value)
    netChange(this.#ofEdges, id, key, before && String(before.value)).value = String(value)
  }

  async #removeOfEdge(): Promise<void> {
    if (this.#edges.length === 0) return
    const id = this.#random.pick(this.#edges)
    const ref = await this.#edge(id)
    const properties = ref === -1 ? [] : this.transaction.edgeProperties(ref, null)
    if (properties.length === 0) return
    const property = this.#random.pick(properties)
    this.transaction.removeProperty(property)
    netChange(this.#ofEdges, id, property.key, String(property.value)).value = undefined
  }

  async #removeEdge(): Promise<void> {
    if (this.#edges.length > 0) await this.#removeEdgeAt(this.#random.pick(this.#edges))
  }

  async #removeEdgeAt(id: string): Promise<void> {
    const ref = await this.#edge(id)
    if (ref === -1) return
    this.transaction.removeEdge(ref)
    if (!this.#forgetEdge(id)) this.#add(`remove edge ${id}`, (graph) => graph.removeEdge(id))
  }

  /** Drops the changes of an edge that is removed; true when the transaction had added the edge. */
  #forgetEdge(id: string): boolean {
    for (const [name, { element }] of this.#ofEdges) if (element === id) this.#ofEdges.delete(name)
    const added = this.#addedEdges.get(id)
    this.#made = this.#made.filter((each) => each !== added)
    return added !== undefined
  }

  async #removeVertex(): Promise<void> {
    if (this.#vertices.length > 0) await this.#removeVertexAt(this.#random.pick(this.#vertices))
  }

  async #removeVertexAt(id: string): Promise<void> {
    const { transaction } = this
    const ref = await this.#vertex(id)
    if (ref === -1) return
    const all = { ...column(transaction, ref), direction: "BOTH", labels: null, edges: true } as const
    await fetched(transaction, { kind: "adjacent", ...all })
    for (const edge of around(transaction, ref, "BOTH", null, true)) this.#forgetEdge(String(transaction.edgeId(edge)))
    transaction.removeVertex(ref)
    for (const [name, { element }] of this.#singles) if (element === id) this.#singles.delete(name)
    this.#add(`remove vertex ${id}`, (graph) => graph.removeVertex(id))
  }

  /** Removes an edge and one of its vertices: the row of a removed vertex has no cells of unidirected edges to it. */
  async #removeEdgeWithEnd(): Promise<void> {
    if (this.#edges.length === 0) return
    const id = this.#random.pick(this.#edges)
    const ref = await this.#edge(id)
    if (ref === -1) return
    const { inVertex, outVertex } = this.transaction.edge(ref)
    await this.#removeEdgeAt(id)
    await this.#removeVertexAt(String(this.#random.oneIn(3) ? outVertex.id : inVertex.id))
  }

  /** Removes all vertices of the plain graph. */
  async removeAll(): Promise<void> {
    for (const id of this.#vertices) await this.#removeVertexAt(id)
  }
}

const change = (text: string, apply: Change["apply"]): Change => ({ text, apply })

const netChange = (all: Map<string, NetChange>, element: string, key: string, base: string | undefined): NetChange => {
  const name = `${element} ${key}`
  const change = all.get(name) ?? { element, key, base, value: base }
  all.set(name, change)
  return change
}
