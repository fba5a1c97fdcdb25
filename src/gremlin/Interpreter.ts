import { Bytecode, Variable } from "../process/language/Bytecode.ts"
import { TimeSlice } from "../scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../structure/Collections.ts"
import { dateOfMillis } from "../structure/Dates.ts"
import { isCopied } from "../structure/DeepCopy.ts"
import { Detached } from "../structure/Element.ts"
import { closest } from "../structure/Spelling.ts"
import { Uuid } from "../structure/Temporal.ts"
import { typeName } from "../structure/TypeNames.ts"
import { numbersBetween } from "./parser/RangeParser.ts"
import {
  type Evaluation,
  type HostCall,
  Optional,
  type Scope,
  ScriptIterator,
  ScriptTraversal,
  TraversalSource
} from "./Scope.ts"
import {
  type AnyExpression,
  type BinaryExpression,
  Calculated,
  CastExpression,
  type ChainExpression,
  Expression,
  type Link,
  type Operand,
  type RangeExpression,
  type Script,
  type Statement,
  type Target,
  type TraversalExpression
} from "./Script.ts"
import { wordHint } from "./ScriptHints.ts"
import { ScriptFailure } from "./SyntaxErrors.ts"
import { Budget, OperandError } from "./script/Budget.ts"
import { substitute, substituteBytecode, visitVariables } from "./script/Data.ts"
import { asIndex } from "./script/MethodTable.ts"
import { binary, isTrue, negate, type StrictOperator } from "./script/Operators.ts"
import { ownCopy } from "./script/Ownership.ts"
import { Receivers } from "./script/Receivers.ts"
import { readTarget, storeIn } from "./script/Targets.ts"

/**
 * Runs a script. The result is a value of structure/, a {@link ScriptTraversal} that the host should run and stream, a
 * TraversalSource or HostObject to be shown as text, or null. Fails with ScriptFailure, or with the errors of
 * structure/ (ArithmeticFailure, MalformedText); an error that the host throws into the generator ends the script.
 */
export function* evaluate(script: Script, scope: Scope, slice = new TimeSlice()): Evaluation {
  const run = new ScriptRun(script, scope, slice)
  let value: unknown = null
  for (const statement of script.statements) {
    value = yield* run.statement(statement)
    if (statement.kind === "return") break
  }
  return yield* run.result(value)
}

class ScriptRun {
  readonly #script: Script
  readonly #scope: Scope
  readonly #budget: Budget
  readonly #receivers: Receivers

  constructor(script: Script, scope: Scope, slice: TimeSlice) {
    this.#script = script
    this.#scope = scope
    this.#budget = new Budget(slice)
    this.#receivers = new Receivers(scope, this.#budget)
  }

  *statement(statement: Statement): Evaluation {
    this.#budget.spend(10)
    if (this.#budget.isSliceOver) yield { kind: "pause" }
    let value = yield* this.#value(statement.value)
    if (statement.kind !== "assignment") return value
    for (const target of statement.targets.toReversed()) value = yield* this.#store(target, value, statement)
    return value
  }

  /** What the script's last value is to the outside. */
  *result(last: unknown): Evaluation {
    const value = this.#outside(last)
    return this.#scope.isKept ? yield* ownCopy(value, this.#budget) : value
  }

  #outside(value: unknown): unknown {
    if (value instanceof ScriptTraversal) {
      if (value.results !== undefined) return value.results.slice(value.taken)
      // The host iterates it, so a variable that still holds it has nothing left.
      value.results = []
      return value
    }
    if (value instanceof ScriptIterator) return value.rest()
    if (value instanceof Optional) return value.value ?? null
    if (value instanceof Bytecode) {
      const position = this.#script.statements.at(-1)?.position ?? 0
      throw this.#failure(
        "an anonymous traversal has nothing to run on: begin it with a source, such as g.V()",
        position
      )
    }
    return value ?? null
  }

  #failure(problem: string, position: number): ScriptFailure {
    return new ScriptFailure(problem, this.#script.text, position)
  }

  /** Adds the place to what goes wrong with operands. */
  #at<A>(position: number, operation: () => A): A {
    try {
      return operation()
    } catch (error) {
      throw error instanceof OperandError ? this.#failure(error.message, position) : error
    }
  }

  *#value(operand: Operand): Evaluation {
    return operand instanceof Expression
      ? yield* this.#expression(operand as AnyExpression)
      : yield* this.#data(operand)
  }

  *#expression(expression: AnyExpression): Evaluation {
    const { position } = expression
    const budget = this.#budget
    switch (expression.kind) {
      case "traversal":
        return yield* this.#traversal(expression)
      case "source": {
        const source = yield* this.#source(expression.source, position)
        const { bytecode, variables } = yield* this.#bound(expression.bytecode, position)
        // What is spawned from the source later has variables of its own.
        const written = substituteBytecode(bytecode, ({ name }) => variables.get(name))
        const instructions = [...source.instructions, ...written.sourceInstructions]
        return new TraversalSource(source.name, instructions, source.transaction)
      }
      case "chain":
        return yield* this.#chain(expression)
      case "binary":
        return yield* this.#binary(expression)
      case "unary": {
        const value = yield* this.#value(expression.operand)
        return expression.operator === "!" ? !isTrue(value) : this.#at(position, () => negate(value))
      }
      case "conditional": {
        const condition = yield* this.#value(expression.condition)
        return yield* this.#value(isTrue(condition) ? expression.whenTrue : expression.whenFalse)
      }
      case "cast": {
        return yield* this.#cast(expression)
      }
      case "set":
        return new GremlinSet((yield* this.#data(expression.items)) as unknown[])
      case "map": {
        const map = new GremlinMap()
        for (const [key, item] of expression.entries) {
          const name = yield* this.#value(key)
          const value = yield* this.#value(item)
          this.#at(position, () => map.set(budget.member(name), budget.member(value)))
        }
        return map
      }
      case "range":
        return yield* this.#range(expression)
      case "vertex":
        return new Detached().addVertex(yield* this.#value(expression.id), String(yield* this.#value(expression.label)))
      case "fresh":
        return expression.type === "datetime" ? dateOfMillis(Date.now()) : new Uuid(crypto.randomUUID())
    }
  }

  /** Casts of casts are no depth: a script may have any number in a row. */
  *#cast(outermost: CastExpression): Evaluation {
    const casts = [outermost]
    for (let { operand } = outermost; operand instanceof CastExpression; { operand } = operand) casts.push(operand)
    let value = yield* this.#value(casts.at(-1)!.operand)
    for (const { position, type } of casts.toReversed()) {
      const before = value
      this.#budget.spend(1)
      value = yield* this.#placed(position, this.#receivers.cast(before, type))
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return value
  }

  /** The value of data, with its variables replaced. Collections are new at each run: scripts may change them. */
  *#data(data: unknown): Evaluation {
    if (typeof data !== "object" || data === null) return data
    if (data instanceof Variable) return yield* this.#variable(data)
    const values = yield* this.#variablesIn(data)
    const changeable = Array.isArray(data) || data instanceof GremlinMap || data instanceof GremlinSet
    if (values.size === 0 && !changeable) return data
    const position = this.#script.statements[0]?.position ?? 0
    return this.#at(position, () => substitute(data, (variable) => this.#budget.member(values.get(variable.name))))
  }

  *#variable(variable: Variable): Evaluation {
    if (variable instanceof Calculated) return yield* this.#value(variable.expression)
    const { name } = variable
    const { variables, globals } = this.#scope
    if (variables.has(name)) return yield* this.#ownVariable(name)
    if (globals.has(name)) return globals.get(name)
    const constant = this.#script.constants.get(name)
    if (constant !== undefined) return constant
    const near = closest(name, [...variables.keys(), ...globals.keys()])
    const hint =
      near === undefined ? ": assign it, or give it a value in the request's bindings" : `. Did you mean ${near}?`
    throw this.#failure(wordHint(name) ?? `there is no variable ${name}${hint}`, this.#script.variables.get(name) ?? 0)
  }

  /** The value of a variable, which the script may change: what was given to it is copied first. */
  *#ownVariable(name: string): Evaluation {
    const { variables } = this.#scope
    const value = variables.get(name)
    if (!variables.isGiven(name) || !isCopied(value)) return value
    const own = yield* ownCopy(value, this.#budget)
    variables.set(name, own)
    return own
  }

  /** The value of a variable for a look that changes nothing. */
  *#peeked(variable: Variable): Evaluation {
    const { variables } = this.#scope
    return variables.isGiven(variable.name) ? variables.get(variable.name) : yield* this.#variable(variable)
  }

  #placeOf(variable: Variable): number {
    return this.#script.variables.get(variable.name) ?? 0
  }

  /** The values of the variables inside data. */
  *#variablesIn(data: unknown): Generator<HostCall, Map<string, unknown>, unknown> {
    const values = new Map<string, unknown>()
    const found: Array<Variable> = []
    visitVariables(data, (variable) => found.push(variable))
    if (found.length > 1) {
      this.#at(found[0] instanceof Calculated ? found[0].expression.position : this.#placeOf(found[0]!), () =>
        this.#budget.spend(found.length, "putting values in the places of variables")
      )
    }
    for (const variable of found) {
      if (!values.has(variable.name)) values.set(variable.name, yield* this.#peeked(variable))
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return values
  }

  /** A traversal's instructions with the values of their variables, which must be values a traversal can carry. */
  *#bound(
    bytecode: Bytecode,
    position: number
  ): Generator<HostCall, { bytecode: Bytecode; variables: Map<string, unknown> }, unknown> {
    const variables = yield* this.#variablesIn(bytecode)
    for (const [name, value] of variables) {
      if (this.#scope.variables.isGiven(name)) continue
      variables.set(name, yield* this.#placed(position, this.#receivers.argument(value)))
    }
    return { bytecode, variables }
  }

  *#source(source: string | Operand, position: number): Generator<HostCall, TraversalSource, unknown> {
    const value = typeof source === "string" ? yield* this.#variable(new Variable(source)) : yield* this.#value(source)
    if (value instanceof TraversalSource) return value
    const what = typeof source === "string" ? source : "this"
    throw this.#failure(`${what} is not a traversal source, but ${typeName(value)}: traversals begin with g`, position)
  }

  *#traversal(expression: TraversalExpression): Evaluation {
    const { position, terminal } = expression
    const source = yield* this.#source(expression.source, position)
    const { bytecode, variables } = yield* this.#bound(expression.bytecode, position)
    const whole =
      source.instructions.length === 0
        ? bytecode
        : new Bytecode([...source.instructions, ...bytecode.sourceInstructions], bytecode.stepInstructions)
    const traversal = new ScriptTraversal(source, whole, variables)
    if (terminal === undefined) return traversal
    return yield* this.#placed(position, this.#receivers.end(traversal, terminal.name, terminal.count))
  }

  *#chain(expression: ChainExpression): Evaluation {
    let value = yield* this.#value(expression.root)
    for (const link of expression.links) {
      if (this.#budget.isSliceOver) yield { kind: "pause" }
      value = yield* this.#link(value, link)
    }
    return value
  }

  *#link(value: unknown, link: Link): Evaluation {
    const { position } = link
    if (link.kind === "index") {
      const index = yield* this.#value(link.index)
      return yield* this.#placed(position, this.#receivers.index(value, index))
    }
    if (value === null || value === undefined) {
      if (link.safe) return null
      throw this.#failure(`${link.name} cannot be asked of null; ?. instead of . gives null here`, position)
    }
    if (link.kind === "member") return yield* this.#placed(position, this.#receivers.member(value, link.name))
    const args: Array<unknown> = []
    for (const arg of link.args) args.push(yield* this.#value(arg))
    return yield* this.#placed(position, this.#receivers.call(value, link.name, args))
  }

  /** Adds the place to what goes wrong in a part of the evaluation. */
  *#placed(position: number, part: Evaluation): Evaluation {
    try {
      return yield* part
    } catch (error) {
      throw error instanceof OperandError ? this.#failure(error.message, position) : error
    }
  }

  *#binary(expression: BinaryExpression): Evaluation {
    let left = yield* this.#value(expression.first)
    for (const { operator, operand, position } of expression.rest) {
      if (operator === "&&" || operator === "||" || operator === "?:") {
        const decided = operator === "&&" ? !isTrue(left) : isTrue(left)
        if (decided) left = operator === "?:" ? left : operator === "||"
        else left = operator === "?:" ? yield* this.#value(operand) : isTrue(yield* this.#value(operand))
      } else {
        const right = yield* this.#value(operand)
        const before = left
        left = this.#at(position, () => binary(operator as StrictOperator, before, right, this.#budget))
      }
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return left
  }

  *#range(expression: RangeExpression): Evaluation {
    const first = yield* this.#value(expression.from)
    const last = yield* this.#value(expression.to)
    return this.#at(expression.position, () => {
      const [from, to] = [asIndex(first), asIndex(last)]
      this.#budget.spend(Math.abs(to - from) + 1, "this range")
      return numbersBetween(from, to)
    })
  }

  /** Stores a value, and gives what is stored then. */
  *#store(target: Target, value: unknown, statement: Extract<Statement, { kind: "assignment" }>): Evaluation {
    const { operator, position } = statement
    const budget = this.#budget
    const joined = (before: unknown): unknown =>
      operator === undefined ? value : this.#at(position, () => binary(operator, before, value, budget))
    if (target.kind === "name") {
      const { variables } = this.#scope
      const stored = operator === undefined ? value : joined(yield* this.#variable(new Variable(target.name)))
      variables.set(target.name, stored)
      return stored
    }
    const container = yield* this.#value(target.of)
    const index = target.kind === "index" ? yield* this.#value(target.index) : target.name
    const stored = joined(
      operator === undefined ? null : this.#at(position, () => readTarget(container, index, target, budget))
    )
    return this.#at(position, () => storeIn(container, budget.member(index), budget.member(stored)))
  }
}
