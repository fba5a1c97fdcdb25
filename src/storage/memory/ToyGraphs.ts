import type { Pending } from "../../scheduling/Pending.ts"
import type { Ref } from "../../structure/elements/Element.ts"
import type { GraphFeatures, GraphStore, GraphTransaction } from "../../structure/graph/GraphStore.ts"
import { double, Float } from "../../structure/numbers/Numbers.ts"
import { Cardinality } from "../../structure/scalars/Enums.ts"
import { MemoryGraph } from "./MemoryGraph.ts"
import { tinkerGraph } from "./Options.ts"

/**
 * TinkerPop's toy graphs with the ids that documentation and tests know: Int ids of vertices and edges, and the ids of
 * vertex properties as TinkerFactory's counter allocates them.
 */
export type ToyGraph = "modern" | "classic" | "crew" | "sink"

/** A TinkerGraph with one of the toy graphs in it, its id managers and cardinality as TinkerFactory sets them. */
export const toyGraph = (toy: ToyGraph, name: string = toy): MemoryGraph => {
  const graph = new MemoryGraph(
    tinkerGraph(name, {
      vertexIdManager: "INTEGER",
      edgeIdManager: "INTEGER",
      vertexPropertyIdManager: toy === "classic" ? "INTEGER" : "LONG",
      defaultVertexPropertyCardinality: toy === "crew" ? "list" : "single"
    })
  )
  loadToyGraph(toy, graph)
  return graph
}

/**
 * Adds a toy graph to a graph in one transaction, with its ids where the graph takes ids; returns what the commit returns. Throws
 * ElementExists when an id is taken.
 */
export const loadToyGraph = (toy: ToyGraph, store: GraphStore): Pending | undefined => {
  const transaction = store.begin()
  try {
    addToyGraph(toy, transaction)
    return transaction.commit()
  } catch (error) {
    transaction.rollback()
    throw error
  }
}

/** Adds a toy graph in a transaction. Its ids are those of {@link loadToyGraph}. */
export const addToyGraph = (toy: ToyGraph, transaction: GraphTransaction): void =>
  loaders[toy](new Builder(transaction, toy === "classic" ? Number : BigInt))

class Builder {
  readonly #transaction: GraphTransaction
  readonly #features: GraphFeatures
  readonly #propertyId: (number: number) => unknown
  readonly #vertices = new Map<number, Ref>()
  #properties = 0

  constructor(transaction: GraphTransaction, propertyId: (number: number) => unknown) {
    this.#transaction = transaction
    this.#features = transaction.store.features
    this.#propertyId = propertyId
  }

  vertex(id: number, label: string, properties: Readonly<Record<string, unknown>>): void {
    this.#vertices.set(id, this.#transaction.addVertex(label, this.#features.userSuppliedVertexIds ? id : undefined))
    for (const [key, value] of Object.entries(properties)) this.property(id, key, value)
  }

  property(vertex: number, key: string, value: unknown, meta: Readonly<Record<string, number>> = {}): void {
    const entries = Object.entries(meta)
    const id = this.#propertyId(this.#properties++)
    this.#transaction.setVertexProperty(
      this.#vertices.get(vertex)!,
      // Only the properties of which a person has several have meta-properties.
      entries.length === 0 ? this.#features.creationCardinality : Cardinality.list,
      key,
      value,
      {
        id: this.#features.userSuppliedVertexPropertyIds ? id : undefined,
        meta: entries.length === 0 ? null : new Map(entries)
      }
    )
  }

  edge(id: number, out: number, label: string, into: number, properties: Readonly<Record<string, unknown>> = {}): void {
    const given = this.#features.userSuppliedEdgeIds ? id : undefined
    const edge = this.#transaction.addEdge(this.#vertices.get(out)!, label, this.#vertices.get(into)!, given)
    for (const [key, value] of Object.entries(properties)) this.#transaction.setEdgeProperty(edge, key, value)
  }
}

/** Six people and programs: the same in modern and classic, but for labels and the kind of the weights. */
const peopleAndSoftware = (graph: Builder, person: string, software: string, weight: (value: number) => unknown) => {
  graph.vertex(1, person, { name: "marko", age: 29 })
  graph.vertex(2, person, { name: "vadas", age: 27 })
  graph.vertex(3, software, { name: "lop", lang: "java" })
  graph.vertex(4, person, { name: "josh", age: 32 })
  graph.vertex(5, software, { name: "ripple", lang: "java" })
  graph.vertex(6, person, { name: "peter", age: 35 })
  graph.edge(7, 1, "knows", 2, { weight: weight(0.5) })
  graph.edge(8, 1, "knows", 4, { weight: weight(1) })
  graph.edge(9, 1, "created", 3, { weight: weight(0.4) })
  graph.edge(10, 4, "created", 5, { weight: weight(1) })
  graph.edge(11, 4, "created", 3, { weight: weight(0.4) })
  graph.edge(12, 6, "created", 3, { weight: weight(0.2) })
}

const crew = (graph: Builder): void => {
  graph.vertex(1, "person", { name: "marko" })
  graph.vertex(7, "person", { name: "stephen" })
  graph.vertex(8, "person", { name: "matthias" })
  graph.vertex(9, "person", { name: "daniel" })
  graph.vertex(10, "software", { name: "gremlin" })
  graph.vertex(11, "software", { name: "tinkergraph" })
  const lived: ReadonlyArray<readonly [person: number, location: string, from: number, until?: number]> = [
    [1, "san diego", 1997, 2001],
    [1, "santa cruz", 2001, 2004],
    [1, "brussels", 2004, 2005],
    [1, "santa fe", 2005],
    [7, "centreville", 1990, 2000],
    [7, "dulles", 2000, 2006],
    [7, "purcellville", 2006],
    [8, "bremen", 2004, 2007],
    [8, "baltimore", 2007, 2011],
    [8, "oakland", 2011, 2014],
    [8, "seattle", 2014],
    [9, "spremberg", 1982, 2005],
    [9, "kaiserslautern", 2005, 2009],
    [9, "aachen", 2009]
  ]
  for (const [person, location, startTime, endTime] of lived) {
    graph.property(person, "location", location, endTime === undefined ? { startTime } : { startTime, endTime })
  }
  graph.edge(13, 1, "develops", 10, { since: 2009 })
  graph.edge(14, 1, "develops", 11, { since: 2010 })
  graph.edge(15, 1, "uses", 10, { skill: 4 })
  graph.edge(16, 1, "uses", 11, { skill: 5 })
  graph.edge(17, 7, "develops", 10, { since: 2010 })
  graph.edge(18, 7, "develops", 11, { since: 2011 })
  graph.edge(19, 7, "uses", 10, { skill: 5 })
  graph.edge(20, 7, "uses", 11, { skill: 4 })
  graph.edge(21, 8, "develops", 10, { since: 2012 })
  graph.edge(22, 8, "uses", 10, { skill: 3 })
  graph.edge(23, 8, "uses", 11, { skill: 3 })
  graph.edge(24, 9, "uses", 10, { skill: 5 })
  graph.edge(25, 9, "uses", 11, { skill: 3 })
  graph.edge(26, 10, "traverses", 11)
}

const sink = (graph: Builder): void => {
  graph.vertex(1000, "loops", { name: "loop" })
  graph.edge(1001, 1000, "self", 1000)
  graph.vertex(2000, "message", { name: "a" })
  graph.vertex(2001, "message", { name: "b" })
  graph.edge(2002, 2000, "link", 2001)
  graph.edge(2003, 2000, "link", 2000)
}

const loaders: { readonly [Toy in ToyGraph]: (graph: Builder) => void } = {
  modern: (graph) => peopleAndSoftware(graph, "person", "software", double),
  classic: (graph) => peopleAndSoftware(graph, "vertex", "vertex", (weight) => new Float(weight)),
  crew,
  sink
}
