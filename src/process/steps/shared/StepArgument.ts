import type { Task } from "../../../scheduling/Task.ts"
import { briefText } from "../../../structure/texts/Text.ts"
import { Bytecode } from "../../language/Bytecode.ts"
import { TraversalError } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { answered } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import type { PlanBuilder, Step, Traversal } from "../../plan/Step.ts"

/** The values of an argument for the rows of a batch; undefined if its traversal returned nothing. */
export type ArgumentColumn = (row: number) => unknown

/**
 * An argument that is a value, a query parameter, or a traversal that computes the value for each row (property(),
 * addE().from()...).
 */
export class StepArgument {
  readonly value: unknown
  traversal: Traversal | null
  constructor(argument: unknown, step: Step, compiler: PlanBuilder) {
    this.traversal = argument instanceof Bytecode ? compiler.child(argument, step) : null
    this.value = this.traversal === null ? argument : undefined
  }

  /** Passes the column to `done`: immediately, or after the child ran over the batch. */
  evaluate(batch: Batch, activation: Activation, done: (column: ArgumentColumn) => void): void {
    if (this.traversal === null) {
      const value = resolve(this.value, activation.run)
      done(() => value)
      return
    }
    activation.invoke(planOf(this.traversal), batch, "first", ({ found, values }) => {
      // At the start of a traversal the object is undefined; identity() there returns null.
      done((row) => (found[row] === 1 ? (values[row] ?? null) : undefined))
    })
  }
}

/** An argument whose value each run makes once, because runs share a plan. */
export class MadeArgument extends StepArgument {
  readonly #make: () => unknown
  constructor(make: () => unknown, step: Step, compiler: PlanBuilder) {
    super(undefined, step, compiler)
    this.#make = make
  }

  override evaluate(_batch: Batch, activation: Activation, done: (column: ArgumentColumn) => void): void {
    const { value } = activation.run.sharedBy(this, () => ({ value: this.#make() }))
    done(() => value)
  }
}

/** Evaluates arguments one after another and passes all their columns to `done`. */
export const evaluateArguments = (
  args: ReadonlyArray<StepArgument>,
  batch: Batch,
  activation: Activation,
  done: (columns: ReadonlyArray<ArgumentColumn>) => void
): void => {
  const columns: Array<ArgumentColumn> = []
  // A loop handles arguments that are available immediately: there may be more of them than the call stack allows
  // nested calls.
  const next = (): void => {
    for (let at = columns.length; at < args.length; at++) {
      let isAtOnce = true
      args[at]!.evaluate(batch, activation, (column) => {
        columns.push(column)
        if (!isAtOnce) next()
      })
      isAtOnce = false
      if (columns.length === at) return
    }
    done(columns)
  }
  next()
}

/**
 * Does the same, but throws TraversalError if the traversal of one of the first `required` arguments returns nothing
 * for a row.
 */
const evaluateRequired = (
  args: ReadonlyArray<StepArgument>,
  batch: Batch,
  activation: Activation,
  done: (columns: ReadonlyArray<ArgumentColumn>) => void,
  required = args.length
): void =>
  evaluateArguments(args, batch, activation, (columns) => {
    args.slice(0, required).forEach(({ traversal }, at) => {
      if (traversal === null) return
      for (let row = 0; row < batch.length; row++) {
        if (columns[at]!(row) === undefined) throw unproductive(batch.value(row, activation.transaction), traversal)
      }
    })
    done(columns)
  })

/** Does the same for a step that runs in time slices. */
export const evaluatedRequired = (
  args: ReadonlyArray<StepArgument>,
  batch: Batch,
  activation: Activation,
  required = args.length
): Task<ReadonlyArray<ArgumentColumn>> => answered((done) => evaluateRequired(args, batch, activation, done, required))

const unproductive = (value: unknown, traversal: Traversal): TraversalError =>
  new TraversalError(
    `The provided traverser does not map to a value: ${briefText(value)}->${traversal}. ` +
      "A traversal as an argument must return a value: end it with coalesce(..., constant(...)), or filter before this step"
  )

/** The child traversals of arguments. */
export const argumentChildren = (args: ReadonlyArray<StepArgument>): ReadonlyArray<Traversal> =>
  args.flatMap(({ traversal }) => (traversal === null ? [] : [traversal]))

/** Replaces a child traversal in place. */
export const replaceArgument = (args: ReadonlyArray<StepArgument>, from: Traversal, to: Traversal): void => {
  for (const argument of args) if (argument.traversal === from) argument.traversal = to
}
