import { Bytecode, Variable } from "../process/language/Bytecode.ts"
import { TimeSlice } from "../scheduling/TimeSlice.ts"
import { GremlinMap, GremlinSet } from "../structure/Collections.ts"
import { dateOfMillis } from "../structure/Dates.ts"
import { Detached } from "../structure/Element.ts"
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
import { Budget } from "./script/Budget.ts"
import { substituteBytecode } from "./script/Data.ts"
import { asIndex } from "./script/MethodTable.ts"
import { binary, isTrue, negate, type StrictOperator } from "./script/Operators.ts"
import { ownCopy } from "./script/Ownership.ts"
import { Places } from "./script/Places.ts"
import { Receivers } from "./script/Receivers.ts"
import { readTarget, storeIn } from "./script/Targets.ts"
import { VariableValues } from "./script/VariableValues.ts"

/** What a statement counts in the budget, in items of an operation. */
const STATEMENT_ITEMS = 10

/**
 * Runs a script. The result is a value of structure/, a {@link ScriptTraversal} that the host runs and streams, a
 * TraversalSource or HostObject that the host shows as text, or null. Fails with ScriptFailure, or with the errors of
 * structure/ (ArithmeticFailure, MalformedText). An error that the host throws into the generator ends the script.
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

/** One run of a script. */
class ScriptRun {
  readonly #script: Script
  readonly #scope: Scope
  readonly #budget: Budget
  readonly #places: Places
  readonly #receivers: Receivers
  readonly #values: VariableValues

  constructor(script: Script, scope: Scope, slice: TimeSlice) {
    this.#script = script
    this.#scope = scope
    this.#budget = new Budget(slice)
    this.#places = new Places(script.text)
    this.#receivers = new Receivers(scope, this.#budget)
    this.#values = new VariableValues(script, scope, this.#budget, this.#places, (operand) => this.#value(operand))
  }

  /** Runs one statement. Gives its value. */
  *statement(statement: Statement): Evaluation {
    this.#budget.spend(STATEMENT_ITEMS)
    if (this.#budget.isSliceOver) yield { kind: "pause" }
    let value = yield* this.#value(statement.value)
    if (statement.kind !== "assignment") return value
    for (const target of statement.targets.toReversed()) value = yield* this.#store(target, value, statement)
    return value
  }

  /** The result of the script whose last statement has this value. */
  *result(last: unknown): Evaluation {
    const value = this.#outside(last)
    return this.#scope.isKept ? yield* ownCopy(value, this.#budget) : value
  }

  #outside(value: unknown): unknown {
    if (value instanceof ScriptTraversal) {
      if (value.results !== undefined) return value.results.slice(value.taken)
      // The host consumes it, so a variable that still holds it has no results left.
      value.results = []
      return value
    }
    if (value instanceof ScriptIterator) return value.rest()
    if (value instanceof Optional) return value.value ?? null
    if (value instanceof Bytecode) {
      const position = this.#script.statements.at(-1)?.position ?? 0
      throw this.#places.failure(
        "an anonymous traversal has nothing to run on: begin it with a source, such as g.V()",
        position
      )
    }
    return value ?? null
  }

  *#value(operand: Operand): Evaluation {
    return operand instanceof Expression
      ? yield* this.#expression(operand as AnyExpression)
      : yield* this.#values.data(operand)
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
        // Values are fixed now: a traversal spawned from the source later may have other variables of the same names.
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
        return expression.operator === "!" ? !isTrue(value) : this.#places.at(position, () => negate(value))
      }
      case "conditional": {
        const condition = yield* this.#value(expression.condition)
        return yield* this.#value(isTrue(condition) ? expression.whenTrue : expression.whenFalse)
      }
      case "cast": {
        return yield* this.#cast(expression)
      }
      case "set":
        return new GremlinSet((yield* this.#values.data(expression.items)) as unknown[])
      case "map": {
        const map = new GremlinMap()
        for (const [key, item] of expression.entries) {
          const name = yield* this.#value(key)
          const value = yield* this.#value(item)
          this.#places.at(position, () => map.set(budget.member(name), budget.member(value)))
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

  /** Chained casts are run in a loop: a script may have any number of them, and recursion would overflow the stack. */
  *#cast(outermost: CastExpression): Evaluation {
    const casts = [outermost]
    for (let { operand } = outermost; operand instanceof CastExpression; { operand } = operand) casts.push(operand)
    let value = yield* this.#value(casts.at(-1)!.operand)
    for (const { position, type } of casts.toReversed()) {
      const before = value
      this.#budget.spend(1)
      value = yield* this.#places.placed(position, this.#receivers.cast(before, type))
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return value
  }

  /** The variables of a traversal with their values. Fails when a traversal cannot carry one of the values. */
  *#bound(
    bytecode: Bytecode,
    position: number
  ): Generator<HostCall, { bytecode: Bytecode; variables: Map<string, unknown> }, unknown> {
    const variables = yield* this.#values.inside(bytecode)
    for (const [name, value] of variables) {
      if (this.#scope.variables.isGiven(name)) continue
      variables.set(name, yield* this.#places.placed(position, this.#receivers.argument(value)))
    }
    return { bytecode, variables }
  }

  *#source(source: string | Operand, position: number): Generator<HostCall, TraversalSource, unknown> {
    const value =
      typeof source === "string" ? yield* this.#values.variable(new Variable(source)) : yield* this.#value(source)
    if (value instanceof TraversalSource) return value
    const what = typeof source === "string" ? source : "this"
    throw this.#places.failure(
      `${what} is not a traversal source, but ${typeName(value)}: traversals begin with g`,
      position
    )
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
    return yield* this.#places.placed(position, this.#receivers.end(traversal, terminal.name, terminal.count))
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
      return yield* this.#places.placed(position, this.#receivers.index(value, index))
    }
    if (value === null || value === undefined) {
      if (link.safe) return null
      throw this.#places.failure(`${link.name} cannot be asked of null; ?. instead of . gives null here`, position)
    }
    if (link.kind === "member") return yield* this.#places.placed(position, this.#receivers.member(value, link.name))
    const args: Array<unknown> = []
    for (const arg of link.args) args.push(yield* this.#value(arg))
    return yield* this.#places.placed(position, this.#receivers.call(value, link.name, args))
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
        left = this.#places.at(position, () => binary(operator as StrictOperator, before, right, this.#budget))
      }
      if (this.#budget.isSliceOver) yield { kind: "pause" }
    }
    return left
  }

  *#range(expression: RangeExpression): Evaluation {
    const first = yield* this.#value(expression.from)
    const last = yield* this.#value(expression.to)
    return this.#places.at(expression.position, () => {
      const [from, to] = [asIndex(first), asIndex(last)]
      this.#budget.spend(Math.abs(to - from) + 1, "this range")
      return numbersBetween(from, to)
    })
  }

  /** Stores a value in a target. Gives the stored value. */
  *#store(target: Target, value: unknown, statement: Extract<Statement, { kind: "assignment" }>): Evaluation {
    const { operator, position } = statement
    const budget = this.#budget
    const joined = (before: unknown): unknown =>
      operator === undefined ? value : this.#places.at(position, () => binary(operator, before, value, budget))
    if (target.kind === "name") {
      const { variables } = this.#scope
      const stored = operator === undefined ? value : joined(yield* this.#values.variable(new Variable(target.name)))
      variables.set(target.name, stored)
      return stored
    }
    const container = yield* this.#value(target.of)
    const index = target.kind === "index" ? yield* this.#value(target.index) : target.name
    const stored = joined(
      operator === undefined ? null : this.#places.at(position, () => readTarget(container, index, target, budget))
    )
    return this.#places.at(position, () => storeIn(container, budget.member(index), budget.member(stored)))
  }
}
