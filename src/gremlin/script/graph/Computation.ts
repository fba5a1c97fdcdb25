import { Bytecode, Instruction } from "../../../process/language/Bytecode.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { keyOf } from "../../../structure/collections/Equivalence.ts"
import { HostConstant } from "../../../structure/collections/HostConstant.ts"
import {
  Detached,
  type Edge,
  type Property,
  type Vertex,
  type VertexProperty
} from "../../../structure/elements/Element.ts"
import { SubGraph } from "../../../structure/elements/SubGraph.ts"
import { text } from "../../../structure/texts/Text.ts"
import type { HostCall, ScriptRun } from "../../HostCall.ts"
import { type HostObject, ScriptSource } from "../../ScriptObjects.ts"
import type { Budget } from "../budget/Budget.ts"
import { noMethod } from "../closures/ClosureCalls.ts"
import { CalledValue } from "../methods/CalledValue.ts"
import { asText } from "../methods/MethodTable.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"
import { MapReduce, VertexProgram } from "./VertexPrograms.ts"

/** What a computation asks of the server. */
export interface ComputerHost {
  readonly budget: Budget
  /** Runs a traversal. */
  readonly results: (bytecode: Bytecode, source: ScriptSource) => ScriptRun
  /** Makes a graph in memory that only the request, or its session, uses. */
  readonly graphOf: (subGraph: SubGraph) => ScriptRun
}

/** The property of PeerPressureVertexProgram, which the jobs read. */
const CLUSTER = "gremlin.peerPressureVertexProgram.cluster"
const PATHS = "gremlin.shortestPathVertexProgram.shortestPaths"

/** Elements that are copied between two readings of the clock. */
const COPIED_ELEMENTS = 100

const step = (operator: string, ...args: readonly unknown[]): Instruction => new Instruction(operator, args)
const anonymous = (...steps: readonly Instruction[]): Bytecode => new Bytecode([], steps)

/** Projects each element with its properties, which the traversal reads while it runs. */
const WITH_PROPERTIES = [
  step("project", "element", "properties"),
  step("by"),
  step("by", anonymous(step("properties"), step("fold")))
]

/**
 * TinkerPop's `graph.compute()`: a computation over a whole graph that a script builds. It runs as a traversal of the graph, with the
 * access of the user. The graph of its result is a copy in memory, so the computed properties are not written to the graph.
 */
export class GraphComputation {
  readonly #graph: HostObject
  readonly #source: ScriptSource
  #program: VertexProgram | undefined
  readonly #jobs: Array<MapReduce> = []
  #hasEdges: boolean

  /** @param hasEdges whether the graph of the result has edges if the script does not say */
  constructor(graph: HostObject, source: ScriptSource, hasEdges: boolean) {
    this.#graph = graph
    this.#source = source
    this.#hasEdges = hasEdges
  }
  get [Symbol.toStringTag](): string {
    return "GraphComputer"
  }

  toString(): string {
    return "graphcomputer"
  }

  /** Calls a method. Fails with OperandError for an unknown method or wrong arguments. */
  *call(name: string, args: readonly unknown[], host: ComputerHost): ScriptRun {
    if (name === "submit" && args.length === 0) return new Submitted(yield* this.#run(host))
    if (name === "toString" && args.length === 0) return String(this)
    if (args.length !== 1) throw noMethod("a graph computer", name, METHODS)
    this.#set(name, args[0])
    return this
  }

  #set(name: string, value: unknown): void {
    const constant = value instanceof HostConstant ? value.name : ""
    if (name === "program" && value instanceof VertexProgram) {
      if (this.#program !== undefined) throw new OperandError("a graph computer runs one vertex program")
      this.#program = value
    } else if (name === "mapReduce" && value instanceof MapReduce) this.#jobs.push(value)
    else if (name === "persist" && constant === "EDGES") this.#hasEdges = true
    else if (name === "persist" && constant === "VERTEX_PROPERTIES") this.#hasEdges = false
    else if (name === "result" && constant === "ORIGINAL") {
      throw new Unavailable(
        "result(ORIGINAL) writes computed properties to the graph: write them by property() from the graph of the result"
      )
    } else if (name === "persist" && constant === "NOTHING") {
      throw new Unavailable("persist(NOTHING) gives an empty graph: leave the call out")
    } else if (!(name === "result" && constant === "NEW") && name !== "workers") {
      if (METHODS.includes(name)) throw new OperandError(`${name}() of a graph computer cannot take ${text(value)}`)
      throw noMethod("a graph computer", name, METHODS)
    }
  }

  *#run(host: ComputerHost): Generator<HostCall, ComputerResult, unknown> {
    const program = this.#program
    if (program === undefined) {
      throw new OperandError(
        "a graph computer needs a vertex program, such as program(PageRankVertexProgram.build().create())"
      )
    }
    const begun = Date.now()
    const { handle, instructions, name } = this.#source
    const source = new ScriptSource(name, [...instructions, step("withComputer")], handle)
    const memory = new GremlinMap()
    let graph: HostObject = this.#graph
    if (program.kind.findsPaths) {
      if (this.#jobs.length > 0)
        throw new Unavailable(`${this.#jobs[0]} counts the clusters of PeerPressureVertexProgram`)
      memory.set(PATHS, yield* host.results(anonymous(step("V"), ...program.steps), source))
    } else {
      const found = yield* host.results(anonymous(step("V"), ...program.steps, ...WITH_PROPERTIES), source)
      const vertices = found as readonly GremlinMap[]
      const edges = this.#hasEdges
        ? ((yield* host.results(anonymous(step("E"), ...WITH_PROPERTIES), this.#source)) as readonly GremlinMap[])
        : []
      for (const { memoryKey, name: job } of this.#jobs)
        memory.set(memoryKey, yield* counted(job, vertices, host.budget))
      graph = (yield* host.graphOf(yield* copied(vertices, edges, host.budget))) as HostObject
    }
    return new ComputerResult(graph, new ComputerMemory(memory, Date.now() - begun))
  }
}

const METHODS = ["program", "mapReduce", "workers", "persist", "result", "submit"]

/** The vertices of each cluster, or the number of clusters. */
function* counted(job: string, vertices: readonly GremlinMap[], budget: Budget): Generator<HostCall, unknown, unknown> {
  const population = new GremlinMap()
  for (const vertex of vertices) {
    for (const { key, value } of vertex.get("properties") as readonly VertexProperty[]) {
      if (key === CLUSTER) population.set(value, ((population.get(value) as bigint | undefined) ?? 0n) + 1n)
    }
    if (budget.isSliceOver) yield { kind: "pause" }
  }
  return job === "ClusterCountMapReduce" ? population.size : population
}

/** Copies vertices and edges that were read with their properties. */
function* copied(
  vertices: readonly GremlinMap[],
  edges: readonly GremlinMap[],
  budget: Budget
): Generator<HostCall, SubGraph, unknown> {
  const copies = new Detached()
  const byId = new Map<unknown, Vertex>()
  const own: { readonly vertices: Array<Vertex>; readonly edges: Array<Edge> } = { vertices: [], edges: [] }
  for (const [number, entry] of [...vertices, ...edges].entries()) {
    if (number < vertices.length) {
      const { id, label } = entry.get("element") as Vertex
      const vertex = copies.addVertex(id, label)
      byId.set(keyOf(id), vertex)
      own.vertices.push(vertex)
      for (const { id: of, key, meta, value } of entry.get("properties") as readonly VertexProperty[]) {
        copies.addVertexProperty(vertex, of, key, value, meta)
      }
    } else {
      const { id, inVertex, label, outVertex } = entry.get("element") as Edge
      const [out, into] = [byId.get(keyOf(outVertex.id)), byId.get(keyOf(inVertex.id))]
      if (out === undefined || into === undefined) continue
      const edge = copies.addEdge(id, label, out, into)
      own.edges.push(edge)
      for (const { key, value } of entry.get("properties") as readonly Property[])
        copies.addEdgeProperty(edge, key, value)
    }
    budget.created(1 + (entry.get("properties") as readonly unknown[]).length)
    if (number % COPIED_ELEMENTS === 0 && budget.isSliceOver) yield { kind: "pause" }
  }
  return new SubGraph(own.vertices, own.edges)
}

/** The future of a computation, which is done already. */
class Submitted extends CalledValue {
  readonly #result: ComputerResult
  constructor(result: ComputerResult) {
    super()
    this.#result = result
  }
  get [Symbol.toStringTag](): string {
    return "Future"
  }
  override toString(): string {
    return "future of a graph computer"
  }
  override call(name: string, args: readonly unknown[]): unknown {
    if (name === "isDone" && args.length === 0) return true
    if (name === "get" && (args.length === 0 || args.length === 2)) return this.#result
    throw noMethod("the future of a graph computer", name, ["get", "isDone"])
  }
}

/** The result of a computation. */
class ComputerResult extends CalledValue {
  readonly #graph: HostObject
  readonly #memory: ComputerMemory
  constructor(graph: HostObject, memory: ComputerMemory) {
    super()
    this.#graph = graph
    this.#memory = memory
  }
  get [Symbol.toStringTag](): string {
    return "ComputerResult"
  }
  override toString(): string {
    return `result[${this.#memory}]`
  }
  override call(name: string, args: readonly unknown[]): unknown {
    if (args.length === 0 && (name === "graph" || name === "getGraph")) return this.#graph
    if (args.length === 0 && (name === "memory" || name === "getMemory")) return this.#memory
    if (args.length === 0 && name === "close") return null
    throw noMethod("the result of a graph computer", name, ["graph", "memory", "close"])
  }
}

/** The values that a computation has left besides the properties of vertices. */
class ComputerMemory extends CalledValue {
  readonly #values: GremlinMap
  readonly #millis: number
  constructor(values: GremlinMap, millis: number) {
    super()
    this.#values = values
    this.#millis = millis
  }
  get [Symbol.toStringTag](): string {
    return "Memory"
  }
  override toString(): string {
    return `memory[size:${this.#values.size}]`
  }
  override call(name: string, args: readonly unknown[]): unknown {
    const [key] = args
    switch (`${name} ${args.length}`) {
      case "get 1":
        if (this.#values.has(asText(key))) return this.#values.get(key)
        throw new OperandError(`The memory does not have a value for provided key: ${key}`, "IllegalArgumentException")
      case "exists 1":
        return this.#values.has(asText(key))
      case "keys 0":
        return [...this.#values.keys()]
      case "asMap 0":
        return this.#values
      case "getRuntime 0":
        return BigInt(this.#millis)
      case "getIteration 0":
        throw new Unavailable("the memory does not count the iterations of a program here")
      default:
        throw noMethod("the memory of a graph computer", name, ["get", "exists", "keys", "asMap", "getRuntime"])
    }
  }
  /** `memory.runtime`, `memory.clusterCount`. */
  override member(name: string): unknown {
    return name === "runtime" || name === "iteration"
      ? this.call(`get${name[0]!.toUpperCase()}${name.slice(1)}`, [])
      : this.call("get", [name])
  }
}
