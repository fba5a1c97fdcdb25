import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { isTraversal, nameOf, stringArgument } from "../../language/Arguments.ts"
import { TraversalError, TraversalInvalid } from "../../language/Errors.ts"
import { resolve } from "../../language/Operand.ts"
import type { Activation } from "../../plan/Activation.ts"
import type { Batch } from "../../plan/Batch.ts"
import { checkEntries } from "../../plan/MapEntries.ts"
import type { Run } from "../../plan/Run.ts"
import type { PlanBuilder, Step } from "../../plan/Step.ts"
import { type ArgumentColumn, evaluateArguments, StepArgument } from "../shared/StepArgument.ts"

/** Parameters of a call for the rows of a batch. */
export type ParameterColumn = (row: number) => GremlinMap

/**
 * The parameters of a call: a map, a traversal that returns a map, and with(key, value or traversal). A later entry
 * overrides an earlier one.
 */
export class CallParameters {
  readonly #step: Step
  readonly #compiler: PlanBuilder
  /** The map argument, or a query parameter that holds it; undefined without a map argument. */
  readonly #map: unknown
  readonly #traversal: StepArgument | null
  readonly #options: Array<readonly [string, StepArgument]> = []

  constructor(args: readonly unknown[], step: Step, compiler: PlanBuilder) {
    const traversals = args.filter(isTraversal)
    const maps = args.filter((arg) => !isTraversal(arg) && arg !== null)
    if (traversals.length > 1 || maps.length > 1) {
      throw new TraversalInvalid(
        "call() takes the name of a service, a map of parameters, and a traversal that gives a map of parameters"
      )
    }
    this.#step = step
    this.#compiler = compiler
    this.#map = maps[0]
    this.#traversal = traversals.length === 0 ? null : new StepArgument(traversals[0], step, compiler)
  }

  /** with(key, value); without value it is true. */
  with(args: readonly unknown[]): void {
    const value = new StepArgument(args.length === 1 ? true : args[1], this.#step, this.#compiler)
    this.#options.push([stringArgument("with", args[0], "key"), value])
  }

  get arguments(): Array<StepArgument> {
    const options = this.#options.map(([, value]) => value)
    return this.#traversal === null ? options : [this.#traversal, ...options]
  }

  /** False when all rows have the same parameters. */
  get varies(): boolean {
    return this.arguments.some(({ traversal }) => traversal !== null)
  }

  /** Passes the parameters of all rows to `done`: immediately, or after the child traversals ran over the batch. */
  evaluate(batch: Batch, activation: Activation, done: (parameters: ParameterColumn) => void): void {
    const { run } = activation
    evaluateArguments(this.arguments, batch, activation, (columns) => {
      if (this.varies) done((row) => this.#merged(columns, row, run))
      else {
        const parameters = this.#merged(columns, 0, run)
        done(() => parameters)
      }
    })
  }

  #merged(columns: ReadonlyArray<ArgumentColumn>, row: number, run: Run): GremlinMap {
    const parameters = new GremlinMap(asMap(resolve(this.#map, run)))
    if (this.#traversal !== null) for (const [key, value] of asMap(columns[0]!(row))) parameters.set(key, value)
    const first = this.#traversal === null ? 0 : 1
    this.#options.forEach(([key], at) => {
      const value = columns[first + at]!(row)
      if (value === undefined)
        throw new TraversalError(
          `The traversal in with('${key}', ...) after call() returned no value. Add coalesce() with a default`
        )
      parameters.set(key, value)
    })
    return parameters
  }
}

const asMap = (value: unknown): GremlinMap => {
  if (value === undefined) return new GremlinMap()
  if (value instanceof GremlinMap) {
    checkEntries(value, "call()")
    return value
  }
  throw new TraversalError(`The parameters of call() must be a map, but the value is ${nameOf(value)}`)
}
