import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { Vertex } from "../../../structure/elements/Element.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { Cardinality } from "../../../structure/scalars/Enums.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { isEnum, isTraversal, nameOf } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, EDGE, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import type { PlanBuilder } from "../../plan/Step.ts"
import { type PropertyCall, writeProperties, writeTask } from "../shared/PropertyWrites.ts"
import { evaluatedRequired, StepArgument } from "../shared/StepArgument.ts"
import { checkedId } from "../shared/StoredValues.ts"
import { AddElementStep } from "./AddElementStep.ts"
import { type EdgeEnd, endId, endReads, endValue, labelOf } from "./EdgeEnds.ts"

const labelText = (label: unknown, operator: string): string => {
  if (typeof label === "string") return label
  if (label === null) throw new TraversalError(`Label can not be null: ${operator}() takes a string`)
  throw new TraversalError(`${operator}() takes a string as its label, but was given ${nameOf(label)}`)
}

/** addV(): adds one vertex for each traverser, or a single vertex at the start of a traversal. */
export class AddVertexStep extends AddElementStep {
  readonly operator = "addV"
  protected readonly defaultLabel = "vertex"
  get name(): string {
    return this.traversal.first === this ? "AddVertexStartStep" : "AddVertexStep"
  }

  /**
   * As in TinkerPop, a property with a cardinality or meta-properties is a step of its own, and one whose key a traversal computes is
   * not.
   */
  protected override creates({ cardinality, key, meta }: PropertyCall): boolean {
    if (meta.length > 0) return false
    return isEnum(key, "T") || isTraversal(key) || (typeof key === "string" && cardinality === null)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#added(batch, activation))
  }

  *#added(batch: Batch, activation: Activation): Task {
    const { label, id, rest } = this.columns(yield* evaluatedRequired(this.arguments, batch, activation))
    const { transaction } = activation
    const refs = transaction.newRefs(batch.length)
    for (let row = 0; row < batch.length; row++) {
      const given = checkedId(id(row))
      const freeing = transaction.freeIdTask(given)
      if (freeing !== undefined) yield* freeing
      refs[row] = transaction.addVertex(this.label === null ? this.defaultLabel : labelText(label(row), "addV"), given)
      const vertex = transaction.vertex(refs[row]!)
      if (this.writes.length <= CHUNK_ITEMS) writeProperties(this.writes, rest, row, vertex, transaction, true)
      else yield* writeTask(this.writes, rest, row, vertex, transaction, true)
      if (activation.slice.isOverAfter(row + 1)) yield
    }
    activation.emitData(this, batch, null, VERTEX, refs, batch.length)
  }

  override describe(): string {
    return String(this.label?.value ?? "")
  }
}

/** addE(): adds one edge for each traverser from from() to to(). A missing end is the traverser's vertex. */
export class AddEdgeStep extends AddElementStep {
  readonly operator = "addE"
  readonly name = "AddEdgeStep"
  protected readonly defaultLabel = "edge"
  #from: StepArgument | null = null
  #to: StepArgument | null = null

  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator !== "from" && operator !== "to") {
      super.modulate(operator, args, compiler)
      return
    }
    const [end] = args
    const argument = new StepArgument(end, this, compiler)
    if (operator === "from") this.#from = argument
    else this.#to = argument
    this.changed()
  }

  /** The properties of an edge have neither cardinalities nor meta-properties, so all are part of its creation. */
  protected override creates({ cardinality, key }: PropertyCall): boolean {
    if (cardinality === null || cardinality === Cardinality.single) return true
    throw new TraversalInvalid(
      `Multi-property cardinality of [${cardinality.name}] can only be set for a Vertex but is being used for addE() with key: ${briefText(key)}`
    )
  }

  protected override get ends(): ReadonlyArray<StepArgument> {
    return [...(this.#from === null ? [] : [this.#from]), ...(this.#to === null ? [] : [this.#to])]
  }
  override require(needs: Needs): void {
    super.require(needs)
    if (this.labelsRead().length > 0 && needs.path === 0) needs.path = 1
  }
  override labelsRead(): readonly string[] {
    return [labelOf(this.#from), labelOf(this.#to)].filter((label) => label !== undefined)
  }
  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    const known = [this.#from, this.#to].filter((end) => end?.traversal == null)
    const ends = known.map((end) =>
      end === null ? undefined : (labelOf(end) ?? (() => resolve(end.value, activation.run)))
    )
    return endReads(ends, batch, activation)
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#added(batch, activation))
  }

  *#added(batch: Batch, activation: Activation): Task {
    const args = this.arguments
    const required = args.length - this.ends.length
    const { label, id, rest } = this.columns(yield* evaluatedRequired(args, batch, activation, required))
    const { transaction } = activation
    const writes = this.writes.reduce((sum, write) => sum + write.arguments.length, 0)
    const from = this.#from === null ? undefined : (labelOf(this.#from) ?? rest[writes])
    const to = this.#to === null ? undefined : (labelOf(this.#to) ?? rest[writes + (from === undefined ? 0 : 1)])
    const refs = transaction.newRefs(batch.length)
    if (transaction.answersLater) {
      const reads = endReads([from, to], batch, activation)
      while (!activation.run.fetched(reads)) yield
    }
    for (let row = 0; row < batch.length; row++) {
      const out = this.#end("from", from, row, batch, activation)
      const into = this.#end("to", to, row, batch, activation)
      refs[row] = transaction.addEdge(out, labelText(label(row), "addE"), into, checkedId(id(row)))
      const edge = transaction.edge(refs[row]!)
      if (this.writes.length <= CHUNK_ITEMS) writeProperties(this.writes, rest, row, edge, transaction, true)
      else yield* writeTask(this.writes, rest, row, edge, transaction, true)
      if (activation.slice.isOverAfter(row + 1)) yield
    }
    activation.emitData(this, batch, null, EDGE, refs, batch.length)
  }

  #end(which: "from" | "to", given: EdgeEnd, row: number, batch: Batch, activation: Activation): number {
    const { transaction } = activation
    const end = endValue(given, row, batch, activation)
    const id = endId(end)
    if (id !== undefined) {
      const ref = end instanceof Vertex && end.source === transaction ? end.ref : transaction.vertexRef(id)
      if (ref !== -1) return ref
    }
    throw new TraversalError(
      `The value given to addE(${String(this.label?.value ?? "")}).${which}() must resolve to a Vertex or the ID of a Vertex present in the graph, but it was ${end === undefined || end === null ? "null" : nameOf(end)}`
    )
  }
}

const starting =
  (make: (label: unknown, compiler: PlanBuilder) => AddElementStep): StepBuilder =>
  (args, compiler) =>
    make(args[0], compiler)

/** The operators addV() and addE(). */
export const addSteps: Operators = {
  addV: stepOperator(
    noParameters,
    starting((label, compiler) => {
      if (label === null) throw new TraversalInvalid("vertexLabel cannot be null")
      return new AddVertexStep(label, compiler)
    })
  ),
  addE: stepOperator(
    noParameters,
    starting((label, compiler) => {
      if (label === null) throw new TraversalInvalid("Label can not be null: addE() takes a string")
      return new AddEdgeStep(label, compiler)
    })
  )
}
