import { Edge, Vertex } from "../../../structure/elements/Element.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { TraversalError } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { refuseNoValue } from "../../language/TraversalValues.ts"
import { rowBuffer } from "../../machine/RowBuffer.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import { Batch, type LoopFrame, slice, VALUE } from "../../plan/Batch.ts"
import { Step } from "../../plan/Step.ts"
import { flattening, type StepTraits } from "../../plan/StepTraits.ts"
import { UnsplitSack } from "../../plan/UnsplitSack.ts"

const traits: StepTraits = {
  ...flattening({ results: "own", keepsObject: false, children: "none" }),
  work: "ordered",
  answersEmpty: true
}

/**
 * inject(): emits values before the incoming stream, even if the stream is empty. At the start of a traversal the
 * values are the whole stream. At the start of a child they follow the object that the child starts with. A vertex or
 * edge sent by a client is replaced by the graph's element with the same id, because the client's copy may hold nothing
 * but the id.
 */
export class InjectStep extends Step {
  readonly operator = "inject"
  readonly name = "InjectStep"
  readonly traits = traits
  readonly values: readonly unknown[]
  constructor(values: readonly unknown[]) {
    super()
    for (const value of values) refuseNoValue("inject()", value)
    this.values = values
  }

  /** Whether the traversal begins with this step, so that no rows come in. */
  get isSource(): boolean {
    return this.traversal.first === this && this.traversal.parent === null
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    if (!this.#isFetched(activation)) return false
    const starts = this.traversal.first === this
    if (starts && this.traversal.parent !== null) {
      for (let row = 0; row < batch.length; row++) {
        const one = slice(batch, row, row + 1)
        activation.pass(this, one)
        this.#inject(one.originOf(0), one.loops, activation)
      }
      return true
    }
    for (let origin = 0; origin < activation.origins; origin++) this.#inject(origin, batch.loops, activation)
    if (!starts) activation.pass(this, batch)
    return true
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    if (this.traversal.first === this) return true
    if (!this.#isFetched(activation)) return false
    for (let origin = 0; origin < activation.origins; origin++) this.#inject(origin, group.loops, activation)
    return true
  }

  /** Returns true when the elements among the values are fetched. */
  #isFetched({ run, transaction }: Activation): boolean {
    if (!transaction.answersLater) return true
    const vertices: Array<unknown> = []
    const edges: Array<unknown> = []
    for (const value of this.values) {
      const given = resolve(value, run)
      if (given instanceof Vertex) vertices.push(given.id)
      else if (given instanceof Edge) edges.push(given.id)
    }
    if (vertices.length + edges.length === 0) return true
    return run.fetched([
      { kind: "vertexIds", ids: vertices },
      { kind: "edgeIds", ids: edges }
    ])
  }

  /** Injects the values once for each origin and round. */
  #inject(origin: number, loops: LoopFrame | null, activation: Activation): void {
    const state = activation.originState(this, origin, loops, () => ({ done: false }))
    if (state.done || this.values.length === 0) return
    state.done = true
    const values = this.values.map((value) => attached(resolve(value, activation.run), activation.transaction))
    const out = new Batch(VALUE, values, values.length)
    out.loops = loops
    if (activation.parent !== null) out.origin = new Int32Array(values.length).fill(origin)
    if (activation.plan.sack) out.sack = this.#sacks(values.length, activation)
    for (const batch of this.#merged(out, activation)) {
      if (batch.sack !== null && this.#isSplit(activation)) batch.sack = batch.sack.map((sack) => new UnsplitSack(sack))
      activation.emit(this, batch)
    }
  }

  /** As in TinkerPop, equal ones of the values merge, but never with the rows that come in. */
  #merged(values: Batch, activation: Activation): ReadonlyArray<Batch> {
    if (!activation.plan.mergingShows || this.isSource) return [values]
    const rows = rowBuffer(activation, "values")
    rows.add(values)
    return rows.take()
  }

  /** The first sacks of the values. A closure of withSack() is called once for each of them. */
  #sacks(count: number, activation: Activation): Array<unknown> {
    const { run } = activation
    if (this.#getsSacksLater(activation)) return new Array<unknown>(count).fill(null)
    return run.closures.givesSacks
      ? Array.from({ length: count }, () => run.initialSack())
      : new Array<unknown>(count).fill(run.initialSack())
  }

  /** emit() gives the rows of the first step the sacks that a closure makes. */
  #getsSacksLater({ parent, plan, run }: Activation): boolean {
    return run.closures.givesSacks && parent === null && this.index === plan.firstIndex
  }

  /** Behind the first step of a child, the sacks of the incoming rows are split, and those of the values are not. */
  #isSplit(activation: Activation): boolean {
    if (this.#getsSacksLater(activation)) return false
    const { steps } = this.traversal
    return steps[steps.indexOf(this) + 1]?.traits.role === "splitsSack"
  }

  override describe(): string {
    return briefText(this.values)
  }
}

/** Replaces an element sent by a client with the graph's element; any other value stays. */
const attached = (value: unknown, transaction: GraphTransaction): unknown => {
  if (value instanceof Vertex && value.source !== transaction) {
    const ref = transaction.refOfVertex(value)
    if (ref !== -1) return transaction.vertex(ref)
  } else if (value instanceof Edge && value.source !== transaction) {
    const ref = transaction.refOfEdge(value)
    if (ref !== -1) return transaction.edge(ref)
  } else return value
  throw new TraversalError(
    `Can not get the attachable from the host vertex: inject() was given ${briefText(value)}, which is not in the graph`
  )
}
