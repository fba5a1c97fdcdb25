import type { DirectionName, LabelSet, Reads } from "../../../structure/graph/GraphReads.ts"
import { isEnum, labelArguments } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { copyRefs, vertexRefs } from "../../machine/Expansions.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, EDGE, VERTEX } from "../../plan/Batch.ts"
import { OpenPlaces } from "../../plan/OpenPlaces.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { flattening, type StepTraits } from "../../plan/StepTraits.ts"
import type { HasContainer } from "../../predicates/HasContainer.ts"
import { indexQuery } from "../../predicates/IndexQueries.ts"

/** Maximum number of rows that one call emits: a vertex with a million edges must not make one batch. */
export const EXPANSION_MAX_ROWS = 4096

const toVertices = flattening({ results: "many", keepsObject: false, children: "none" })
/** Merging is not worthwhile: an edge is rarely reached by several paths. */
const toEdges = flattening({ results: "perRow", keepsObject: false, children: "none" })

/** out(), in(), both(), outE(), inE() and bothE(). */
export class VertexStep extends Step {
  readonly operator: string
  readonly name = "VertexStep"
  readonly traits: StepTraits
  readonly direction: DirectionName
  readonly edges: boolean
  /** Null = every label. An empty list, from labels that were all null, matches no edge. */
  readonly edgeLabels: readonly string[] | null
  /**
   * Conditions of the has() steps after an edge step. They are only a hint for an index: those steps still test every
   * edge.
   */
  conditions: ReadonlyArray<HasContainer> = []

  constructor(operator: string, direction: DirectionName, edges: boolean, edgeLabels: readonly string[] | null) {
    super()
    this.operator = operator
    this.traits = edges ? toEdges : toVertices
    this.direction = direction
    this.edges = edges
    this.edgeLabels = edgeLabels
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return [
      {
        kind: "adjacent",
        refs: vertexRefs(batch, activation, this.operator),
        length: batch.length,
        direction: this.direction,
        labels: this.labelSet(activation),
        edges: this.edges
      }
    ]
  }

  override run(batch: Batch, activation: Activation): boolean {
    const { run, transaction } = activation
    const refs = vertexRefs(batch, activation, this.operator)
    const labels = this.labelSet(activation)
    const request = run.scratch.edgeRequest(refs, batch.length, this.edges, this.direction, labels)
    request.cursor = activation.cursor(this)
    request.limit = EXPANSION_MAX_ROWS
    const done = OpenPlaces.expand(run, transaction, request)
    const { out } = request
    activation.emitData(this, batch, out.rows, this.edges ? EDGE : VERTEX, copyRefs(out), out.length)
    return done
  }

  override leave(activation: Activation): void {
    OpenPlaces.leave(activation.run, activation.transaction, activation.cursor(this))
  }

  override stopped(activation: Activation): void {
    if (activation.isBegun(this)) this.leave(activation)
  }

  labelSet(activation: Activation): LabelSet | null {
    if (this.edgeLabels === null) return null
    return activation.state(this, () => {
      const { conditions } = indexQuery("edge", this.conditions, activation.run)
      return activation.transaction.edgeLabels(this.edgeLabels!, conditions)
    })
  }

  override describe(): string {
    const labels = this.edgeLabels === null ? "" : `,[${this.edgeLabels.join(", ")}]`
    return `${this.direction}${labels},${this.edges ? "edge" : "vertex"}`
  }
}

const build =
  (direction: DirectionName, edges: boolean): StepBuilder =>
  (args) => {
    const operator = `${direction.toLowerCase()}${edges ? "E" : ""}`
    return new VertexStep(operator, direction, edges, args.length === 0 ? null : labelArguments(operator, args))
  }

const directions: ReadonlyArray<DirectionName> = ["OUT", "IN", "BOTH"]

/** to(Direction, labels...) and toE(Direction, labels...): take the direction as an argument. */
const directed =
  (edges: boolean): StepBuilder =>
  (args, compiler, traversal) => {
    const [direction, ...labels] = args
    const name = directions.find((known) => isEnum(direction, "Direction") && direction.name === known)
    if (name === undefined) throw new TraversalInvalid(`${edges ? "toE" : "to"}() takes a Direction and edge labels`)
    return build(name, edges)(labels, compiler, traversal)
  }

/** The operators out(), in(), both(), outE(), inE(), bothE(), to() and toE(). */
export const vertexSteps: Operators = {
  out: stepOperator(noParameters, build("OUT", false)),
  in: stepOperator(noParameters, build("IN", false)),
  both: stepOperator(noParameters, build("BOTH", false)),
  outE: stepOperator(noParameters, build("OUT", true)),
  inE: stepOperator(noParameters, build("IN", true)),
  bothE: stepOperator(noParameters, build("BOTH", true)),
  to: stepOperator(noParameters, directed(false)),
  toE: stepOperator(noParameters, directed(true))
}
