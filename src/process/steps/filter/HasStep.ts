import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { EnumValue, T } from "../../../structure/scalars/Enums.ts"
import { isEnum, labelArguments, stringArgument } from "../../language/Arguments.ts"
import { Bytecode, Instruction } from "../../language/Bytecode.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { isPredicate, P, type Predicate } from "../../language/Predicate.ts"
import { refuseTraversalValue } from "../../language/TraversalValues.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import {
  everyArgument,
  noParameters,
  type Operators,
  type ParameterPositions,
  type StepBuilder,
  stepOperator
} from "../../plan/Operator.ts"
import { Step } from "../../plan/Step.ts"
import { filtering } from "../../plan/StepTraits.ts"
import { HasContainer } from "../../predicates/HasContainer.ts"
import { readsOf } from "../shared/By.ts"
import { TraversalFilterStep } from "./TraversalFilterStep.ts"

/** Rows between two readings of the clock if all conditions are quick: the clock is not read in between. */
const UNLIMITED_STRIDE_ROWS = Number.POSITIVE_INFINITY

const traits = filtering({ filter: "plain", rank: 2, labels: "none", children: "none" })

/** has(), hasLabel(), hasId() and the other forms: keeps elements that meet every condition. */
export class HasStep extends Step {
  readonly operator: string
  readonly name = "HasStep"
  readonly traits = traits
  conditions: Array<HasContainer>

  constructor(operator: string, conditions: Array<HasContainer>) {
    super()
    this.operator = operator
    this.conditions = conditions
  }

  override reads(batch: Batch): readonly Reads[] {
    const keys: Array<string> = []
    let isOnlyIds = true
    for (const { key } of this.conditions) {
      if (typeof key === "string") keys.push(key)
      isOnlyIds &&= key === T.id
    }
    return isOnlyIds ? [] : readsOf(batch, keys)
  }

  override run(batch: Batch, activation: Activation): boolean {
    const tests = activation.state<Array<Array<(raw: unknown) => boolean>>>(this, () => [])
    if (tests[batch.kind] === undefined && !this.conditions.every((condition) => condition.isReady(activation.run))) {
      return false
    }
    tests[batch.kind] ??= this.conditions.map((condition) => condition.bind(batch, activation))
    const bound = tests[batch.kind]!
    const { data, length } = batch
    const { slice } = activation
    const stride = this.conditions.reduce(
      (least, condition) => Math.min(least, condition.clockStride),
      UNLIMITED_STRIDE_ROWS
    )
    const rows = activation.run.scratch.rows(length)
    let kept = 0
    let i = activation.begunRow(this)
    while (i < length) {
      let holds = true
      for (let c = 0; c < bound.length && holds; c++) holds = bound[c]!(data[i])
      if (holds) rows[kept++] = i
      i++
      if (stride === UNLIMITED_STRIDE_ROWS ? slice.isOver() : i % stride === 0 && slice.isOverNow()) break
    }
    if (i < length) activation.cursor(this).row = i
    activation.emitRows(this, batch, rows, kept)
    return i === length
  }

  override describe(): string {
    const conditions = this.conditions.map(
      ({ key, predicate }) => `${key instanceof EnumValue ? `~${key.name}` : String(key)}.${predicate}`
    )
    return `[${conditions.join(", ")}]`
  }
}

/** A single value means eq(value); several values mean within(values). */
export const asPredicate = (value: unknown): Predicate => (isPredicate(value) ? value : new P("eq", value))

const anyOf = (values: readonly unknown[]): Predicate => {
  if (values.length === 1) return asPredicate(values[0])
  if (values.some(isPredicate)) throw new TraversalInvalid("has...() takes either one predicate or values, not both")
  return new P("within", values)
}

/** Refuses traversals in the place of values: TinkerPop compares with the traversal object, which equals no value. */
const refuseTraversals = (operator: string, values: readonly unknown[]): void => {
  const advice = "To compare with the results of a traversal, use where(), as in where(values(key)...)."
  for (const value of values) refuseTraversalValue(`${operator}()`, value, advice)
}

const has: StepBuilder = (args, compiler) => {
  const [first, second] = args
  refuseTraversals("has", args.slice(args[1] instanceof Bytecode && args.length === 2 ? 2 : 1))
  if (args.length === 3) {
    return new HasStep("has", [
      new HasContainer(T.label, asPredicate(first)),
      new HasContainer(comparedKey(second), asPredicate(args[2]))
    ])
  }
  if (args.length === 1) {
    if (isEnum(first, "T")) throw new TraversalInvalid(`has(T.${first.name}) needs a value or a predicate`)
    return new TraversalFilterStep("has", valuesOf(propertyKey(first)), compiler)
  }
  if (second instanceof Bytecode) {
    throw new TraversalInvalid("has(key, traversal) was removed in TinkerPop 3.8; use where(values(key)....)")
  }
  if (args.length !== 2) throw new TraversalInvalid(`has() takes one to three arguments, but was given ${args.length}`)
  return new HasStep("has", [new HasContainer(comparedKey(first), asPredicate(second))])
}

const hasNot: StepBuilder = (args, compiler) => {
  if (args.length !== 1) throw new TraversalInvalid(`hasNot() takes one property key, but was given ${args.length}`)
  return new TraversalFilterStep("hasNot", valuesOf(propertyKey(args[0])), compiler)
}

const valuesOf = (key: unknown): Bytecode => new Bytecode([], [new Instruction("values", [key])])

const propertyKey = (value: unknown): string | EnumValue | null =>
  value === null || isEnum(value, "T") ? value : stringArgument("has", value, "property key")

/** The names of the constants of T as keys, such as `~label`. */
const accessors: ReadonlyMap<unknown, EnumValue> = new Map(Object.values(T).map((token) => [`~${token.name}`, token]))

/** The key of has() with a value: the accessor of a constant of T means the constant, as in TinkerPop. */
const comparedKey = (value: unknown): string | EnumValue | null => accessors.get(value) ?? propertyKey(value)

/** Arguments are values, lists of values, or one predicate. Where they are strings, `what` says what they name. */
const token =
  (operator: string, key: EnumValue, what?: string): StepBuilder =>
  (args) => {
    if (args.length === 0) throw new TraversalInvalid(`${operator}() needs a value or a predicate`)
    refuseTraversals(operator, args)
    if (what !== undefined && !args.some(isPredicate)) {
      return new HasStep(operator, [new HasContainer(key, anyOf(labelArguments(operator, args, what)))])
    }
    if (operator === "hasId" && !args.some(isPredicate)) {
      return new HasStep(operator, [new HasContainer(key, new P("within", args))])
    }
    return new HasStep(operator, [new HasContainer(key, anyOf(args))])
  }

/** The position of the value that has() compares with. Keys and labels are part of the plan. */
const comparedValue: ParameterPositions = (args, at) =>
  at > 0 && at === args.length - 1 && (accessors.get(args[0]) ?? args[0]) !== T.label

/** The operators has(), hasNot(), hasId(), hasKey(), hasLabel() and hasValue(). */
export const hasSteps: Operators = {
  has: stepOperator(comparedValue, has),
  hasNot: stepOperator(noParameters, hasNot),
  hasId: stepOperator(everyArgument, token("hasId", T.id)),
  hasKey: stepOperator(noParameters, token("hasKey", T.key, "property key")),
  hasLabel: stepOperator(noParameters, token("hasLabel", T.label, "label")),
  hasValue: stepOperator(everyArgument, token("hasValue", T.value))
}
