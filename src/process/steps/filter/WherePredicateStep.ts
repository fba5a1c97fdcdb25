import type { Task } from "../../../scheduling/Task.ts"
import { BulkSet, GremlinSet, isListOrSet } from "../../../structure/collections/Collections.ts"
import { equals } from "../../../structure/comparison/Equality.ts"
import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { nameOf } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { type Comparison, ConnectiveP, NotP, P, type Predicate } from "../../language/Predicate.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { filtering, type StepTraits } from "../../plan/StepTraits.ts"
import { compilePredicate } from "../../predicates/PredicateEvaluation.ts"
import type { ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { scoped } from "../shared/Scoping.ts"

const traits = filtering({ filter: "asks", rank: 3, labels: "processes", children: "asked" })
/** Traits of a step with by() modulators, which cost more. */
const modulated: StepTraits = { ...traits, rank: 8 }

/**
 * where(P) and where(startKey, P). The start object is the current object, or the object with the label startKey. The step
 * compares it with other labelled objects: the values of the predicate are their labels. The by() modulators apply in turn,
 * the first to the start object and the next ones to the labelled objects.
 */
export class WherePredicateStep extends ModulatedStep {
  readonly operator = "where"
  readonly name = "WherePredicateStep"
  readonly #startKey: string | null
  readonly #predicate: Predicate
  /** The labels of the predicate's leaves, in order. */
  readonly #labels: Array<string> = []

  get traits(): StepTraits {
    return this.modulators.length === 0 ? traits : modulated
  }

  constructor(startKey: string | null, predicate: Predicate) {
    super()
    this.#startKey = startKey
    this.#predicate = withOneLabelEach(predicate)
    collectLabels(this.#predicate, this.#labels)
  }

  override require(needs: Needs): void {
    if (needs.path === 0) needs.path = 1
  }

  override labelsRead(): readonly string[] {
    return this.#startKey === null ? this.#labels : [this.#startKey, ...this.#labels]
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    const bys = this.modulators
    // Without by() the objects are compared by their ids.
    if (bys.length === 0) return []
    return this.#columns(batch, activation).flatMap((column, k) => bys[k % bys.length]!.reads(column))
  }

  /** A column with the start objects, then a column with the objects of each label. Their rows are those of the batch. */
  #columns(batch: Batch, activation: Activation): Array<Batch> {
    const keeps = this.modulators.length > 0
    const start = this.#startKey === null ? batch : scoped(this, batch, this.#startKey, activation, keeps)
    return [start, ...this.#labels.map((label) => scoped(this, batch, label, activation, keeps))]
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#filtered(batch, activation))
  }

  *#filtered(batch: Batch, activation: Activation): Task {
    const columns = this.#columns(batch, activation)
    let test: ((row: number) => boolean) | undefined
    if (this.modulators.length > 0) {
      this.#modulated(columns, activation, (made) => {
        test = made
      })
      // The children of the by() modulators run at this yield.
      if (test === undefined) yield
    } else test = this.#refTest(columns) ?? this.#valueTest(columns.map((column) => plain(column, activation)))
    const kept: Array<number> = []
    for (let row = 0; row < batch.length; row++) {
      if (test!(row)) kept.push(row)
      if (activation.slice.isOverAfter(row + 1)) yield
    }
    activation.emitRows(this, batch, kept, kept.length)
  }

  /**
   * Evaluates the by() modulators, then calls `done` with a test of a row. A row does not pass the test if a modulator has no
   * result for it.
   */
  #modulated(
    columns: ReadonlyArray<Batch>,
    activation: Activation,
    done: (test: (row: number) => boolean) => void
  ): void {
    const results: Array<ByColumn> = []
    const next = (): void => {
      const k = results.length
      if (k < columns.length) {
        const by = this.modulators[k % this.modulators.length]!
        const take = (result: ByColumn): void => {
          results.push(result)
          next()
        }
        if (k === 0 && this.#startKey === null) by.evaluate(columns[k]!, activation, take)
        else by.evaluateObjects(columns[k]!, activation, take)
        return
      }
      const test = this.#valueTest(results.map(({ values }) => values))
      const productive = (row: number): boolean => results.every(({ found }) => found === null || found[row] === 1)
      done((row) => productive(row) && test(row))
    }
    next()
  }

  /** A test of a row that compares refs, so that it creates no elements. Only for eq and neq of refs; otherwise undefined. */
  #refTest(columns: ReadonlyArray<Batch>): ((row: number) => boolean) | undefined {
    const predicate = this.#predicate
    const [start, other] = columns
    if (!(predicate instanceof P) || start!.kind === VALUE || start!.kind !== other!.kind) return undefined
    const a = start!.data
    const b = other!.data
    if (predicate.operator === "eq") return (row) => a[row] === b[row]
    return predicate.operator === "neq" ? (row) => a[row] !== b[row] : undefined
  }

  /** A test of a row. The first column has the start objects, the others the objects of the labels. */
  #valueTest(columns: ReadonlyArray<ReadonlyArray<unknown>>): (row: number) => boolean {
    let leaf = 1
    const compile = (predicate: Predicate): ((row: number) => boolean) => {
      if (predicate instanceof ConnectiveP) {
        const parts = predicate.predicates.map(compile)
        return predicate.operator === "and"
          ? (row) => parts.every((part) => part(row))
          : (row) => parts.some((part) => part(row))
      }
      if (predicate instanceof NotP) {
        const part = compile(predicate.predicate)
        return (row) => !part(row)
      }
      return comparison(predicate, columns[0]!, columns[leaf++]!)
    }
    return compile(this.#predicate)
  }

  override describe(): string {
    return this.#startKey === null ? String(this.#predicate) : `${this.#startKey},${this.#predicate}`
  }
}

/** The values of a column. Refs become elements. */
const plain = (column: Batch, activation: Activation): ReadonlyArray<unknown> =>
  column.kind === VALUE
    ? (column.data as ReadonlyArray<unknown>)
    : Array.from({ length: column.length }, (_, row) => column.value(row, activation.transaction))

type Collection = ReadonlyArray<unknown> | GremlinSet | BulkSet

/** A test of a row for one leaf of the predicate: compares the start object with the operand of the row. */
const comparison = (
  predicate: P,
  starts: ReadonlyArray<unknown>,
  operands: ReadonlyArray<unknown>
): ((row: number) => boolean) => {
  switch (predicate.operator) {
    case "eq":
      return (row) => equals(starts[row], operands[row])
    case "neq":
      return (row) => !equals(starts[row], operands[row])
    case "within":
    case "without": {
      const wanted = predicate.operator === "within"
      return (row) => isWithin(starts[row], collection(predicate, operands[row])) === wanted
    }
    default:
      return (row) => compilePredicate(new P(predicate.operator, operands[row]), (operand) => operand)(starts[row])
  }
}

/** The labelled collection of within() or without(). Throws if the object is not a collection. */
const collection = (predicate: P, operand: unknown): Collection => {
  if (isListOrSet(operand)) return operand
  throw new TraversalError(
    `P.${predicate.operator}() in where() takes the label of a collection, but the object is ${briefText(operand)}: compare one object with P.eq() or P.neq()`
  )
}

/**
 * True if the collection has a member that equals the value. A set or a BulkSet, for example of aggregate(), may be large, so it
 * is first searched by key. Numbers and objects can also equal a member with another key, so they are then compared with each
 * member.
 */
const isWithin = (value: unknown, collection: Collection): boolean => {
  if (collection instanceof BulkSet || collection instanceof GremlinSet) {
    const holds = collection instanceof BulkSet ? collection.count(value) > 0 : collection.has(value)
    // NaN may be a member, but NaN does not equal NaN.
    if (holds) return equals(value, value)
    if (!(isNumber(value) || (typeof value === "object" && value !== null))) return false
  }
  const items = collection instanceof BulkSet ? collection.distinct() : collection
  for (const item of items) if (equals(value, item)) return true
  return false
}

/** Replaces between(), inside() and outside(), which have two labels, by two comparisons with one label each. */
const withOneLabelEach = (predicate: Predicate): Predicate => {
  if (predicate instanceof ConnectiveP) {
    return new ConnectiveP(predicate.operator, predicate.predicates.map(withOneLabelEach))
  }
  if (predicate instanceof NotP) return new NotP(withOneLabelEach(predicate.predicate))
  const parts = bounds.get(predicate.operator)
  if (parts === undefined) return predicate
  const [joint, lower, upper] = parts
  const [low, high] = predicate.value as readonly [unknown, unknown]
  return new ConnectiveP(joint, [new P(lower, low), new P(upper, high)])
}

/** Predicates with two bounds: how to join the comparisons with the lower and the upper bound, and these comparisons. */
const bounds: ReadonlyMap<string, readonly ["and" | "or", Comparison, Comparison]> = new Map([
  ["between", ["and", "gte", "lt"]],
  ["inside", ["and", "gt", "lt"]],
  ["outside", ["or", "lt", "gt"]]
])

/** Adds the values of the predicate, which are labels. A list with one label is accepted. Throws TraversalInvalid otherwise. */
const collectLabels = (predicate: Predicate, labels: Array<string>): void => {
  if (predicate instanceof ConnectiveP) for (const part of predicate.predicates) collectLabels(part, labels)
  else if (predicate instanceof NotP) collectLabels(predicate.predicate, labels)
  else {
    const given: ReadonlyArray<unknown> = Array.isArray(predicate.value) ? predicate.value : [predicate.value]
    if (given.length > 1) {
      throw new TraversalInvalid(
        `P.${predicate.operator}() in where() takes one label, whose object is a collection, but was given ${given.length} labels: ` +
          "join predicates with and() or or()"
      )
    }
    const [label] = given
    if (typeof label !== "string") {
      throw new TraversalInvalid(
        `where(P) compares with labelled objects: P.${predicate.operator}() takes a label, but was given ${nameOf(label)}. ` +
          "Use is() to compare with a value"
      )
    }
    labels.push(label)
  }
}
