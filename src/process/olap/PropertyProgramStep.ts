import type { Task } from "../../scheduling/Task.ts"
import { exactBulk } from "../../structure/numbers/Bulks.ts"
import { integerArgument } from "../language/Arguments.ts"
import { ComputedGraph } from "../machine/ComputedGraph.ts"
import { answered, passTask } from "../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../plan/Activation.ts"
import { Batch, VALUE } from "../plan/Batch.ts"
import { planOf } from "../plan/Plan.ts"
import type { PlanBuilder, Traversal } from "../plan/Step.ts"
import { acting } from "../plan/StepTraits.ts"
import { Adjacency, VERTEX_BYTES, type VertexProgram } from "./Adjacency.ts"
import { FETCHED_VERTICES, oneStep, VertexProgramStep, vertexOf } from "./VertexProgramStep.ts"

const traits = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: true,
  merging: "none",
  children: "asked",
  access: "reads"
})

/** pageRank(), peerPressure(), connectedComponent(): computes a property for each vertex of the graph. */
export abstract class PropertyProgramStep extends VertexProgramStep {
  readonly traits = traits
  /** The key of the computed property. */
  protected propertyName: string
  /** Limit of rounds. */
  protected times: number
  #vertices: Traversal

  constructor(edges: string, propertyName: string, times: number, compiler: PlanBuilder) {
    super(edges, compiler)
    this.propertyName = propertyName
    this.times = times
    this.#vertices = compiler.child(oneStep("V"), this)
  }

  /** Makes the program, after all vertices and edges are added. `traversers`: their number at each vertex, or null. */
  protected abstract program(graph: Adjacency, traversers: Float64Array | null, activation: Activation): VertexProgram

  protected override option(name: string, value: unknown, compiler: PlanBuilder): boolean {
    if (name === "propertyName" && typeof value === "string") this.propertyName = value
    else if (name === "times" && this.operator !== "connectedComponent") {
      this.times = integerArgument("with", value, `${this.operator}.times`)
    } else return super.option(name, value, compiler)
    return true
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return [this.#vertices, ...super.localChildren()]
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    if (from === this.#vertices) this.#vertices = to
    else super.replaceChild(from, to)
  }

  protected *computed(group: BarrierGroup, activation: Activation): Task {
    const rows = group.cells as ReadonlyArray<Batch>
    const { run } = activation
    const graph = new Adjacency()
    yield* this.#addVertices(graph, activation)
    yield* this.#addEdges(graph, activation)
    const traversers = this.isSeeded ? yield* this.#counted(rows, graph, activation) : null
    const program = this.program(graph, traversers, activation)
    run.hold(program.bytes)
    while (!program.advance()) yield
    this.#publish(program, graph, activation)
    yield* passTask(this, rows, activation)
  }

  /** Adds all vertices of the graph with the child traversal V(), which strategies may have changed. */
  *#addVertices(graph: Adjacency, activation: Activation): Task {
    const add = (batch: Batch): void => {
      for (let row = 0; row < batch.length; row++) graph.vertices.add(vertexOf(batch, row, activation))
      activation.run.hold(batch.length * VERTEX_BYTES)
    }
    const start = new Batch(VALUE, [undefined], 1)
    yield* answered<void>((done) => activation.invokeAll(planOf(this.#vertices), start, add, done))
  }

  *#addEdges(graph: Adjacency, activation: Activation): Task {
    const { size } = graph.vertices
    for (let from = 0; from < size; from += FETCHED_VERTICES) {
      const length = Math.min(FETCHED_VERTICES, size - from)
      const opened = Array.from({ length }, (_, at) => from + at)
      yield* this.openVertices(graph, opened, activation)
    }
  }

  /** The number of traversers at each vertex. */
  *#counted(rows: ReadonlyArray<Batch>, { vertices }: Adjacency, activation: Activation): Task<Float64Array> {
    const traversers = new Float64Array(vertices.size)
    let counted = 0
    for (const batch of rows) {
      for (let row = 0; row < batch.length; row++) {
        const vertex = vertices.find(vertexOf(batch, row, activation))
        if (vertex >= 0) traversers[vertex] = exactBulk(traversers[vertex]! + batch.bulkOf(row))
        if (activation.slice.isOverAfter(++counted)) yield
      }
    }
    return traversers
  }

  #publish(program: VertexProgram, graph: Adjacency, { transaction }: Activation): void {
    if (!(transaction instanceof ComputedGraph)) return
    transaction.compute(this.propertyName, {
      value: (ref) => {
        const vertex = graph.vertices.find(ref)
        return vertex < 0 ? undefined : program.value(vertex)
      }
    })
  }

  override describe(): string {
    return `${super.describe()},${this.propertyName}`
  }
}
