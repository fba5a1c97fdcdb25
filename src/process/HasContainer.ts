import { Edge, Property, Vertex, VertexProperty } from "../structure/Element.ts"
import type { EnumValue } from "../structure/Enums.ts"
import { Values } from "../structure/GraphStore.ts"
import type { Activation } from "./Activation.ts"
import { type Batch, VALUE, VERTEX } from "./Batch.ts"
import { TraversalError } from "./Errors.ts"
import { resolve } from "./Operand.ts"
import type { Predicate } from "./Predicate.ts"
import { compilePredicate } from "./PredicateTest.ts"

/** One condition on an element: a property key, or T.id / T.label, and a predicate over its value. */
export class HasContainer {
  readonly key: string | EnumValue
  readonly predicate: Predicate
  constructor(key: string | EnumValue, predicate: Predicate) {
    this.key = key
    this.predicate = predicate
  }

  /** The test of this condition for one run and kind of column: takes a raw entry of the column. */
  bind(batch: Batch, activation: Activation): (raw: unknown) => boolean {
    const test = compilePredicate(this.predicate, (operand) => resolve(operand, activation.run))
    const { transaction } = activation
    const { key } = this
    if (batch.kind === VALUE) return (raw) => this.#ofValue(raw, test)
    const vertex = batch.kind === VERTEX
    if (typeof key === "string") {
      const reader = vertex ? transaction.vertexReader(key) : transaction.edgeReader(key)
      return (raw) => {
        const value = reader.value(raw as number)
        if (value === undefined) return false
        return value instanceof Values ? value.values.some(test) : test(value)
      }
    }
    if (key.name === "id") {
      return vertex
        ? (raw) => test(transaction.vertexId(raw as number))
        : (raw) => test(transaction.edgeId(raw as number))
    }
    return vertex
      ? (raw) => test(transaction.vertexLabel(raw as number))
      : (raw) => test(transaction.edgeLabel(raw as number))
  }

  #ofValue(value: unknown, test: (value: unknown) => boolean): boolean {
    const { key } = this
    if (value instanceof Vertex || value instanceof Edge || value instanceof VertexProperty) {
      if (typeof key === "string") return value.properties([key]).some((property) => test(property.value))
      if (key.name === "id") return test(value.id)
      if (key.name === "label") return test(value.label)
      if (value instanceof VertexProperty) return test(key.name === "key" ? value.key : value.value)
    }
    if (value instanceof Property && typeof key !== "string") {
      if (key.name === "key" || key.name === "label") return test(value.key)
      if (key.name === "value") return test(value.value)
    }
    throw new TraversalError(
      `has() needs an element, but the traverser is at ${value === null ? "null" : typeof value === "object" ? `a ${value?.constructor.name}` : `the ${typeof value} ${String(value).slice(0, 60)}`}`
    )
  }
}
