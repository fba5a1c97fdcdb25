import { Edge, Vertex } from "../../../structure/elements/Element.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { isEnum } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { edgeRefs } from "../../machine/Expansions.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { flattening, mapping } from "../../plan/StepTraits.ts"

const traits = flattening({ results: "many", keepsObject: false, children: "none" })

/** outV(), inV(), bothV(): the end vertices of an edge. */
export class EdgeVertexStep extends Step {
  readonly operator: string
  readonly name = "EdgeVertexStep"
  readonly traits = traits
  readonly direction: "OUT" | "IN" | "BOTH"
  constructor(operator: string, direction: "OUT" | "IN" | "BOTH") {
    super()
    this.operator = operator
    this.direction = direction
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return [{ kind: "edge", refs: edgeRefs(batch, activation, this.operator), length: batch.length, keys: [] }]
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { transaction } = activation
    const edges = edgeRefs(batch, activation, this.operator)
    const { length } = batch
    if (this.direction === "BOTH") {
      const refs = transaction.newRefs(length * 2)
      const rows = new Int32Array(length * 2)
      for (let i = 0; i < length; i++) {
        refs[2 * i] = transaction.edgeOutRef(edges[i]!)
        refs[2 * i + 1] = transaction.edgeInRef(edges[i]!)
        rows[2 * i] = rows[2 * i + 1] = i
      }
      activation.emitData(this, batch, rows, VERTEX, refs, length * 2)
      return
    }
    const refs = transaction.newRefs(length)
    const out = this.direction === "OUT"
    for (let i = 0; i < length; i++)
      refs[i] = out ? transaction.edgeOutRef(edges[i]!) : transaction.edgeInRef(edges[i]!)
    activation.emitData(this, batch, null, VERTEX, refs, length)
  }

  override describe(): string {
    return this.direction
  }
}

const other = mapping({ limits: "pass", labels: "none", children: "none" })

/** otherV(): the end vertex of the edge that is not the vertex before the edge on the path. Needs the path. */
export class EdgeOtherVertexStep extends Step {
  readonly operator = "otherV"
  readonly name = "EdgeOtherVertexStep"
  readonly traits = other

  override require(needs: Needs): void {
    needs.path = 2
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return [{ kind: "edge", refs: edgeRefs(batch, activation, this.operator), length: batch.length, keys: [] }]
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { transaction } = activation
    const edges = edgeRefs(batch, activation, this.operator)
    const refs = transaction.newRefs(batch.length)
    for (let i = 0; i < batch.length; i++) {
      const from = this.#cameFrom(batch, i, activation)
      const out = transaction.edgeOutRef(edges[i]!)
      refs[i] = from === out ? transaction.edgeInRef(edges[i]!) : out
    }
    activation.emitData(this, batch, null, VERTEX, refs, batch.length)
  }

  /** Finds the last vertex before the edge on the traverser's path. */
  #cameFrom(batch: Batch, row: number, activation: Activation): number {
    let node = batch.path?.[row] ?? null
    for (; node !== null; node = node.previous) {
      if (node.kind === VERTEX) return node.object as number
      if (node.object instanceof Vertex) return activation.transaction.refOfVertex(node.object)
    }
    const edge = batch.value(row, activation.transaction)
    throw new TraversalError(
      `otherV() needs the vertex before the edge, but the path has no vertex before ${edge instanceof Edge ? `edge ${String(edge.id)}` : "this object"}`
    )
  }
}

/** The operators outV(), inV(), bothV(), toV() and otherV(). */
export const edgeVertexSteps: Operators = {
  outV: stepOperator(noParameters, () => new EdgeVertexStep("outV", "OUT")),
  inV: stepOperator(noParameters, () => new EdgeVertexStep("inV", "IN")),
  bothV: stepOperator(noParameters, () => new EdgeVertexStep("bothV", "BOTH")),
  toV: stepOperator(noParameters, (args) => {
    const [direction] = args
    if (!isEnum(direction, "Direction")) throw new TraversalInvalid("toV() takes a Direction")
    return new EdgeVertexStep("toV", direction.name as "OUT" | "IN" | "BOTH")
  }),
  otherV: stepOperator(noParameters, () => new EdgeOtherVertexStep())
}
