import { Expression, type Operand } from "./Expression.ts"
import type { Statement } from "./Statement.ts"

// Expressions that programs have and traversals do not.

/** `"n ${x}"`: a string whose parts are literal texts and operands in turn, beginning with a text. */
export class TemplateExpression extends Expression {
  readonly kind = "template"
  /** One more than there are holes. */
  readonly texts: readonly string[]
  readonly holes: readonly Operand[]
  /**
   * For each hole the text that replaces it if no variable has its name: `$name` in an argument of a step in
   * gremlin-lang, which takes it literally. Empty for a hole that needs its variable.
   */
  readonly literals: readonly string[]
  constructor(position: number, texts: readonly string[], holes: readonly Operand[], literals: readonly string[]) {
    super(position)
    this.texts = texts
    this.holes = holes
    this.literals = literals
  }
}

/** `f(1, 2)`: the call of a function of the script or the session, or of a closure in a variable. */
export class CallExpression extends Expression {
  readonly kind = "function call"
  readonly name: string
  readonly args: readonly Operand[]
  constructor(position: number, name: string, args: readonly Operand[]) {
    super(position)
    this.name = name
    this.args = args
  }
}

/** `(x = 1)`: an assignment whose value is used. */
export class AssignExpression extends Expression {
  readonly kind = "assign"
  readonly statement: Extract<Statement, { readonly kind: "assignment" }>
  constructor(statement: AssignExpression["statement"]) {
    super(statement.position)
    this.statement = statement
  }
}

/** `x++`, `--x`: changes the target by one. */
export class IncrementExpression extends Expression {
  readonly kind = "increment"
  /** An assignment of `+ 1` or `- 1`. */
  readonly statement: Extract<Statement, { readonly kind: "assignment" }>
  /** True for `++x`, whose value is the new one. */
  readonly isPrefix: boolean
  constructor(statement: IncrementExpression["statement"], isPrefix: boolean) {
    super(statement.position)
    this.statement = statement
    this.isPrefix = isPrefix
  }
}

/** `x instanceof Type` or `x !instanceof Type`. */
export class InstanceExpression extends Expression {
  readonly kind = "instance"
  readonly operand: Operand
  readonly type: string
  readonly isNegated: boolean
  constructor(position: number, operand: Operand, type: string, isNegated: boolean) {
    super(position)
    this.operand = operand
    this.type = type
    this.isNegated = isNegated
  }
}

/** `*list` among arguments or the items of a list, or `*:map` among the entries of a map: stands for its members. */
export class SpreadExpression extends Expression {
  readonly kind = "spread"
  readonly operand: Operand
  /** True for `*:map`. */
  readonly isMap: boolean
  constructor(position: number, operand: Operand, isMap: boolean) {
    super(position)
    this.operand = operand
    this.isMap = isMap
  }
}

/** `new Type(...)` of a class that scripts may construct. */
export class NewExpression extends Expression {
  readonly kind = "new"
  readonly type: string
  readonly args: readonly Operand[]
  constructor(position: number, type: string, args: readonly Operand[]) {
    super(position)
    this.type = type
    this.args = args
  }
}

/** `x.&name`, `Type::name` or `this.&name`: a closure that calls the method, or the function of the script. */
export class ReferenceExpression extends Expression {
  readonly kind = "reference"
  /** The object or class; undefined for a function of the script. */
  readonly of: Operand | undefined
  readonly name: string
  constructor(position: number, of: Operand | undefined, name: string) {
    super(position)
    this.of = of
    this.name = name
  }
}
