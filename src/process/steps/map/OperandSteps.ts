import type { Task } from "../../../scheduling/Task.ts"
import type { TimeSlice } from "../../../scheduling/TimeSlice.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { isTraversal } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { refuseTraversalValue } from "../../language/TraversalValues.ts"
import { runTask } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, type StepBuilder, stepOperator } from "../../plan/Operator.ts"
import { type PlanBuilder, Step, type Traversal } from "../../plan/Step.ts"
import { mapping } from "../../plan/StepTraits.ts"
import { dateDiff } from "../../scalars/DateSteps.ts"
import * as Lists from "../../scalars/Lists.ts"
import { concat } from "../../scalars/Texts.ts"
import { argumentChildren, evaluateArguments, replaceArgument, StepArgument } from "../shared/StepArgument.ts"

/** Computes a value from an object and its operands; `fromTraversal` tells whether a traversal computed the operands. */
type Operation = (
  slice: TimeSlice,
  input: unknown,
  operands: readonly unknown[],
  fromTraversal: boolean,
  hold: (bytes: number) => void
) => Task<unknown>

/** Wraps an operation that does not need time slices. */
const short = <A>(operation: (input: unknown, operand: A, fromTraversal: boolean) => unknown) =>
  // biome-ignore lint/correctness/useYield: it has the type of operations that yield
  function* (_slice: TimeSlice, input: unknown, operand: A, fromTraversal: boolean): Task<unknown> {
    return operation(input, operand, fromTraversal)
  }

/** Number of rows between two yields. */
const ROWS_PER_SLICE = 256

const traits = mapping({ limits: "stay", labels: "none", children: "asked" })

/** A step that computes one value from each object and its operands. Operands are values or results of child traversals. */
class OperandStep extends Step {
  readonly operator: string
  readonly name: string
  readonly traits = traits
  readonly #operation: Operation
  readonly #operands: ReadonlyArray<StepArgument>

  constructor(
    operator: string,
    name: string,
    operation: Operation,
    operands: readonly unknown[],
    compiler: PlanBuilder
  ) {
    super()
    this.operator = operator
    this.name = name
    this.#operation = operation
    this.#operands = operands.map((operand) => new StepArgument(operand, this, compiler))
  }

  override localChildren(): ReadonlyArray<Traversal> {
    return argumentChildren(this.#operands)
  }

  override replaceChild(from: Traversal, to: Traversal): void {
    replaceArgument(this.#operands, from, to)
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    return runTask(this, batch, activation, () => this.#mapped(batch, activation))
  }

  *#mapped(batch: Batch, activation: Activation): Task {
    let columns: ReadonlyArray<(row: number) => unknown> | undefined
    evaluateArguments(this.#operands, batch, activation, (evaluated) => {
      columns = evaluated
    })
    // The children run at this yield.
    if (columns === undefined) yield
    const { run, transaction } = activation
    const fromTraversal = this.localChildren().length > 0
    const hold = (bytes: number): void => run.hold(bytes)
    const values = new Array<unknown>(batch.length)
    for (let row = 0; row < values.length; row++) {
      const input = batch.value(row, transaction)
      const operands = columns!.map((column) => this.#given(column(row), input))
      values[row] = yield* this.#operation(activation.slice, input, operands, fromTraversal, hold)
      if (row % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) yield
    }
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }

  #given(operand: unknown, input: unknown): unknown {
    if (operand !== undefined) return operand
    throw new TraversalError(
      `The provided traverser does not map to a value: ${briefText(input)}. The traversal given to ${this.operator}() returned no value for it.`
    )
  }
}

/** Builds a step with exactly one operand. */
const withOperand =
  (
    operator: string,
    name: string,
    operation: (
      slice: TimeSlice,
      input: unknown,
      operand: unknown,
      fromTraversal: boolean,
      hold: (bytes: number) => void
    ) => Task<unknown>
  ): StepBuilder =>
  (args, compiler) => {
    if (args.length !== 1) throw new TraversalInvalid(`${operator}() takes one argument, but was given ${args.length}`)
    if (!isTraversal(args[0])) refuseTraversalValue(`The collection of ${operator}()`, args[0])
    return new OperandStep(
      operator,
      name,
      (slice, input, [operand], from, hold) => operation(slice, input, operand, from, hold),
      args,
      compiler
    )
  }

/** The arguments are traversals, strings, or lists of strings (drivers send varargs as lists). */
const concatStep: StepBuilder = (args, compiler) => {
  const parts = args.flatMap((part) => (Array.isArray(part) ? part : [part]))
  const wrong = parts.find((part) => !(part === null || typeof part === "string" || isTraversal(part)))
  if (wrong !== undefined) {
    throw new TraversalInvalid(
      `concat() takes strings or traversals that give strings, but was given ${briefText(wrong)}`
    )
  }
  return new OperandStep(
    "concat",
    "ConcatStep",
    short((input, operands) => concat(input, ...operands)),
    parts,
    compiler
  )
}

/** Steps that compute one value from one object and operands that may be traversals. */
export const operandSteps: Operators = {
  combine: stepOperator(noParameters, withOperand("combine", "CombineStep", Lists.combine)),
  difference: stepOperator(noParameters, withOperand("difference", "DifferenceStep", Lists.difference)),
  disjunct: stepOperator(noParameters, withOperand("disjunct", "DisjunctStep", Lists.disjunct)),
  intersect: stepOperator(noParameters, withOperand("intersect", "IntersectStep", Lists.intersect)),
  merge: stepOperator(noParameters, withOperand("merge", "MergeStep", Lists.merge)),
  product: stepOperator(noParameters, withOperand("product", "ProductStep", Lists.product)),
  dateDiff: stepOperator(
    noParameters,
    withOperand(
      "dateDiff",
      "DateDiffStep",
      short((input, operand) => dateDiff(input, operand))
    )
  ),
  concat: stepOperator(noParameters, concatStep)
}
