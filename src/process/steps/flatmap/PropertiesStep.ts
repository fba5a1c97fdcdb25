import { Edge, type Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import { currentProperties } from "../../../structure/graph/CurrentProperties.ts"
import { type Reads, Values } from "../../../structure/graph/GraphReads.ts"
import { stringArguments } from "../../language/Arguments.ts"
import { elementExpected } from "../../machine/Expansions.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, carriesNothing, VALUE, VERTEX } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { flattening } from "../../plan/StepTraits.ts"
import { readsOf } from "../shared/By.ts"
import { PropertyValues } from "../shared/PropertyValues.ts"

const traits = flattening({ results: "many", keepsObject: false, children: "none" })

/**
 * values() and properties(): property values, or the properties themselves, of the given keys; of all keys if none is
 * given.
 */
export class PropertiesStep extends Step {
  readonly operator: "values" | "properties"
  readonly name = "PropertiesStep"
  readonly traits = traits
  /** Null = every key. Each key is there once. */
  readonly keys: readonly string[] | null
  /** False for values('a', 'a'), which has one of `keys`. */
  readonly namesOneKey: boolean

  /** `given`: the keys as the operator names them. Null = every key. */
  constructor(operator: "values" | "properties", given: readonly string[] | null) {
    super()
    this.operator = operator
    this.keys = given === null ? null : [...new Set(given)]
    this.namesOneKey = given?.length === 1
  }

  override reads(batch: Batch): readonly Reads[] {
    return readsOf(batch, this.keys)
  }

  override run(batch: Batch, activation: Activation): undefined {
    const rows: Array<number> = []
    const values: Array<unknown> = []
    if (this.operator === "values" && batch.kind !== VALUE && this.keys?.length === 1) {
      this.#oneKey(batch, activation, this.keys[0]!, rows, values)
    } else if (this.operator === "values" && batch.kind !== VALUE) {
      this.#manyKeys(batch, activation, rows, values)
    } else {
      for (let row = 0; row < batch.length; row++) {
        const element = batch.value(row, activation.transaction)
        if (!(element instanceof Vertex || element instanceof Edge || element instanceof VertexProperty)) {
          throw elementExpected(element, this.operator)
        }
        const properties: ReadonlyArray<VertexProperty | Property> = currentProperties(element, this.keys)
        for (const property of inKeyOrder(properties, this.keys)) {
          rows.push(row)
          values.push(this.operator === "values" ? property.value : property)
        }
      }
    }
    const all = carriesNothing(batch) || (rows.length === batch.length && identity(rows))
    activation.emitData(this, batch, all ? null : rows, VALUE, values, values.length)
  }

  #oneKey(batch: Batch, activation: Activation, key: string, rows: Array<number>, values: Array<unknown>): void {
    const { transaction } = activation
    const reader = batch.kind === VERTEX ? transaction.vertexReader(key) : transaction.edgeReader(key)
    const { data, length } = batch
    const plain = carriesNothing(batch)
    for (let row = 0; row < length; row++) {
      const value = reader.value(data[row] as number)
      if (value === undefined) continue
      if (plain && !(value instanceof Values)) values.push(value)
      else if (value instanceof Values) {
        for (const one of value.values) {
          rows.push(row)
          values.push(one)
        }
      } else {
        rows.push(row)
        values.push(value)
      }
    }
  }

  /** values('b', 'a') emits b before a, independent of the order in the element. */
  #manyKeys(batch: Batch, activation: Activation, rows: Array<number>, values: Array<unknown>): void {
    const properties = PropertyValues.of(batch, activation.transaction)!
    for (let row = 0; row < batch.length; row++) {
      const ref = batch.data[row] as number
      for (const key of this.keys ?? properties.keys(ref, null)) {
        for (const value of properties.values(ref, key)) {
          rows.push(row)
          values.push(value)
        }
      }
    }
  }

  override describe(): string {
    return `[${(this.keys ?? []).join(", ")}],${this.operator === "values" ? "value" : "property"}`
  }
}

/** properties('b', 'a') emits b before a, independent of the order in the element. */
const inKeyOrder = <P extends { readonly key: string }>(
  properties: ReadonlyArray<P>,
  keys: readonly string[] | null
): ReadonlyArray<P> =>
  keys === null || keys.length < 2
    ? properties
    : keys.flatMap((key) => properties.filter((property) => property.key === key))

const identity = (rows: ReadonlyArray<number>): boolean => {
  for (let i = 0; i < rows.length; i++) if (rows[i] !== i) return false
  return true
}

const build =
  (operator: "values" | "properties"): StepBuilder =>
  (args) => {
    const keys = stringArguments(
      operator,
      args.filter((arg) => arg !== null),
      "property key"
    )
    return new PropertiesStep(operator, args.length === 0 ? null : keys)
  }

/** The operators values() and properties(). */
export const propertiesSteps: Operators = {
  values: stepOperator(noParameters, build("values")),
  properties: stepOperator(noParameters, build("properties"))
}
