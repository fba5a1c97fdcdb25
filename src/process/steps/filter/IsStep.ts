import type { Task } from "../../../scheduling/Task.ts"
import { mayBeSlow } from "../../../scheduling/TimeSlice.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { nameOf } from "../../language/Arguments.ts"
import { TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { isPredicate, P, type Predicate } from "../../language/Predicate.ts"
import { refuseComparedTraversals } from "../../language/TraversalValues.ts"
import type { Activation } from "../../plan/Activation.ts"
import { type Batch, VALUE } from "../../plan/Batch.ts"
import { everyArgument, type Operators, stepOperator } from "../../plan/Operator.ts"
import type { Run } from "../../plan/Run.ts"
import { Step } from "../../plan/Step.ts"
import { filtering } from "../../plan/StepTraits.ts"
import { compileTask, type Test } from "../../predicates/PredicateEvaluation.ts"
import { preparedTest } from "../../predicates/PreparedPredicates.ts"

const traits = filtering({ filter: "plain", rank: 1, labels: "none", children: "none" })

/** is(): keeps objects that meet a predicate. */
export class IsStep extends Step {
  readonly operator: string
  readonly name = "IsStep"
  readonly traits = traits
  readonly predicate: Predicate

  constructor(operator: string, predicate: Predicate) {
    super()
    this.operator = operator
    this.predicate = predicate
  }

  override reads(): null {
    return null
  }

  override run(batch: Batch, activation: Activation): boolean {
    const test = testOf(this, this.predicate, activation.run)
    if (test === null) return false
    const { length } = batch
    const { slice } = activation
    const rows = activation.run.scratch.rows(length)
    let kept = 0
    let i = activation.begunRow(this)
    if (batch.kind === VALUE) {
      const values = batch.data
      while (i < length) {
        const value = values[i]
        if (test(value)) rows[kept++] = i
        i++
        if (mayBeSlow(value) ? slice.isOverNow() : slice.isOver()) break
      }
    } else {
      while (i < length) {
        if (test(batch.value(i, activation.transaction))) rows[kept++] = i
        i++
        if (slice.isOver()) break
      }
    }
    if (i < length) activation.cursor(this).row = i
    activation.emitRows(this, batch, rows, kept)
    return i === length
  }

  override describe(): string {
    return this.predicate instanceof P ? `${this.predicate.operator}(${briefText(this.predicate.value)})` : ""
  }
}

/**
 * The compiled test of a step's predicate, cached for the run. Null until it is complete: the step is then called
 * again.
 */
const testOf = (step: Step, predicate: Predicate, run: Run): Test | null =>
  preparedTest(step, run, () => compileTask(run.slice, predicate, (operand) => resolve(operand, run)))

/** Does the same inside a step that runs in time slices. */
export function* testTask(step: Step, predicate: Predicate, run: Run): Task<Test> {
  for (;;) {
    const test = testOf(step, predicate, run)
    if (test !== null) return test
    yield
  }
}

/** The operator is(). */
export const isSteps: Operators = {
  is: stepOperator(everyArgument, (args) => {
    if (args.length !== 1) throw new TraversalInvalid(`is() takes one value or predicate, but was given ${args.length}`)
    if (args[0] === undefined)
      throw new TraversalInvalid(`is() takes a value or a predicate, but was given ${nameOf(args[0])}`)
    const predicate = isPredicate(args[0]) ? args[0] : new P("eq", args[0])
    refuseComparedTraversals("is", [predicate])
    return new IsStep("is", predicate)
  })
}
