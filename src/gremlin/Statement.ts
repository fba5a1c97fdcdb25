import { Expression, type Operand } from "./Expression.ts"

/** The left side of an assignment. */
export type Target =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly of: Operand; readonly index: Operand }
  | { readonly kind: "member"; readonly of: Operand; readonly name: string }

/** Operators that may precede `=` in an assignment, such as `+` of `+=`. */
export type AssignmentOperator =
  | "++"
  | "--"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "<<"
  | ">>"
  | ">>>"
  | "&"
  | "|"
  | "^"
  | "?:"

/** A parameter of a closure or function. */
export interface Parameter {
  readonly name: string
  /** The type to which arguments are converted; empty without one. */
  readonly type: string
  /** True for `Object... xs` and `Object[] xs` at the end, which takes all further arguments as an array of `type`. */
  readonly takesRest: boolean
  /** Whether the parameter has a default value. */
  readonly isOptional: boolean
  readonly value: Operand
}

/** `{ a, b = 1 -> ... }`, or the body of a function. */
export class ClosureExpression extends Expression {
  readonly kind = "closure"
  /** Undefined for a closure without `->`, whose one parameter is `it`. */
  readonly parameters: readonly Parameter[] | undefined
  readonly body: readonly Statement[]
  constructor(position: number, parameters: readonly Parameter[] | undefined, body: readonly Statement[]) {
    super(position)
    this.parameters = parameters
    this.body = body
  }
}

/** A condition of an if statement and what runs when it holds. */
export interface Branch {
  readonly condition: Operand
  readonly body: Statement
}

/** One `catch` of a try statement. */
export interface CatchClause {
  /** Simple names of the types; empty for all exceptions. */
  readonly types: readonly string[]
  readonly name: string
  readonly body: Statement
}

/** One group of a switch statement: its statements run from the first one on when the value matches. */
export interface SwitchCase {
  /** Undefined for `default`. */
  readonly match: { readonly value: Operand } | undefined
  readonly statements: readonly Statement[]
}

/** One statement of a script. `position` is its offset in the script. */
export type Statement =
  | { readonly kind: "expression"; readonly value: Operand; readonly position: number }
  | {
      readonly kind: "assignment"
      readonly targets: readonly Target[]
      /** Of `x += 1`, and of `x++` and `x--` with the value 1; undefined for `=`. */
      readonly operator: AssignmentOperator | undefined
      readonly value: Operand
      readonly position: number
    }
  /** `return x`: later statements do not run. */
  | { readonly kind: "return"; readonly value: Operand; readonly position: number }
  /** `def x = 1`, `int x`: a variable of the block. Several names, as in `def (a, b) = [1, 2]`, take members of the value. */
  | {
      readonly kind: "declaration"
      readonly names: readonly string[]
      /** The simple name of the type of each; empty for `def`. */
      readonly types: readonly string[]
      readonly isSpread: boolean
      readonly value: Operand
      readonly position: number
    }
  /** `int x = 1, y = 2`. */
  | { readonly kind: "declarations"; readonly statements: readonly Statement[]; readonly position: number }
  /** `(a, b) = [1, 2]`. */
  | {
      readonly kind: "destructuring"
      readonly targets: readonly Target[]
      readonly value: Operand
      readonly position: number
    }
  | { readonly kind: "block"; readonly statements: readonly Statement[]; readonly position: number }
  | {
      readonly kind: "if"
      /** `if` and each `else if`. */
      readonly branches: readonly Branch[]
      readonly otherwise: Statement | undefined
      readonly position: number
    }
  | {
      readonly kind: "while"
      readonly condition: Operand
      readonly body: Statement
      /** True for `do { } while (x)`. */
      readonly runsFirst: boolean
      readonly label: string
      readonly position: number
    }
  | {
      readonly kind: "for"
      readonly first: readonly Statement[]
      /** Undefined for `for (;;)`. */
      readonly condition: { readonly value: Operand } | undefined
      readonly next: readonly Statement[]
      readonly body: Statement
      readonly label: string
      readonly position: number
    }
  | {
      readonly kind: "for in"
      readonly name: string
      readonly type: string
      readonly of: Operand
      readonly body: Statement
      readonly label: string
      readonly position: number
    }
  | {
      readonly kind: "switch"
      readonly value: Operand
      readonly cases: readonly SwitchCase[]
      readonly label: string
      readonly position: number
    }
  | {
      readonly kind: "try"
      readonly body: Statement
      readonly catches: readonly CatchClause[]
      readonly last: Statement | undefined
      readonly position: number
    }
  | { readonly kind: "throw"; readonly value: Operand; readonly position: number }
  | { readonly kind: "break"; readonly label: string; readonly position: number }
  | { readonly kind: "continue"; readonly label: string; readonly position: number }
  | { readonly kind: "assert"; readonly condition: Operand; readonly message: Operand; readonly position: number }
  | {
      readonly kind: "function"
      readonly name: string
      /** The simple name of the type of its results, or `void`; empty without one. */
      readonly type: string
      readonly closure: ClosureExpression
      readonly position: number
    }
