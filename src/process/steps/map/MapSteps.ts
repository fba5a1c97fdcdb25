import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { MapEntry } from "../../../structure/collections/Collections.ts"
import { Edge, isElement, Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { refuseNoValue } from "../../language/TraversalValues.ts"
import { elementExpected } from "../../machine/Expansions.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE, VERTEX } from "../../plan/Batch.ts"
import { everyArgument, noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import type { Run } from "../../plan/Run.ts"
import { Step } from "../../plan/Step.ts"
import { filtering, mapping, type StepTraits, scalar } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"

/** A step that computes one value from each object. */
export class ScalarStep extends Step {
  readonly operator: string
  readonly name: string
  readonly traits: StepTraits
  readonly #map: (value: unknown, run: Run) => unknown
  readonly #words: string
  /** `map` may throw; undefined filters out the traverser. */
  constructor(
    operator: string,
    name: string,
    traits: StepTraits,
    map: (value: unknown, run: Run) => unknown,
    words = ""
  ) {
    super()
    this.operator = operator
    this.name = name
    this.traits = traits
    this.#map = map
    this.#words = words
  }

  /** The value is computed from the object, and an element has its id without a read. */
  override reads(): readonly Reads[] | null {
    return null
  }

  /** If one value is expensive, a call computes only part of the batch. */
  override run(batch: Batch, activation: Activation): boolean {
    const { transaction, run } = activation
    const cursor = activation.cursor(this)
    const values: Array<unknown> = []
    const rows: Array<number> = []
    let row = cursor.row
    while (row < batch.length) {
      const value = this.#map(batch.value(row, transaction), run)
      if (value !== undefined) {
        rows.push(row)
        values.push(value)
      }
      row++
      if (activation.slice.isOver()) break
    }
    cursor.row = row
    activation.emitData(this, batch, rows.length === batch.length ? null : rows, VALUE, values, values.length)
    return row === batch.length
  }

  override describe(): string {
    return this.#words
  }
}

/** A {@link ScalarStep} that iterates over all members of a collection. A collection may have millions of members. */
export class LocalScalarStep extends Step {
  readonly operator: string
  readonly name: string
  readonly traits = scalar
  readonly #map: (slice: TimeSlice, value: unknown, run: Run) => Task<unknown>
  readonly #words: string
  /** `map` may throw; undefined filters out the traverser. */
  constructor(
    operator: string,
    name: string,
    map: (slice: TimeSlice, value: unknown, run: Run) => Task<unknown>,
    words = ""
  ) {
    super()
    this.operator = operator
    this.name = name
    this.#map = map
    this.#words = words
  }

  /** The value is computed from the object, and an element has its id without a read. */
  override reads(): readonly Reads[] | null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#mapped(batch, activation))
  }

  *#mapped(batch: Batch, activation: Activation): Task {
    const values: Array<unknown> = []
    const rows: Array<number> = []
    for (let row = 0; row < batch.length; row++) {
      const value = yield* this.#map(activation.slice, batch.value(row, activation.transaction), activation.run)
      if (value === undefined) continue
      rows.push(row)
      values.push(value)
    }
    activation.emitData(this, batch, rows.length === batch.length ? null : rows, VALUE, values, values.length)
  }

  override describe(): string {
    return this.#words
  }
}

const onePerRow = mapping({ limits: "pass", labels: "none", children: "none" })

/** id() and label(), read directly from the columns. */
export class TokenStep extends Step {
  readonly operator: "id" | "label"
  readonly name: string
  readonly traits = onePerRow
  constructor(operator: "id" | "label") {
    super()
    this.operator = operator
    this.name = operator === "id" ? "IdStep" : "LabelStep"
  }

  override reads(batch: Batch): readonly Reads[] {
    return this.operator === "id" ? [] : readsOf(batch, [])
  }

  override run(batch: Batch, activation: Activation): undefined {
    const { transaction } = activation
    const { data, length } = batch
    const values = new Array<unknown>(length)
    const id = this.operator === "id"
    if (batch.kind === VALUE) {
      for (let i = 0; i < length; i++) {
        const element = data[i]
        if (!isElement(element)) throw elementExpected(element, this.operator)
        values[i] = id ? element.id : element.label
      }
    } else if (batch.kind === VERTEX) {
      for (let i = 0; i < length; i++) {
        values[i] = id ? transaction.vertexId(data[i] as number) : transaction.vertexLabel(data[i] as number)
      }
    } else {
      for (let i = 0; i < length; i++) {
        values[i] = id ? transaction.edgeId(data[i] as number) : transaction.edgeLabel(data[i] as number)
      }
    }
    activation.emitData(this, batch, null, VALUE, values, length)
  }
}

const keyOrValue =
  (part: "key" | "value") =>
  (value: unknown): unknown => {
    if (value instanceof VertexProperty || value instanceof Property || value instanceof MapEntry) return value[part]
    throw elementExpected(value, part)
  }

const identity = filtering({ filter: "no", rank: 0, labels: "none", children: "none" })

/** Passes every traverser through; it only carries labels. */
export class IdentityStep extends Step {
  readonly operator = "identity"
  readonly name = "IdentityStep"
  readonly traits = identity
  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): undefined {
    activation.pass(this, batch)
  }
}

const elementTraits: StepTraits = { ...scalar, merging: "forbids" }

const element = (value: unknown): unknown => {
  if (value instanceof VertexProperty) return value.vertex ?? undefined
  if (value instanceof Property) return value.element ?? undefined
  if (value instanceof Vertex || value instanceof Edge) throw elementExpected(value, "element")
  throw elementExpected(value, "element")
}

const noArguments =
  (operator: string, make: () => Step): StepBuilder =>
  (args) => {
    if (args.length > 0) throw new TraversalInvalid(`${operator}() takes no arguments`)
    return make()
  }

/** The operators id(), label(), key(), value(), element(), identity() and constant(). */
export const mapSteps: Operators = {
  id: stepOperator(
    noParameters,
    noArguments("id", () => new TokenStep("id"))
  ),
  label: stepOperator(
    noParameters,
    noArguments("label", () => new TokenStep("label"))
  ),
  key: stepOperator(
    noParameters,
    noArguments("key", () => new ScalarStep("key", "PropertyKeyStep", onePerRow, keyOrValue("key")))
  ),
  value: stepOperator(
    noParameters,
    noArguments("value", () => new ScalarStep("value", "PropertyValueStep", onePerRow, keyOrValue("value")))
  ),
  element: stepOperator(
    noParameters,
    noArguments("element", () => new ScalarStep("element", "ElementStep", elementTraits, element))
  ),
  identity: stepOperator(
    noParameters,
    noArguments("identity", () => new IdentityStep())
  ),
  constant: stepOperator(everyArgument, (args) => {
    refuseNoValue("constant()", args[0])
    return new ScalarStep(
      "constant",
      "ConstantStep",
      onePerRow,
      (_, run) => resolve(args[0], run) ?? null,
      briefText(args[0])
    )
  })
}
