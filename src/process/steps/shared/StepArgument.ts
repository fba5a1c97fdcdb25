import type { Task } from "../../../scheduling/Task.ts"
import { briefText } from "../../../structure/Text.ts"
import { Bytecode } from "../../language/Bytecode.ts"
import { TraversalError } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import { answered } from "../../machine/StepTasks.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { planOf } from "../../plan/Plan.ts"
import type { PlanBuilder, Step, Traversal } from "../../plan/Step.ts"

/** Values of an argument for the rows of a batch; undefined where its traversal gave nothing. */
export type ArgumentColumn = (row: number) => unknown

/** An argument that is a value, a parameter, or a traversal which gives it for each row (property(), addE().from()...). */
export class StepArgument {
  readonly value: unknown
  traversal: Traversal | null
  constructor(argument: unknown, step: Step, compiler: PlanBuilder) {
    this.traversal = argument instanceof Bytecode ? compiler.child(argument, step) : null
    this.value = this.traversal === null ? argument : undefined
  }

  /** Gives the column to `done`: at once, or after the child ran over the batch. */
  evaluate(batch: Batch, activation: Activation, done: (column: ArgumentColumn) => void): void {
    if (this.traversal === null) {
      const value = resolve(this.value, activation.run)
      done(() => value)
      return
    }
    activation.invoke(planOf(this.traversal), batch, "first", ({ found, values }) => {
      // The object at the start of a traversal, which identity() gives, is null.
      done((row) => (found[row] === 1 ? (values[row] ?? null) : undefined))
    })
  }
}

/** Evaluates arguments one after the other and gives all their columns to `done`. */
export const evaluateArguments = (
  args: ReadonlyArray<StepArgument>,
  batch: Batch,
  activation: Activation,
  done: (columns: ReadonlyArray<ArgumentColumn>) => void
): void => {
  const columns: Array<ArgumentColumn> = []
  // A loop for those that answer at once: there may be more of them than calls inside each other.
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

/** The same; throws TraversalError where the traversal of one of the first `required` arguments gives nothing for a row. */
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

/** The same, for a step that works in pieces. */
export const evaluatedRequired = (
  args: ReadonlyArray<StepArgument>,
  batch: Batch,
  activation: Activation,
  required = args.length
): Task<ReadonlyArray<ArgumentColumn>> => answered((done) => evaluateRequired(args, batch, activation, done, required))

const unproductive = (value: unknown, traversal: Traversal): TraversalError =>
  new TraversalError(
    `The provided traverser does not map to a value: ${briefText(value)}->${traversal}. ` +
      "An argument that is a traversal must give something: end it with coalesce(..., constant(...)), or filter before"
  )

/** Child traversals of arguments. */
export const argumentChildren = (args: ReadonlyArray<StepArgument>): ReadonlyArray<Traversal> =>
  args.flatMap(({ traversal }) => (traversal === null ? [] : [traversal]))

/** Replaces a child in place. */
export const replaceArgument = (args: ReadonlyArray<StepArgument>, from: Traversal, to: Traversal): void => {
  for (const argument of args) if (argument.traversal === from) argument.traversal = to
}
