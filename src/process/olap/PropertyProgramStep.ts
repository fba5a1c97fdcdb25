import { exactBulk } from "../../structure/numbers/Bulks.ts"
import { integerArgument } from "../language/Arguments.ts"
import { ComputedGraph } from "../machine/ComputedGraph.ts"
import type { Activation, BarrierGroup } from "../plan/Activation.ts"
import type { Batch } from "../plan/Batch.ts"
import type { PlanBuilder, Traversal } from "../plan/Step.ts"
import { acting } from "../plan/StepTraits.ts"
import { Adjacency, type VertexProgram } from "./Adjacency.ts"
import { FETCHED_VERTICES, oneStep, VertexProgramStep, vertexOf } from "./VertexProgramStep.ts"

/** The state of the step. */
interface Progress {
  readonly graph: Adjacency
  phase: "vertices" | "edges" | "traversers" | "program"
  /** Number of the first vertices whose edges are added. */
  opened: number
  /** Number of traversers at each vertex; null if the program does not need it. */
  traversers: Float64Array | null
  /** Number of batches whose traversers are counted. */
  counted: number
  program: VertexProgram | null
}

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

  override flush(group: BarrierGroup, activation: Activation): boolean {
    const rows = group.cells as ReadonlyArray<Batch>
    const progress = activation.state<Progress>(this, newProgress)
    const { graph } = progress
    const { run } = activation
    switch (progress.phase) {
      case "vertices":
        progress.phase = "edges"
        this.addVertices(this.#vertices, graph, activation)
        return false
      case "edges":
        this.#open(progress, activation)
        return false
      case "traversers":
        if (this.isSeeded) this.#count(rows, progress, activation)
        if (!this.isSeeded || progress.counted === rows.length) progress.phase = "program"
        return false
      case "program":
        if (progress.program === null) {
          progress.program = this.program(graph, progress.traversers, activation)
          run.hold(progress.program.bytes)
        }
        if (!progress.program.advance()) return false
        this.#publish(progress.program, graph, activation)
        for (const batch of rows) activation.pass(this, batch)
        return true
    }
  }

  #open(progress: Progress, activation: Activation): void {
    const { graph } = progress
    const { size } = graph.vertices
    while (progress.opened < size && graph.has(progress.opened)) progress.opened++
    const count = Math.min(FETCHED_VERTICES, size - progress.opened)
    if (count === 0) progress.phase = "traversers"
    else
      this.openVertices(
        graph,
        Array.from({ length: count }, (_, at) => progress.opened + at),
        activation
      )
  }

  #count(rows: ReadonlyArray<Batch>, progress: Progress, activation: Activation): void {
    const { vertices } = progress.graph
    progress.traversers ??= new Float64Array(vertices.size)
    const batch = rows[progress.counted++]!
    for (let row = 0; row < batch.length; row++) {
      const vertex = vertices.find(vertexOf(batch, row, activation))
      if (vertex >= 0) progress.traversers[vertex] = exactBulk(progress.traversers[vertex]! + batch.bulkOf(row))
    }
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

const newProgress = (): Progress => ({
  graph: new Adjacency(),
  phase: "vertices",
  opened: 0,
  traversers: null,
  counted: 0,
  program: null
})
