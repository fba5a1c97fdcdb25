import { Variable } from "../../process/language/Bytecode.ts"
import { GremlinMap, GremlinSet } from "../../structure/Collections.ts"
import { isCopied } from "../../structure/DeepCopy.ts"
import { closest } from "../../structure/Spelling.ts"
import type { Evaluation, HostCall, Scope } from "../Scope.ts"
import { Calculated, type Operand, type Script } from "../Script.ts"
import { wordHint } from "../ScriptHints.ts"
import type { Budget } from "./Budget.ts"
import { substitute, visitVariables } from "./Data.ts"
import { ownCopy } from "./Ownership.ts"
import type { Places } from "./Places.ts"

/** The values of a script's variables, and of data that contains variables, in one run. */
export class VariableValues {
  readonly #script: Script
  readonly #scope: Scope
  readonly #budget: Budget
  readonly #places: Places
  readonly #calculate: (operand: Operand) => Evaluation

  /** @param calculate gives the value of an operand */
  constructor(
    script: Script,
    scope: Scope,
    budget: Budget,
    places: Places,
    calculate: (operand: Operand) => Evaluation
  ) {
    this.#script = script
    this.#scope = scope
    this.#budget = budget
    this.#places = places
    this.#calculate = calculate
  }

  /** Data with its variables replaced by their values. Collections are copied for each run, because scripts may change them. */
  *data(data: unknown): Evaluation {
    if (typeof data !== "object" || data === null) return data
    if (data instanceof Variable) return yield* this.variable(data)
    const values = yield* this.inside(data)
    const changeable = Array.isArray(data) || data instanceof GremlinMap || data instanceof GremlinSet
    if (values.size === 0 && !changeable) return data
    const position = this.#script.statements[0]?.position ?? 0
    return this.#places.at(position, () =>
      substitute(data, (variable) => this.#budget.member(values.get(variable.name)))
    )
  }

  /** The value of a variable. Fails with ScriptFailure when there is none of its name. */
  *variable(variable: Variable): Evaluation {
    if (variable instanceof Calculated) return yield* this.#calculate(variable.expression)
    const { name } = variable
    const { variables, globals } = this.#scope
    if (variables.has(name)) return yield* this.#ownVariable(name)
    if (globals.has(name)) return globals.get(name)
    const constant = this.#script.constants.get(name)
    if (constant !== undefined) return constant
    const near = closest(name, [...variables.keys(), ...globals.keys()])
    const hint =
      near === undefined ? ": assign it, or give it a value in the request's bindings" : `. Did you mean ${near}?`
    throw this.#places.failure(
      wordHint(name) ?? `there is no variable ${name}${hint}`,
      this.#script.variables.get(name) ?? 0
    )
  }

  /** The value of a variable that the script may change. A value that was given to the script is copied first. */
  *#ownVariable(name: string): Evaluation {
    const { variables } = this.#scope
    const value = variables.get(name)
    if (!variables.isGiven(name) || !isCopied(value)) return value
    const own = yield* ownCopy(value, this.#budget)
    variables.set(name, own)
    return own
  }

  /** The value of a variable that is only read, so that it need not be copied. */
  *#peeked(variable: Variable): Evaluation {
    const { variables } = this.#scope
    return variables.isGiven(variable.name) ? variables.get(variable.name) : yield* this.variable(variable)
  }

  #placeOf(variable: Variable): number {
    return this.#script.variables.get(variable.name) ?? 0
  }

  /** The values of the variables in data, by name. */
  *inside(data: unknown): Generator<HostCall, Map<string, unknown>, unknown> {
    const values = new Map<string, unknown>()
    const found: Array<Variable> = []
    visitVariables(data, (variable) => found.push(variable))
    if (found.length > 1) {
      this.#places.at(found[0] instanceof Calculated ? found[0].expression.position : this.#placeOf(found[0]!), () =>
        this.#budget.spend(found.length, "putting values in the places of variables")
      )
    }
    for (const variable of found) {
      if (!values.has(variable.name)) values.set(variable.name, yield* this.#peeked(variable))
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return values
  }
}
