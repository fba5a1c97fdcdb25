import type { Operand, Statement } from "../Script.ts"
import type { ClosureExpression } from "../Statement.ts"
import { ClosureCode } from "./ClosureCode.ts"
import { conditionOf, givesOwnTraversal } from "./ConditionCode.ts"
import { ConvertedCode, isBoolean, resultWithoutBranch } from "./ConvertedCode.ts"
import { DestructuringCode } from "./DestructuringCode.ts"
import { ExpressionCompiler } from "./ExpressionCompiler.ts"
import type { Code } from "./Frame.ts"
import { EachStatement, LoopStatement } from "./LoopStatements.ts"
import { Names, type Unit } from "./Names.ts"
import {
  DeclarationStatement,
  IfStatement,
  JumpStatement,
  ReturnStatement,
  ValueStatement
} from "./SimpleStatements.ts"
import { BlockCode, type StatementCode } from "./StatementCode.ts"
import { SwitchStatement } from "./SwitchStatement.ts"
import { AssertStatement, ThrowStatement, TryStatement } from "./TryStatement.ts"
import { ConstantCode, LocalCode } from "./ValueCode.ts"

/** The place of a statement: the loops and switches that it may leave, and whether its value is the value of the body. */
interface Surroundings {
  /** Labels of the loops around, the innermost last; empty texts for loops without a label. */
  readonly loops: readonly string[]
  readonly isInSwitch: boolean
  readonly isLast: boolean
}

const inner = (around: Surroundings): Surroundings => ({ ...around, isLast: false })

/** Prepares the statements of one body for their runs. */
export class StatementCompiler {
  readonly #names: Names
  readonly #expressions: ExpressionCompiler
  /** The type of the results of the function, or `void`; empty without one. */
  readonly #resultType: string
  #givesOwnTraversals = true

  constructor(names: Names, resultType = "") {
    this.#names = names
    this.#resultType = resultType
    this.#expressions = new ExpressionCompiler(names, (closure) =>
      closureCode(closure, "", new Names(names.unit, names))
    )
  }

  /** Whether no variable holds a traversal that is the result of the compiled body and has not run. */
  get givesOwnTraversals(): boolean {
    return this.#givesOwnTraversals
  }

  /** A statement of the body itself. As in Groovy, the value of the last one is the value of the body. */
  outer(statement: Statement, isLast: boolean): StatementCode {
    return this.#code(statement, { loops: [], isInSwitch: false, isLast })
  }

  /** A whole body. The position is the place of an error about a result that is missing. */
  body(statements: readonly Statement[], position: number): StatementCode {
    const body = this.#block(statements, { loops: [], isInSwitch: false, isLast: true })
    return this.#resultType === "" ? body : new BlockCode([body, this.#result(new ConstantCode(null), position)])
  }

  /** The code of an expression of the body. */
  expression(operand: Operand): Code {
    return this.#expressions.code(operand)
  }

  #block(statements: readonly Statement[], around: Surroundings): StatementCode {
    const last = statements.length - 1
    const codes = statements.map((statement, index) =>
      this.#code(statement, around.isLast && index !== last ? inner(around) : around)
    )
    return codes.length === 1 ? codes[0]! : new BlockCode(codes)
  }

  /** A block with variables of its own. */
  #scoped<A>(make: () => A): A {
    this.#names.enter()
    const made = make()
    this.#names.leave()
    return made
  }

  #value(value: Code, { isLast }: Surroundings, position: number): StatementCode {
    return isLast ? this.#result(value, position) : new ValueStatement(value)
  }

  /** Ends the body with a value of the type of its results. */
  #result(value: Code, position: number): StatementCode {
    const type = this.#resultType
    this.#givesOwnTraversals &&= givesOwnTraversal(value)
    const { unit } = this.#names
    if (isBoolean(type))
      return new ReturnStatement(new ConvertedCode(conditionOf(value, unit, position), type, unit, position))
    return new ReturnStatement(type === "" ? value : new ConvertedCode(value, type, unit, position))
  }

  /** What runs when a last `if` or `switch` has no branch for the value; undefined for nothing. */
  #withoutBranch({ isLast }: Surroundings): StatementCode | undefined {
    const value = isLast ? resultWithoutBranch(this.#resultType) : undefined
    return value === undefined ? undefined : this.#result(new ConstantCode(value), 0)
  }

  #code(statement: Statement, around: Surroundings): StatementCode {
    const { position } = statement
    const { unit } = this.#names
    switch (statement.kind) {
      case "expression":
        return this.#value(this.expression(statement.value), around, position)
      case "assignment":
        return this.#value(this.#expressions.assignment(statement), around, position)
      case "return":
        if (this.#resultType === "void" && statement.value !== null) {
          throw unit.positions.failure("a void function returns nothing: declare it with def", position)
        }
        return this.#result(this.expression(statement.value), position)
      case "declaration":
      case "declarations":
        return this.#declaration(statement, around)
      case "destructuring": {
        const targets = statement.targets.map((target) =>
          this.#expressions.assignment({
            kind: "assignment",
            targets: [target],
            operator: undefined,
            value: null,
            position
          })
        )
        return this.#value(
          new DestructuringCode(targets as never, this.expression(statement.value), unit, position),
          around,
          position
        )
      }
      case "block":
        return this.#scoped(() => this.#block(statement.statements, around))
      case "if":
        return this.#if(statement, around)
      case "while":
      case "for":
      case "for in":
        return this.#loop(statement, around)
      case "switch":
        return this.#switch(statement, around)
      case "try":
        return this.#try(statement, around)
      case "throw":
        return new ThrowStatement(this.expression(statement.value), unit, position)
      case "break":
      case "continue":
        return this.#jump(statement, around)
      case "assert":
        return new AssertStatement(
          this.#expressions.condition(statement.condition, position),
          this.expression(statement.message),
          unit,
          position
        )
      case "function":
        return new BlockCode([])
    }
  }

  #declaration(
    statement: Extract<Statement, { kind: "declaration" | "declarations" }>,
    around: Surroundings
  ): StatementCode {
    if (statement.kind === "declarations") return this.#block(statement.statements, around)
    const { isSpread, names, position, types, value } = statement
    // A closure may call itself by the name of the variable that is declared with it.
    const code = isBoolean(types[0]) ? this.#expressions.condition(value, position) : this.expression(value)
    const locals = names.map((name, at) => this.#names.declare(name, types[at] ?? "", position))
    const declared = new DeclarationStatement(locals, isSpread, code, this.#names.unit, position)
    if (!around.isLast || isSpread) return declared
    return new BlockCode([declared, this.#result(new LocalCode(locals[0]!), position)])
  }

  #if(statement: Extract<Statement, { kind: "if" }>, around: Surroundings): StatementCode {
    const branches = statement.branches.map(({ body, condition }) => ({
      condition: this.#expressions.condition(condition, statement.position),
      body: this.#code(body, around)
    }))
    const otherwise =
      statement.otherwise === undefined ? this.#withoutBranch(around) : this.#code(statement.otherwise, around)
    return new IfStatement(branches, otherwise)
  }

  #loop(statement: Extract<Statement, { kind: "while" | "for" | "for in" }>, around: Surroundings): StatementCode {
    const { label } = statement
    const inside: Surroundings = { loops: [...around.loops, label], isInSwitch: false, isLast: false }
    return this.#scoped(() => {
      if (statement.kind === "for in") {
        const values = this.expression(statement.of)
        const local = this.#names.declare(statement.name, statement.type, statement.position)
        local.changes.isReassigned = true
        const body = this.#code(statement.body, inside)
        return new EachStatement({ local, values, body, label }, this.#names.unit, statement.position)
      }
      if (statement.kind === "while") {
        const { runsFirst } = statement
        const condition = this.#expressions.condition(statement.condition, statement.position)
        return new LoopStatement({
          condition,
          body: this.#code(statement.body, inside),
          next: undefined,
          runsFirst,
          label
        })
      }
      const first = statement.first.map((part) => this.#code(part, inside))
      const condition =
        statement.condition === undefined
          ? undefined
          : this.#expressions.condition(statement.condition.value, statement.position)
      const next = new BlockCode(statement.next.map((part) => this.#code(part, inside)))
      const body = this.#code(statement.body, inside)
      return new BlockCode([...first, new LoopStatement({ condition, body, next, runsFirst: false, label })])
    })
  }

  #switch(statement: Extract<Statement, { kind: "switch" }>, around: Surroundings): StatementCode {
    const value = this.expression(statement.value)
    const cases = this.#scoped(() =>
      statement.cases.map(({ match, statements }, index) => {
        const isLast = around.isLast && (index === statement.cases.length - 1 || endsCase(statements))
        const inside: Surroundings = { loops: [...around.loops, statement.label], isInSwitch: true, isLast }
        const last = statements.at(-1)
        const isBroken = isLast && last?.kind === "break"
        const own = this.#block(isBroken ? statements.slice(0, -1) : statements, inside)
        // The statement before `break` gives the value, if it has one. The next case does not run in any case.
        const body = isBroken ? new BlockCode([own, this.#code(last, inside)]) : own
        return { match: match === undefined ? undefined : this.expression(match.value), body }
      })
    )
    const other = cases.some(({ match }) => match === undefined) ? undefined : this.#withoutBranch(around)
    if (other !== undefined) cases.push({ match: undefined, body: other })
    return new SwitchStatement(value, cases, statement.label, this.#names.unit, statement.position)
  }

  #try(statement: Extract<Statement, { kind: "try" }>, around: Surroundings): StatementCode {
    const body = this.#code(statement.body, around)
    const catches = statement.catches.map(({ body: handler, name, types }) =>
      this.#scoped(() => {
        const local = this.#names.declare(name, "", statement.position)
        return { types, local, body: this.#code(handler, around) }
      })
    )
    const last = statement.last === undefined ? undefined : this.#code(statement.last, inner(around))
    return new TryStatement(body, catches, last)
  }

  #jump(
    { kind, label, position }: Extract<Statement, { kind: "break" | "continue" }>,
    around: Surroundings
  ): StatementCode {
    const isKnown = label === "" ? around.loops.length > 0 : around.loops.includes(label)
    if (isKnown) return new JumpStatement({ kind, label })
    const problem = label === "" ? `${kind} is outside of a loop` : `there is no loop with the label ${label} around`
    throw this.#names.unit.positions.failure(problem, position)
  }
}

/** True when the statements of a case do not continue with the next case. */
const endsCase = (statements: readonly Statement[]): boolean => {
  const kind = statements.at(-1)?.kind
  return kind === "break" || kind === "return" || kind === "throw"
}

/** Prepares a closure. */
const closureCode = (closure: ClosureExpression, name: string, names: Names, resultType = ""): ClosureCode => {
  const compiler = new StatementCompiler(names, resultType)
  const isImplicit = closure.parameters === undefined
  const written = closure.parameters ?? [{ name: "it", type: "", takesRest: false, isOptional: false, value: null }]
  const parameters = written.map((parameter) => {
    const value = parameter.isOptional ? compiler.expression(parameter.value) : undefined
    const local = isImplicit
      ? names.shadow("it")
      : names.declare(parameter.name, parameter.takesRest ? "" : parameter.type, closure.position)
    return { local, value, rest: parameter.takesRest ? parameter.type || "Object" : undefined }
  })
  const body = compiler.body(closure.body, closure.position)
  const { givesOwnTraversals } = compiler
  return new ClosureCode({ name, parameters, isImplicit, givesOwnTraversals }, body, names)
}

/** Prepares a function, which sees no variables around it. */
export const functionCode = (
  { closure, name, type }: Extract<Statement, { readonly kind: "function" }>,
  unit: Unit
): ClosureCode => closureCode(closure, name, new Names(unit), type)
