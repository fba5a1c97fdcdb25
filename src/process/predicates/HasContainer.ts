import { runWhole, type Task } from "../../scheduling/Task.ts"
import { Edge, Property, Vertex, VertexProperty } from "../../structure/elements/Element.ts"
import { currentProperties } from "../../structure/graph/CurrentProperties.ts"
import { Values } from "../../structure/graph/GraphReads.ts"
import type { EnumValue } from "../../structure/scalars/Enums.ts"
import { nameOf } from "../language/Arguments.ts"
import { TraversalError } from "../language/Errors.ts"
import { resolve } from "../language/Operand.ts"
import type { Predicate } from "../language/Predicate.ts"
import type { Activation } from "../plan/Activation.ts"
import { type Batch, VALUE, VERTEX } from "../plan/Batch.ts"
import type { Run } from "../plan/Run.ts"
import { compileIdPredicate } from "./IdPredicate.ts"
import { clockStride, compileShort, compileTask, mayTakeLong, type Test } from "./PredicateEvaluation.ts"
import { preparedTest } from "./PreparedPredicates.ts"

/** One condition on an element: a predicate over the value of a property key or a T. No element has the key null. */
export class HasContainer {
  readonly key: string | EnumValue | null
  readonly predicate: Predicate
  /** Values between two readings of the clock; see {@link clockStride}. */
  readonly clockStride: number
  /**
   * True directly after V(), E() and steps to edges: values of another type than the key's are converted to it, as in JanusGraph, so
   * that a client without the type (UUID, Character) finds its elements. Graphs without a schema convert nothing.
   */
  converts = false
  /** True directly after V() and E(): each operand of and() is a condition of its own, whose ids may be quoted. */
  splits = false
  readonly #takesLong: boolean
  constructor(key: string | EnumValue | null, predicate: Predicate) {
    this.key = key
    this.predicate = predicate
    this.clockStride = clockStride(predicate)
    this.#takesLong = mayTakeLong(predicate)
  }

  /** False while the test is not compiled. Then the step must return false before it does any work, and is called again. */
  isReady(run: Run): boolean {
    return !this.#takesLong || this.#prepared(run) !== null
  }

  #prepared(run: Run): Test | null {
    return preparedTest(this, run, () => this.#compile(run))
  }

  /** Whether the key and the predicate say all: then the predicates of several conditions can be joined into one. */
  get isJoinable(): boolean {
    return true
  }

  /** The predicate that a run tests, with the values of the run where they change it. */
  predicateIn(_run: Run): Predicate {
    return this.predicate
  }

  get #isOfId(): boolean {
    const { key } = this
    return key !== null && typeof key !== "string" && key.name === "id"
  }

  #test(run: Run): Test {
    if (this.#takesLong) return this.#prepared(run) ?? runWhole(this.#compile(run))
    if (this.#isOfId) return runWhole(this.#compile(run))
    return compileShort(this.predicate, (operand) => resolve(operand, run), this.#typed(run))
  }

  #compile(run: Run): Task<Test> {
    const predicate = this.predicateIn(run)
    if (this.#isOfId) return compileIdPredicate(predicate, run, this.splits)
    return compileTask(run.slice, predicate, (operand) => resolve(operand, run), this.#typed(run))
  }

  /** Converts values to the type of the key; undefined if nothing is converted. */
  #typed({ transaction }: Run): ((value: unknown) => unknown) | undefined {
    const { key } = this
    if (!this.converts || typeof key !== "string" || transaction.compared === undefined) return undefined
    return (value) => transaction.compared!(key, value)
  }

  /** The test of this condition for the column of a batch. Its argument is a raw entry of the column. */
  bind(batch: Batch, activation: Activation): (raw: unknown) => boolean {
    const { transaction, run } = activation
    const { key } = this
    if (key === null) return () => false
    const test = this.#test(run)
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
    switch (key.name) {
      case "id":
        return vertex
          ? (raw) => test(transaction.vertexId(raw as number))
          : (raw) => test(transaction.edgeId(raw as number))
      case "label":
        return vertex
          ? (raw) => test(transaction.vertexLabel(raw as number))
          : (raw) => test(transaction.edgeLabel(raw as number))
      default:
        return () => false
    }
  }

  #ofValue(value: unknown, test: Test): boolean {
    const { key } = this
    if (value instanceof Vertex || value instanceof Edge || value instanceof VertexProperty) {
      if (typeof key === "string") return currentProperties(value, [key]).some((property) => test(property.value))
      if (key?.name === "id") return test(value.id)
      if (key?.name === "label") return test(value.label)
      return value instanceof VertexProperty && test(key?.name === "key" ? value.key : value.value)
    }
    if (value instanceof Property) {
      if (typeof key === "string") return false
      if (key?.name === "key") return test(value.key)
      return key?.name === "value" && test(value.value)
    }
    throw new TraversalError(`has() needs an element, but the traverser is at ${nameOf(value)}`)
  }
}
