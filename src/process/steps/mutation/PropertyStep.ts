import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { Edge, isElement, Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import type { Reads, RefColumn } from "../../../structure/graph/GraphReads.ts"
import { isEnum, isTraversal } from "../../language/Arguments.ts"
import { WRITTEN_PROPERTY } from "../../language/Bytecode.ts"
import { TraversalError } from "../../language/Errors.ts"
import { elementExpected } from "../../machine/Expansions.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { Batch, carry, PathNode, VALUE, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, type ParameterPositions, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { acting, type StepTraits } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"
import {
  type PropertyCall,
  type PropertyWrite,
  propertyCalls,
  propertyWrite,
  withMeta,
  writeProperties,
  writeTask,
  writtenProperty
} from "../shared/PropertyWrites.ts"
import { argumentChildren, evaluatedRequired, replaceArgument, type StepArgument } from "../shared/StepArgument.ts"
import { AddElementStep } from "./AddElementStep.ts"
import { changesEarlierSteps } from "./DropOrder.ts"

const traits = acting({
  scout: "passes",
  limits: "pass",
  keepsObject: true,
  merging: "none",
  children: "asked",
  access: "writes"
})

/** Traits of a step that gives the property. */
const giving = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: false,
  merging: "none",
  children: "asked",
  access: "writes"
})

/** property(): sets a property of each incoming element. */
export class PropertyStep extends Step {
  readonly operator = "property"
  readonly name = "AddPropertyStep"
  #writes: ReadonlyArray<PropertyWrite>
  /** The arguments of all writes; there may be thousands. */
  #arguments: ReadonlyArray<StepArgument>
  #withTraversals: ReadonlyArray<StepArgument>
  #givesProperty = false
  /** The step before the property() steps of which this is one. */
  readonly subject: Step | undefined
  constructor(calls: ReadonlyArray<PropertyCall>, subject: Step | undefined, compiler: PlanBuilder) {
    super()
    this.subject = subject
    this.#writes = calls.map((call) => propertyWrite(call, this, compiler))
    this.#arguments = argumentsOf(this.#writes)
    this.#withTraversals = this.#arguments.filter(({ traversal }) => traversal !== null)
  }
  get traits(): StepTraits {
    return this.#givesProperty ? giving : traits
  }
  get writes(): ReadonlyArray<PropertyWrite> {
    return this.#writes
  }
  /** Accepts with() of any key: it configures a graph implementation, and this one has no such options. */
  override modulate(operator: string, args: readonly unknown[], compiler: PlanBuilder): void {
    if (operator !== "with") super.modulate(operator, args, compiler)
    else if (args[0] === WRITTEN_PROPERTY && this.#writes.length === 1) this.#givesProperty = true
  }

  /** Adds a meta-property to each written property (PartitionStrategy). */
  addMeta(key: string, value: string, compiler: PlanBuilder): void {
    this.#writes = this.#writes.map((write) => withMeta(write, key, value, this, compiler))
    this.#arguments = argumentsOf(this.#writes)
    this.#withTraversals = this.#arguments.filter(({ traversal }) => traversal !== null)
  }
  override localChildren(): ReadonlyArray<Traversal> {
    return argumentChildren(this.#withTraversals)
  }
  override replaceChild(from: Traversal, to: Traversal): void {
    replaceArgument(this.#arguments, from, to)
  }
  override require(needs: Needs): void {
    needs.writes = true
    needs.sequential = true
  }
  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, null)
  }
  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () =>
      this.#givesProperty ? this.#properties(batch, activation) : this.#written(batch, activation)
    )
  }

  *#properties(batch: Batch, activation: Activation): Task {
    const columns = yield* evaluatedRequired(this.#arguments, batch, activation)
    const { slice, transaction } = activation
    const properties: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      const element = batch.value(row, transaction)
      if (!isElement(element)) throw elementExpected(element, "property")
      properties.push(writtenProperty(this.#writes[0]!, columns, row, element, transaction))
      if (slice.isOverAfter(row + 1)) yield
    }
    activation.emitData(this, batch, null, VALUE, properties, properties.length)
  }

  *#written(batch: Batch, activation: Activation): Task {
    const columns = yield* evaluatedRequired(this.#arguments, batch, activation)
    const { transaction } = activation
    const writes = this.#writes
    const written = new Map<number, VertexProperty>()
    for (let row = 0; row < batch.length; row++) {
      const element = batch.value(row, transaction)
      if (!isElement(element)) throw elementExpected(element, "property")
      const after =
        writes.length <= CHUNK_ITEMS
          ? writeProperties(writes, columns, row, element, transaction, false)
          : yield* writeTask(writes, columns, row, element, transaction, false)
      if (after !== element) written.set(row, after as VertexProperty)
      if (activation.slice.isOverAfter(row + 1)) yield
    }
    activation.pass(this, written.size === 0 ? batch : withProperties(batch, written))
  }
}

const argumentsOf = (writes: ReadonlyArray<PropertyWrite>): ReadonlyArray<StepArgument> =>
  writes.flatMap((write) => write.arguments)

/**
 * Replaces vertex properties by their new values in rows and at the ends of their paths: a vertex property is a value
 * that contains its meta-properties.
 */
const withProperties = (batch: Batch, written: ReadonlyMap<number, VertexProperty>): Batch => {
  const values = Array.from({ length: batch.length }, (_, row) => written.get(row) ?? batch.data[row])
  const out = carry(batch, null, new Batch(VALUE, values, values.length))
  if (batch.path === null) return out
  out.path = batch.path.slice(0, batch.length).map((node, row) => {
    const property = written.get(row)
    return node === null || property === undefined || node.object !== batch.data[row]
      ? node
      : new PathNode(VALUE, property, node.labels, node.previous)
  })
  return out
}

/** Number of elements removed between two yields. */
const REMOVALS_PER_SLICE = 64

const dropping = acting({
  scout: "stops",
  limits: "stay",
  keepsObject: true,
  merging: "forbids",
  children: "none",
  access: "writes"
})

/** drop(): removes elements and properties; emits no rows. */
class DropStep extends Step {
  readonly operator = "drop"
  readonly name = "DropStep"
  readonly traits = dropping
  override require(needs: Needs): void {
    needs.writes = true
    // A removal could change what earlier steps find for later rows.
    if (!needs.sequential && changesEarlierSteps(this, needs)) needs.sequential = true
  }
  override reads(batch: Batch): readonly Reads[] {
    if (batch.kind !== VERTEX) return readsOf(batch, null)
    const refs = batch.data as RefColumn
    return [
      { kind: "vertex", refs, length: batch.length, keys: null },
      { kind: "adjacent", refs, length: batch.length, direction: "BOTH", labels: null, edges: true }
    ]
  }
  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#drop(batch, activation))
  }

  *#drop(batch: Batch, { slice, transaction }: Activation): Task {
    for (let row = 0; row < batch.length; row++) {
      if (row % REMOVALS_PER_SLICE === REMOVALS_PER_SLICE - 1) yield
      const value = batch.value(row, transaction)
      if (value instanceof Vertex) {
        const ref = value.source === transaction ? value.ref : transaction.refOfVertex(value)
        if (ref === -1 || !transaction.hasVertex(ref)) continue
        // A vertex may have very many edges.
        yield* transaction.removeVertexTask(ref, slice)
      } else if (value instanceof Edge) {
        const ref = value.source === transaction ? value.ref : transaction.refOfEdge(value)
        if (ref !== -1 && transaction.hasEdge(ref)) transaction.removeEdge(ref)
      } else if (value instanceof VertexProperty) transaction.removeVertexProperty(value)
      else if (value instanceof Property) transaction.removeProperty(value)
      else throw new TraversalError("The incoming object is not removable: drop() takes elements and properties")
    }
  }
}

/**
 * The positions of property() values and of meta-property values. Keys and a cardinality are part of the plan. Before keys and values, a
 * null and a variable stand for a cardinality, too.
 */
const propertyValues: ParameterPositions = (args, at) => {
  const first = isEnum(args[0], "Cardinality") || args.length % 2 === 1 ? 2 : 1
  return at >= first && (at - first) % 2 === 0
}

/**
 * The steps of the calls that are not part of a creation. A traversal among the arguments sees what the calls before it write, so
 * it begins a step.
 */
const propertyStepsOf = (
  calls: ReadonlyArray<PropertyCall>,
  subject: Step | undefined,
  compiler: PlanBuilder
): Array<PropertyStep> => {
  const groups: Array<Array<PropertyCall>> = [[]]
  for (const call of calls) {
    const last = groups.at(-1)!
    if (last.length > 0 && [call.key, call.value].some(isTraversal)) groups.push([call])
    else last.push(call)
  }
  return groups.map((group) => new PropertyStep(group, subject, compiler))
}

/** The operators property() and drop(). */
export const propertySteps: Operators = {
  property: stepOperator(propertyValues, (args, compiler, traversal) => {
    const { last } = traversal
    const subject = last instanceof PropertyStep ? last.subject : last
    const calls = propertyCalls(args)
    const others = subject instanceof AddElementStep ? subject.take(calls, compiler) : calls
    if (others.length === 0 && subject instanceof AddElementStep) return null
    const steps = propertyStepsOf(others, subject, compiler)
    for (const step of steps.slice(0, -1)) traversal.add(step)
    return steps.at(-1)!
  }),
  drop: stepOperator(noParameters, () => new DropStep())
}
