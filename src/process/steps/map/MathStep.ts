import type { Reads } from "../../../structure/graph/GraphReads.ts"
import { double } from "../../../structure/numbers/Numbers.ts"
import { stringArgument } from "../../language/Arguments.ts"
import type { Activation, Needs } from "../../plan/Activation.ts"
import { type Batch, select, slice, VALUE } from "../../plan/Batch.ts"
import { noParameters, type Operators, stepOperator } from "../../plan/Operator.ts"
import { mapping, type StepTraits } from "../../plan/StepTraits.ts"
import { type MathExpression, mathOperand, parseMath } from "../../scalars/MathExpression.ts"
import { By, type ByColumn } from "../shared/By.ts"
import { ModulatedStep } from "../shared/ModulatedStep.ts"
import { scoped } from "../shared/Scoping.ts"

/** Maximum number of operations in one call, over all its rows: about 2 ms for the slowest operations. */
const OPERATIONS_PER_CALL = 32_768

/** The variable for the current object. */
const CURRENT_OBJECT = "_"

const traits = mapping({ limits: "pass", labels: "processes", children: "asked" })
/** A by() may give nothing, so that the row is filtered out: a limit must count the results. */
const modulated: StepTraits = { ...traits, limits: "stay" }

/**
 * math(expression): a Double for each object. Variables are labels; `_` is the current object. The by() modulators
 * apply to the variables in turn. A row without a value for a variable is filtered out.
 */
class MathStep extends ModulatedStep {
  readonly operator = "math"
  readonly name = "MathStep"
  readonly #equation: string
  readonly #expression: MathExpression

  constructor(equation: string) {
    super()
    this.#equation = equation
    this.#expression = parseMath(equation)
  }

  get traits(): StepTraits {
    return this.modulators.length === 0 ? traits : modulated
  }

  override require(needs: Needs): void {
    if (needs.path === 0 && this.#expression.variables.some((name) => name !== CURRENT_OBJECT)) needs.path = 1
  }

  override labelsRead(): readonly string[] {
    return this.#expression.variables.filter((name) => name !== CURRENT_OBJECT)
  }

  override reads(batch: Batch, activation: Activation): readonly Reads[] {
    return this.#expression.variables.flatMap((name, at) => this.#by(at).reads(this.#objects(name, batch, activation)))
  }

  #by(at: number): By {
    return this.modulators.length === 0 ? By.identity : this.modulators[at % this.modulators.length]!
  }

  #objects(variable: string, batch: Batch, activation: Activation): Batch {
    return variable === CURRENT_OBJECT ? batch : scoped(this, batch, variable, activation)
  }

  /** Evaluates a long expression for part of the batch in each call. */
  override run(batch: Batch, activation: Activation): boolean {
    const { size } = this.#expression
    if (batch.length * size <= OPERATIONS_PER_CALL) {
      this.#run(batch, activation)
      return true
    }
    const cursor = activation.cursor(this)
    const from = cursor.row
    const to = Math.min(batch.length, from + Math.max(1, Math.floor(OPERATIONS_PER_CALL / size)))
    cursor.row = to
    this.#run(slice(batch, from, to), activation)
    return to === batch.length
  }

  #run(batch: Batch, activation: Activation): void {
    const { variables } = this.#expression
    // Rows without a by() value are removed first: the next modulators could fail for their objects.
    let rows = batch
    let columns: Array<ReadonlyArray<number>> = []
    const next = (): void => {
      const at = columns.length
      const variable = variables[at]
      if (variable === undefined) {
        this.#emit(rows, columns, activation)
        return
      }
      const take = ({ found, values }: ByColumn): void => {
        const isFound = (row: number): boolean => found === null || found[row] === 1
        // An object that is no number fails before the next variable is read.
        columns.push(
          Array.from({ length: rows.length }, (_, row) => (isFound(row) ? mathOperand(variable, values[row]) : 0))
        )
        if (found !== null) {
          const kept = Array.from({ length: rows.length }, (_, row) => row).filter(isFound)
          if (kept.length === 0) return
          rows = select(rows, kept, kept.length)
          columns = columns.map((column) => kept.map((row) => column[row]!))
        }
        next()
      }
      const objects = this.#objects(variable, rows, activation)
      if (variable === CURRENT_OBJECT) this.#by(at).evaluate(objects, activation, take)
      else this.#by(at).evaluateObjects(objects, activation, take)
    }
    next()
  }

  #emit(batch: Batch, columns: ReadonlyArray<ReadonlyArray<number>>, activation: Activation): void {
    const operands = new Float64Array(columns.length)
    const values: Array<unknown> = []
    for (let row = 0; row < batch.length; row++) {
      for (let k = 0; k < operands.length; k++) operands[k] = columns[k]![row]!
      values.push(double(this.#expression.evaluate(operands)))
    }
    activation.emitData(this, batch, null, VALUE, values, values.length)
  }

  override describe(): string {
    return this.#equation
  }
}

/** The operator math(). */
export const mathSteps: Operators = {
  math: stepOperator(noParameters, (args) => new MathStep(stringArgument("math", args[0], "expression")))
}
