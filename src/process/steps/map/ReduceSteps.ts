import type { Task } from "../../../scheduling/Task.ts"
import { CHUNK_ITEMS, type TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { BulkSet, entriesOf, GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { Tree } from "../../../structure/collections/Tree.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { add, average, multiply } from "../../../structure/numbers/Arithmetic.ts"
import { exactBulk } from "../../../structure/numbers/Bulks.ts"
import { Byte, double, Float, type GremlinNumber, isNumber, Short } from "../../../structure/numbers/Numbers.ts"
import { type EnumValue, Operator } from "../../../structure/scalars/Enums.ts"
import { isEnum, nameOf } from "../../language/Arguments.ts"
import { ClosureSource } from "../../language/Closure.ts"
import { TraversalError } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { refuseTraversalValue } from "../../language/TraversalValues.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation, BarrierGroup } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { type Joins, Step } from "../../plan/Step.ts"
import { mapping, reducing, type StepTraits } from "../../plan/StepTraits.ts"
import { Accumulator } from "../../scalars/Accumulator.ts"
import { checkRoom } from "../../scalars/Items.ts"
import { applyOperator, extreme } from "../../scalars/Operators.ts"
import { ClosureFoldStep } from "../closure/ClosureFoldStep.ts"
import { CountStep, emitPart } from "./CountStep.ts"
import { joinedLists } from "./MapJoin.ts"
import { LocalScalarStep, ScalarStep } from "./MapSteps.ts"

/** How a reducing step accumulates values: the state of one origin and its final result (undefined: no result). */
interface Reducer<S> {
  readonly start: (activation: Activation) => S
  readonly add: (state: S, value: unknown, bulk: number) => S
  readonly end: (state: S) => unknown
  /** True if the step gives a result for empty input. */
  readonly answersEmpty: boolean
  /** Bytes held for each traverser; 0 for steps that hold one number. */
  readonly bytes: number
  /** True if a row is accumulated once for each unit of its bulk, which may be very large. */
  readonly repeats: boolean
  /** The operator that joins two results; null if the later result replaces the earlier one. */
  readonly joins: EnumValue | null
}

const answering = reducing({ work: "collects", answersEmpty: true, children: "none" })
const silent = reducing({ work: "collects", answersEmpty: false, children: "none" })

/** fold(), sum(), min(), max(), mean(): reduces all traversers of an origin to one. */
class ReduceStep<S> extends Step {
  readonly operator: string
  readonly name: string
  readonly traits: StepTraits
  readonly #reducer: Reducer<S>
  constructor(operator: string, name: string, reducer: Reducer<S>) {
    super()
    this.operator = operator
    this.name = name
    this.#reducer = reducer
    this.traits = reducer.answersEmpty ? answering : silent
    const { joins } = reducer
    if (joins === null) return
    this.joined = (earlier, later, owned) =>
      joins === Operator.addAll && Array.isArray(earlier) && Array.isArray(later)
        ? joinedLists(earlier, later, owned)
        : applyOperator(joins, earlier, later)
  }

  override readonly joined?: Joins

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    const reducer = this.#reducer
    if (reducer.repeats && batch.bulk !== null) {
      return runTask(this, batch, activation, () => this.#repeated(batch, activation))
    }
    const cells = activation.group(this, batch.loops).cells as Array<S | undefined>
    for (let i = 0; i < batch.length; i++) {
      const origin = batch.originOf(i)
      const state = cells[origin] === undefined ? reducer.start(activation) : cells[origin]
      cells[origin] = reducer.add(state, batch.value(i, activation.transaction), batch.bulkOf(i))
    }
    if (reducer.bytes > 0) activation.run.hold(batch.length * reducer.bytes)
    return true
  }

  *#repeated(batch: Batch, activation: Activation): Task {
    const reducer = this.#reducer
    const cells = activation.group(this, batch.loops).cells as Array<S | undefined>
    let added = 0
    for (let row = 0; row < batch.length; row++) {
      const origin = batch.originOf(row)
      const value = batch.value(row, activation.transaction)
      for (let times = batch.bulkOf(row); times > 0; times--) {
        cells[origin] = reducer.add(cells[origin] ?? reducer.start(activation), value, 1)
        if (++added % CHUNK_ITEMS > 0) continue
        activation.run.hold(CHUNK_ITEMS * reducer.bytes)
        yield
      }
    }
    activation.run.hold((added % CHUNK_ITEMS) * reducer.bytes)
  }

  override flush(group: BarrierGroup, activation: Activation): boolean {
    return emitPart(this, group, activation, (origin) => {
      const cell = group.cells[origin] as S | undefined
      if (cell === undefined && !this.traits.answersEmpty) return undefined
      return this.#reducer.end(cell === undefined ? this.#reducer.start(activation) : cell)
    })
  }
}

const foldAll: Reducer<Array<unknown>> = {
  start: () => [],
  add: (list, value) => {
    checkRoom(list)
    list.push(value)
    return list
  },
  end: (list) => list,
  answersEmpty: true,
  bytes: 32,
  repeats: true,
  joins: Operator.addAll
}

const numeric = (operator: string, value: unknown): GremlinNumber => {
  if (isNumber(value)) return value
  throw new TraversalError(`${operator}() needs numbers, but was given ${nameOf(value)}`)
}

/** Nulls are skipped; if all values are null, the result is null. */
interface NumberState {
  value: GremlinNumber | null
  count: number
}

/** `exactly`: a Float is added as a Double, as in the global mean(). */
const summing = (operator: "sum" | "mean", exactly = false): Reducer<NumberState> => ({
  start: () => ({ value: null, count: 0 }),
  add: (state, value, bulk) => {
    if (value === null) return state
    const given = numeric(operator, value)
    const number = exactly && given instanceof Float ? double(given.value) : given
    const times = bulk === 1 ? number : multiply(number, bulkFactor(number, bulk))
    state.value = state.value === null ? times : add(state.value, times)
    state.count += bulk
    return state
  },
  end: (state) => (state.value === null ? null : operator === "sum" ? state.value : average(state.value, state.count)),
  answersEmpty: false,
  bytes: 0,
  repeats: false,
  joins: operator === "sum" ? Operator.sum : null
})

/**
 * A bulk as a number of the value's type, so that the product keeps this type where it can. A bulk that is too large for a Byte, a Short
 * or an Int is a Long, as in TinkerPop.
 */
const bulkFactor = (value: GremlinNumber, bulk: number): GremlinNumber => {
  if (value instanceof Byte && bulk <= BYTE_MAX) return new Byte(bulk)
  if (value instanceof Short && bulk <= SHORT_MAX) return new Short(bulk)
  const isInt = (bulk | 0) === bulk && !(value instanceof Byte || value instanceof Short)
  return isInt ? bulk : BigInt(exactBulk(bulk))
}

const BYTE_MAX = 127
const SHORT_MAX = 32_767

const extremeValue = (operator: "min" | "max"): Reducer<{ value: unknown }> => ({
  start: () => ({ value: null }),
  add: (state, value) => {
    state.value = extreme(operator, state.value, value)
    return state
  },
  end: (state) => state.value,
  answersEmpty: false,
  bytes: 0,
  repeats: false,
  joins: operator === "min" ? Operator.min : Operator.max
})

/** The items of a value for steps with local scope; an object that is not a collection counts as its only item. */
export const localItems = (value: unknown): Iterable<unknown> => {
  if (Array.isArray(value) || value instanceof GremlinSet) return value
  if (value instanceof BulkSet) return value.members()
  if (value instanceof GremlinMap) return entriesOf(value)
  if (value instanceof Path) return value.objects
  return [value]
}

const counting = mapping({ limits: "pass", labels: "none", children: "none" })

const countLocal = (value: unknown): bigint => {
  if (Array.isArray(value)) return BigInt(value.length)
  if (value instanceof GremlinSet || value instanceof GremlinMap || value instanceof BulkSet) return BigInt(value.size)
  if (value instanceof Path) return BigInt(value.objects.length)
  if (value instanceof Tree) return BigInt(value.children.size)
  return 1n
}

function* reduceLocal<S>(slice: TimeSlice, reducer: Reducer<S>, value: unknown): Task<unknown> {
  let state = reducer.start(undefined as never)
  let added = 0
  for (const item of localItems(value)) {
    state = reducer.add(state, item, 1)
    if (slice.isOverAfter(++added, item)) yield
  }
  return added === 0 ? undefined : reducer.end(state)
}

const build =
  (operator: "sum" | "mean" | "min" | "max", words: string): StepBuilder =>
  (args) => {
    const isLocal = isEnum(args[0], "Scope") && args[0].name === "local"
    const reducer = (
      operator === "sum" || operator === "mean"
        ? summing(operator, operator === "mean" && !isLocal)
        : extremeValue(operator)
    ) as Reducer<unknown>
    return isLocal
      ? new LocalScalarStep(operator, `${words}LocalStep`, (slice, value) => reduceLocal(slice, reducer, value))
      : new ReduceStep(operator, `${words}GlobalStep`, reducer)
  }

/** The state of fold(seed, operator). */
interface Folded {
  readonly all: Accumulator
  /** True if each object is added to the seed as one member, even if the object is a collection. */
  readonly takesMembers: boolean
}

const fold: StepBuilder = (args) => {
  if (args.length === 0) return new ReduceStep("fold", "FoldStep", foldAll)
  const [seed, operator] = args
  if (operator instanceof ClosureSource) return new ClosureFoldStep(seed, operator)
  if (!isEnum(operator, "Operator")) {
    throw new TraversalError(
      "fold(seed, operator) takes an Operator such as Operator.sum or a closure as its second argument"
    )
  }
  refuseTraversalValue("The seed of fold()", seed)
  return new ReduceStep<Folded>("fold", "FoldStep", {
    start: (activation) => {
      const all = new Accumulator(resolve(seed, activation.run))
      return { all, takesMembers: operator === Operator.addAll && all.holdsMembers }
    },
    add: (state, value) => {
      state.all.apply(operator, state.takesMembers ? [value] : value)
      return state
    },
    end: ({ all }) => all.share(),
    answersEmpty: true,
    bytes: 0,
    repeats: true,
    joins: null
  })
}

/** The operators count(), fold(), sum(), mean(), min() and max(). */
export const reduceSteps: Operators = {
  count: stepOperator(noParameters, (args) =>
    isEnum(args[0], "Scope") && args[0].name === "local"
      ? new ScalarStep("count", "CountLocalStep", counting, countLocal)
      : new CountStep()
  ),
  fold: stepOperator(noParameters, fold),
  sum: stepOperator(noParameters, build("sum", "Sum")),
  mean: stepOperator(noParameters, build("mean", "Mean")),
  min: stepOperator(noParameters, build("min", "Min")),
  max: stepOperator(noParameters, build("max", "Max"))
}
