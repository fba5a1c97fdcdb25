import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS } from "../../../scheduling/TimeSlice.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { type Element, type Property, Vertex, VertexProperty } from "../../../structure/elements/Element.ts"
import type { GraphTransaction } from "../../../structure/graph/GraphStore.ts"
import { type EnumValue, T } from "../../../structure/scalars/Enums.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { cardinalityValue, isEnum, nameOf } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { checkEntries } from "../../plan/MapEntries.ts"
import type { PlanBuilder, Step } from "../../plan/Step.ts"
import { type ArgumentColumn, StepArgument } from "./StepArgument.ts"
import { checkedId, checkPropertyValue } from "./StoredValues.ts"

/** One property() in the plan. */
export interface PropertyWrite {
  /** Null = the graph's default cardinality for the key. */
  readonly cardinality: EnumValue | null
  readonly key: StepArgument
  readonly value: StepArgument
  /** Meta-properties as alternating keys and values. */
  readonly meta: ReadonlyArray<StepArgument>
  /** key, value and meta in the order of evaluation. */
  readonly arguments: ReadonlyArray<StepArgument>
}

/** A key and a value of a property(), with a cardinality and meta-properties, as an instruction gives them. */
export interface PropertyCall {
  /** Null = the graph's default cardinality for the key. */
  readonly cardinality: EnumValue | null
  readonly key: unknown
  readonly value: unknown
  /** Meta-properties as alternating keys and values. */
  readonly meta: readonly unknown[]
}

/**
 * Parses the arguments of property(): (key, value, meta...), (cardinality, key, value, meta...), (map) or (cardinality,
 * map). Each entry of a map is a call.
 */
export const propertyCalls = (args: readonly unknown[]): Array<PropertyCall> => {
  const cardinality = isEnum(args[0], "Cardinality") ? args[0] : null
  const rest = cardinality === null && (args[0] !== null || args.length < 3) ? args : args.slice(1)
  const [first] = rest
  if (rest.length === 1 && first === null) return []
  if (rest.length === 1) {
    if (!(first instanceof GremlinMap)) {
      throw new TraversalInvalid(`property() takes a key and a value, or a map, but was given ${nameOf(first)}`)
    }
    checkEntries(first, "property()")
    return [...first].map(([key, value]) => callOf(cardinality, key, value, []))
  }
  if (rest.length < 2 || rest.length % 2 === 1) {
    throw new TraversalInvalid("property() takes a key and a value, followed by keys and values of meta-properties")
  }
  return [callOf(cardinality, first, rest[1], rest.slice(2))]
}

const callOf = (
  cardinality: EnumValue | null,
  key: unknown,
  value: unknown,
  meta: readonly unknown[]
): PropertyCall => {
  const own = cardinalityValue(value)
  return own === undefined ? { cardinality, key, value, meta } : { ...own, key, meta }
}

/** The write of a call, whose arguments are those of `step`. */
export const propertyWrite = (call: PropertyCall, step: Step, compiler: PlanBuilder): PropertyWrite => {
  const key = new StepArgument(call.key, step, compiler)
  const value = new StepArgument(call.value, step, compiler)
  const meta = call.meta.map((argument) => new StepArgument(argument, step, compiler))
  return { cardinality: call.cardinality, key, value, meta, arguments: [key, value, ...meta] }
}

/** The write of a property in the graph's default cardinality. */
export const argumentWrite = (key: StepArgument, value: StepArgument): PropertyWrite => ({
  cardinality: null,
  key,
  value,
  meta: [],
  arguments: [key, value]
})

/** Returns the same write with one more meta-property. */
export const withMeta = (
  write: PropertyWrite,
  key: string,
  value: string,
  step: Step,
  compiler: PlanBuilder
): PropertyWrite => {
  const meta = [...write.meta, new StepArgument(key, step, compiler), new StepArgument(value, step, compiler)]
  return { ...write, meta, arguments: [write.key, write.value, ...meta] }
}

/**
 * Writes the properties of one row to an element. `columns` are the columns of the writes' arguments, in order. Returns
 * the element after the writes: a vertex property with new meta-properties is a new value.
 */
export const writeProperties = (
  writes: ReadonlyArray<PropertyWrite>,
  columns: ReadonlyArray<ArgumentColumn>,
  row: number,
  element: Element,
  transaction: GraphTransaction,
  creating: boolean
): Element => {
  let at = 0
  let written = element
  for (const write of writes) {
    const key = columns[at++]!(row)
    const value = columns[at++]!(row)
    const meta = write.meta.map(() => columns[at++]!(row))
    if (value === undefined) continue
    const set = setProperty(written, write.cardinality, key, value, meta, transaction, creating)
    if (written instanceof VertexProperty) written = set as VertexProperty
  }
  return written
}

/** Does the same in time slices, because there may be very many writes. */
export function* writeTask(
  writes: ReadonlyArray<PropertyWrite>,
  columns: ReadonlyArray<ArgumentColumn>,
  row: number,
  element: Element,
  transaction: GraphTransaction,
  creating: boolean
): Task<Element> {
  let at = 0
  let written = element
  for (let from = 0; from < writes.length; from += CHUNK_ITEMS) {
    const part = writes.slice(from, from + CHUNK_ITEMS)
    const width = part.reduce((sum, write) => sum + write.arguments.length, 0)
    written = writeProperties(part, columns.slice(at, at + width), row, written, transaction, creating)
    at += width
    yield
  }
  return written
}

/** Writes the only property of `write` to an element. Returns the property; null if the element does not have it afterwards. */
export const writtenProperty = (
  { cardinality, meta }: PropertyWrite,
  columns: ReadonlyArray<ArgumentColumn>,
  row: number,
  element: Element,
  transaction: GraphTransaction
): Property | VertexProperty | null => {
  const [key, value] = [columns[0]!(row), columns[1]!(row)]
  if (value === undefined) return null
  const metaValues = meta.map((_argument, at) => columns[2 + at]!(row))
  const set = setProperty(element, cardinality, key, value, metaValues, transaction, false)
  if (element instanceof VertexProperty) return (set as VertexProperty).properties([key as string])[0] ?? null
  return (set instanceof VertexProperty ? set.id : set.element) === null ? null : set
}

/**
 * Writes one property. T.id among the meta-properties sets the id of the property. Returns it as the store does; for one of a vertex
 * property, the vertex property after the write.
 */
export const setProperty = (
  element: Element,
  cardinality: EnumValue | null,
  key: unknown,
  value: unknown,
  meta: ReadonlyArray<unknown>,
  transaction: GraphTransaction,
  creating: boolean
): Property | VertexProperty => {
  if (isEnum(key, "T")) {
    throw new TraversalError(
      `T.${key.name} is immutable on existing elements: set it by property() steps that directly follow addV() or addE()`
    )
  }
  if (typeof key !== "string")
    throw new TraversalError(`property() takes a string as its key, but was given ${nameOf(key)}`)
  checkPropertyValue(key, value)
  if (element instanceof Vertex) {
    const { id, properties } = metaOf(meta)
    const { creationCardinality, nullPropertyValues } = transaction.store.features
    // If null is not a property value, it removes values that earlier property() steps gave the new vertex.
    const adds = creating && (value !== null || nullPropertyValues)
    const kept = cardinality ?? (adds ? creationCardinality : null)
    const options = id === undefined && properties === null ? undefined : { id, meta: properties }
    return transaction.setVertexProperty(refOf(element, transaction), kept, key, value, options)
  }
  if (cardinality !== null) {
    throw new TraversalError(
      `Property cardinality can only be set for a Vertex but the traversal encountered ${typeName(element)} for key: ${key}`
    )
  }
  if (element instanceof VertexProperty) return transaction.setMetaProperty(element, key, value)
  const ref = element.source === transaction ? element.ref : transaction.refOfEdge(element)
  return transaction.setEdgeProperty(ref, key, value)
}

const refOf = (vertex: Vertex, transaction: GraphTransaction): number =>
  vertex.source === transaction ? vertex.ref : transaction.refOfVertex(vertex)

const metaOf = (meta: ReadonlyArray<unknown>): { id: unknown; properties: ReadonlyMap<string, unknown> | null } => {
  let id: unknown
  let properties: Map<string, unknown> | null = null
  for (let i = 0; i < meta.length; i += 2) {
    const [key, value] = [meta[i], meta[i + 1]]
    if (key === T.id) id = checkedId(value)
    else if (typeof key === "string") {
      checkPropertyValue(key, value)
      properties ??= new Map()
      properties.set(key, value)
    } else throw new TraversalError(`property() takes strings as keys of meta-properties, but was given ${nameOf(key)}`)
  }
  return { id, properties }
}
