import { Edge, type Ref, Vertex } from "../../structure/elements/Element.ts"
import type { RefColumn } from "../../structure/graph/GraphReads.ts"
import { isTraversal, nameOf } from "../language/Arguments.ts"
import { Bytecode, Instruction } from "../language/Bytecode.ts"
import { TraversalError, TraversalInvalid } from "../language/Errors.ts"
import { runInOrder } from "../machine/ChildRows.ts"
import type { Activation, BarrierGroup, Needs } from "../plan/Activation.ts"
import { Batch, EDGE, VALUE, VERTEX } from "../plan/Batch.ts"
import { planOf } from "../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../plan/Step.ts"
import { VertexStep } from "../steps/flatmap/VertexStep.ts"
import { type Adjacency, EDGE_BYTES, VERTEX_BYTES } from "./Adjacency.ts"

/** Vertices whose edges are fetched together. */
export const FETCHED_VERTICES = 256

/** Approximate size of a traverser that waits for the program. */
const ROW_BYTES = 48

/** A child traversal of one step without arguments. */
export const oneStep = (operator: string, args: readonly unknown[] = []): Bytecode =>
  new Bytecode([], [new Instruction(operator, args)])

/** The ref of a row's vertex; -1 if the object is not a vertex. */
export const vertexOf = (batch: Batch, row: number, activation: Activation): Ref => {
  if (batch.kind === VERTEX) return batch.data[row] as Ref
  const value = batch.kind === VALUE ? batch.data[row] : null
  return value instanceof Vertex ? activation.transaction.refOfVertex(value) : -1
}

/**
 * A step that runs a program over the whole graph, such as pageRank(). Like a graph computer it waits for all traversers. It
 * works in slices, so that other requests are served, and reads the snapshot of its transaction.
 */
export abstract class VertexProgramStep extends Step {
  /**
   * Set by a strategy if steps other than V() and programs precede this one. Then the program starts with the number of
   * traversers at each vertex.
   */
  isSeeded = false
  /** The traversal from a vertex to the edges along which it sends. */
  #edges: Traversal

  constructor(edges: string, compiler: PlanBuilder) {
    super()
    this.#edges = compiler.child(oneStep(edges), this)
  }

  /** The traversal from a vertex to the edges along which it sends. */
  get edges(): Traversal {
    return this.#edges
  }

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    const [key, value] = args
    if (operator !== "with") super.modulate(operator, args, compiler)
    else if (typeof key !== "string" || !key.startsWith(`~tinkerpop.${this.operator}.`)) {
      throw new TraversalInvalid(`${this.operator}() has no option ${nameOf(key)}`)
    } else {
      const option = key.slice(key.lastIndexOf(".") + 1)
      if (!this.option(option, args.length === 1 ? true : value, compiler)) {
        throw new TraversalInvalid(`${this.operator}() has no option ${option}, or cannot take ${nameOf(value)} for it`)
      }
    }
  }

  /** Sets a with() option, by the last part of its name. False for an unknown option or a value of the wrong type. */
  protected option(name: string, value: unknown, compiler: PlanBuilder): boolean {
    if (name !== "edges" || !isTraversal(value)) return false
    this.#edges = compiler.child(value, this)
    return true
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return [this.#edges]
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    if (from === this.#edges) this.#edges = to
  }

  override require(needs: Needs): void {
    needs.computes = true
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    activation.run.hold(batch.length * ROW_BYTES)
    activation.group(this, batch.loops).cells.push(batch)
  }

  abstract override flush(group: BarrierGroup, activation: Activation): boolean

  /** Adds the edges of vertices, immediately or by a child that runs before flush() is called again. */
  protected openVertices(graph: Adjacency, opened: readonly number[], activation: Activation): void {
    const { run, transaction } = activation
    const refs = transaction.newRefs(opened.length)
    opened.forEach((vertex, row) => {
      refs[row] = graph.vertices.refs[vertex]!
    })
    const [only, ...more] = this.#edges.steps
    if (only instanceof VertexStep && only.edges && more.length === 0)
      this.#openDirectly(graph, opened, refs, only, activation)
    else {
      runInOrder(planOf(this.#edges), new Batch(VERTEX, refs, refs.length), activation, (results, count) => {
        for (const vertex of opened) graph.open(vertex)
        run.hold(count * EDGE_BYTES)
        // The edges come in the order of the rows, so that those of a vertex are adjacent.
        this.#takeEdges(graph, opened, results, activation)
      })
    }
  }

  /** Reads only the adjacent vertices, for outE(), inE() and bothE(). */
  #openDirectly(
    graph: Adjacency,
    opened: readonly number[],
    refs: RefColumn,
    { direction, edgeLabels }: VertexStep,
    { run, transaction }: Activation
  ): void {
    const labels = edgeLabels === null ? null : transaction.edgeLabels(edgeLabels)
    const { length } = refs
    if (!run.fetched([{ kind: "adjacent", refs, length, direction, labels, edges: false }])) return
    const request = run.scratch.edgeRequest(refs, length, false, direction, labels)
    transaction.expand(request)
    const { out } = request
    run.hold(out.length * EDGE_BYTES)
    let at = 0
    opened.forEach((vertex, row) => {
      graph.open(vertex)
      for (; at < out.length && out.rows[at] === row; at++) {
        const target = graph.vertices.find(out.refs[at]!)
        if (target >= 0) graph.add(vertex, target)
      }
    })
  }

  #takeEdges(graph: Adjacency, opened: readonly number[], results: ReadonlyArray<Batch>, activation: Activation): void {
    for (const batch of results) {
      for (let i = 0; i < batch.length; i++) {
        const vertex = opened[batch.originOf(i)]!
        const edge = this.edgeOf(batch, i, activation)
        const target = graph.vertices.find(this.otherEnd(graph.vertices.refs[vertex]!, edge, activation))
        if (target >= 0) graph.add(vertex, target)
      }
    }
  }

  /** The ref of the edge in a row. Throws TraversalError for another object. */
  protected edgeOf(batch: Batch, row: number, { transaction }: Activation): Ref {
    if (batch.kind === EDGE) return batch.data[row] as Ref
    const value = batch.value(row, transaction)
    if (value instanceof Edge) return transaction.refOfEdge(value)
    throw new TraversalError(
      `The edges traversal of ${this.operator}() must give edges, such as __.outE('knows'), but gave ${nameOf(value)}`
    )
  }

  /** The vertex at the other end of an edge. Throws TraversalError if the edge is not incident to `vertex`. */
  protected otherEnd(vertex: Ref, edge: Ref, { transaction }: Activation): Ref {
    const out = transaction.edgeOutRef(edge)
    const into = transaction.edgeInRef(edge)
    if (out === vertex) return into
    if (into === vertex) return out
    throw new TraversalError(
      `The edges traversal of ${this.operator}() must give edges of the vertex it starts at, such as __.outE('knows')`
    )
  }

  /** Adds all vertices of the graph with the child traversal V(), which strategies may have changed. */
  protected addVertices(vertices: Traversal, graph: Adjacency, activation: Activation): void {
    activation.invokeAll(planOf(vertices), new Batch(VALUE, [undefined], 1), (batch) => {
      for (let row = 0; row < batch.length; row++) graph.vertices.add(vertexOf(batch, row, activation))
      activation.run.hold(batch.length * VERTEX_BYTES)
    })
  }

  override describe(): string {
    return String(this.#edges)
  }
}
