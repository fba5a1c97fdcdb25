import type { Task } from "../../scheduling/Task.ts"
import { Edge, type Ref, Vertex } from "../../structure/elements/Element.ts"
import type { Cursor, RefColumn } from "../../structure/graph/GraphReads.ts"
import { isTraversal, nameOf } from "../language/Arguments.ts"
import { Bytecode, Instruction } from "../language/Bytecode.ts"
import { TraversalError, TraversalInvalid } from "../language/Errors.ts"
import { ChildRows } from "../machine/ChildRows.ts"
import { appendToPaths } from "../machine/Paths.ts"
import { answered, flushTask } from "../machine/StepTasks.ts"
import type { Activation, BarrierGroup, Needs } from "../plan/Activation.ts"
import { Batch, EDGE, VALUE, VERTEX } from "../plan/Batch.ts"
import { OpenPlaces } from "../plan/OpenPlaces.ts"
import { planOf } from "../plan/Plan.ts"
import { type PlanBuilder, Step, type Traversal } from "../plan/Step.ts"
import { EXPANSION_MAX_ROWS, VertexStep } from "../steps/flatmap/VertexStep.ts"
import { type Adjacency, EDGE_BYTES } from "./Adjacency.ts"

/** Vertices whose edges are fetched together. */
export const FETCHED_VERTICES = 256

/** Approximate size of a traverser that waits for the program. */
const ROW_BYTES = 48

/** The edges of some vertices, sorted by the vertices. */
export interface FoundEdges {
  /** For each edge, the row of its vertex. */
  readonly rows: Array<number>
  readonly edges: Array<Ref>
  /** For each edge, the vertex at its other end. */
  readonly ends: Array<Ref>
}

/** Adds the edges of several vertices to a graph, one vertex after another. Vertices may have no edges. */
export class Adding {
  readonly #graph: Adjacency
  readonly #vertices: readonly number[]
  #row = -1

  /** @param vertices the numbers of the vertices */
  constructor(graph: Adjacency, vertices: readonly number[]) {
    this.#graph = graph
    this.#vertices = vertices
  }

  /** Adds an edge of the vertex in a row, which is not before that of the previous edge. */
  add(row: number, target: number): void {
    while (this.#row < row) this.#graph.open(this.#vertices[++this.#row]!)
    this.#graph.add(this.#vertices[row]!, target)
  }

  /** Ends the last vertices, which have no more edges. */
  end(): void {
    while (this.#row < this.#vertices.length - 1) this.#graph.open(this.#vertices[++this.#row]!)
  }
}

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

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return flushTask(this, group, () => this.computed(group, activation))
  }

  /** Computes, and emits the results, after all traversers have arrived. */
  protected abstract computed(group: BarrierGroup, activation: Activation): Task

  /** A batch of the vertices with these numbers, from which children start. */
  protected batchOf(graph: Adjacency, vertices: readonly number[], { plan, transaction }: Activation): Batch {
    const refs = transaction.newRefs(vertices.length)
    vertices.forEach((vertex, row) => {
      refs[row] = graph.vertices.refs[vertex]!
    })
    const batch = new Batch(VERTEX, refs, vertices.length)
    // Filters of edges, such as those of SubgraphStrategy, may ask for the vertex before the edge.
    if (plan.path === 2) appendToPaths(batch, [])
    return batch
  }

  /** Adds the edges of vertices, for a program over all vertices. Edges to other vertices are left out. */
  protected *openVertices(graph: Adjacency, opened: readonly number[], activation: Activation): Task {
    const rows = this.batchOf(graph, opened, activation)
    const [only, ...more] = this.#edges.steps
    if (only instanceof VertexStep && only.edges && more.length === 0) {
      yield* this.#openDirectly(graph, opened, rows.data as RefColumn, only, activation)
      return
    }
    const { ends, rows: rowsOf } = yield* this.edgesOf(rows, activation)
    const adding = new Adding(graph, opened)
    for (let at = 0; at < ends.length; at++) {
      const target = graph.vertices.find(ends[at]!)
      if (target >= 0) adding.add(rowsOf[at]!, target)
      if (activation.slice.isOverAfter(at + 1)) yield
    }
    adding.end()
  }

  /** Reads only the adjacent vertices, for outE(), inE() and bothE(). */
  *#openDirectly(
    graph: Adjacency,
    opened: readonly number[],
    refs: RefColumn,
    { direction, edgeLabels }: VertexStep,
    { run, transaction }: Activation
  ): Task {
    const labels = edgeLabels === null ? null : transaction.edgeLabels(edgeLabels)
    const { length } = refs
    const cursor: Cursor = { row: 0, offset: 0 }
    const adding = new Adding(graph, opened)
    for (let isRead = false; !isRead; ) {
      while (!run.fetched([{ kind: "adjacent", refs, length, direction, labels, edges: false }])) yield
      const request = run.scratch.edgeRequest(refs, length, false, direction, labels)
      request.cursor = cursor
      request.limit = EXPANSION_MAX_ROWS
      isRead = OpenPlaces.expand(run, transaction, request)
      const { out } = request
      run.hold(out.length * EDGE_BYTES)
      for (let at = 0; at < out.length; at++) {
        const target = graph.vertices.find(out.refs[at]!)
        if (target >= 0) adding.add(out.rows[at]!, target)
      }
      yield
    }
    adding.end()
  }

  /** The edges that the traversal gives for a batch of vertices, in the order of the vertices, with their other ends. */
  protected *edgesOf(vertices: Batch, activation: Activation): Task<FoundEdges> {
    const results = new ChildRows()
    const add = (batch: Batch): void => {
      activation.run.hold(batch.length * EDGE_BYTES)
      results.add(batch)
    }
    yield* answered<void>((done) => activation.invokeAll(planOf(this.#edges), vertices, add, done))
    const found: FoundEdges = { rows: [], edges: [], ends: [] }
    for (const batch of yield* results.inOrderTask(activation)) {
      for (let at = 0; at < batch.length; at++) {
        const row = batch.originOf(at)
        const edge = this.#edgeOf(batch, at, activation)
        found.rows.push(row)
        found.edges.push(edge)
        found.ends.push(this.#otherEnd(vertices.data[row] as Ref, edge, activation))
        if (activation.slice.isOverAfter(found.rows.length)) yield
      }
    }
    return found
  }

  /** The ref of the edge in a row. Throws TraversalError for another object. */
  #edgeOf(batch: Batch, row: number, { transaction }: Activation): Ref {
    if (batch.kind === EDGE) return batch.data[row] as Ref
    const value = batch.value(row, transaction)
    if (value instanceof Edge) return transaction.refOfEdge(value)
    throw new TraversalError(
      `The edges traversal of ${this.operator}() must give edges, such as __.outE('knows'), but gave ${nameOf(value)}`
    )
  }

  /** The vertex at the other end of an edge. Throws TraversalError if the edge is not incident to `vertex`. */
  #otherEnd(vertex: Ref, edge: Ref, { transaction }: Activation): Ref {
    const out = transaction.edgeOutRef(edge)
    const into = transaction.edgeInRef(edge)
    if (out === vertex) return into
    if (into === vertex) return out
    throw new TraversalError(
      `The edges traversal of ${this.operator}() must give edges of the vertex it starts at, such as __.outE('knows')`
    )
  }

  override describe(): string {
    return String(this.#edges)
  }
}
