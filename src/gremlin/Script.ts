import { type Bytecode, Variable } from "../process/language/Bytecode.ts"
import type { AnyConstant } from "../structure/collections/HostConstant.ts"
import { Expression, type Operand } from "./Expression.ts"
import type {
  AssignExpression,
  CallExpression,
  IncrementExpression,
  InstanceExpression,
  NewExpression,
  ReferenceExpression,
  SpreadExpression,
  TemplateExpression
} from "./ProgramExpressions.ts"
import type { ClosureExpression, Statement } from "./Statement.ts"
import type { Terminal, TraversalEnd } from "./Terminal.ts"

export { Expression, type Operand } from "./Expression.ts"
export type { Statement, Target } from "./Statement.ts"
export type { Terminal } from "./Terminal.ts"

/** `g.V().out()`, `x.V()`, `graph.traversal().V().toList()`: a traversal that begins at a source. */
export class TraversalExpression extends Expression {
  readonly kind = "traversal"
  /** The name of the source, or an expression whose value is the source. */
  readonly source: string | Operand
  readonly bytecode: Bytecode
  readonly terminal: Terminal | undefined
  /** Offset of what follows the steps and the white space and comments after them: the terminal method, or other text. */
  readonly end: number
  constructor(position: number, source: string | Operand, bytecode: Bytecode, [terminal, end]: TraversalEnd) {
    super(position)
    this.source = source
    this.bytecode = bytecode
    this.terminal = terminal
    this.end = end
  }
}

/** `g.withStrategies(...)` alone: a source with instructions, which can begin traversals. */
export class SourceExpression extends Expression {
  readonly kind = "source"
  readonly source: string | Operand
  /** Only source instructions. */
  readonly bytecode: Bytecode
  constructor(position: number, source: string | Operand, bytecode: Bytecode) {
    super(position)
    this.source = source
    this.bytecode = bytecode
  }
}

/** One part of `x.a(1).b[2]`. A call with the name of a step continues a traversal in a variable. */
export type Link =
  | {
      readonly kind: "call"
      readonly name: string
      readonly args: readonly Operand[]
      readonly safe: boolean
      readonly position: number
      /** True for `list*.name()`, which calls the method on every member. */
      readonly spreads?: boolean
    }
  | {
      readonly kind: "member"
      readonly name: string
      readonly safe: boolean
      readonly position: number
      readonly spreads?: boolean
    }
  | { readonly kind: "index"; readonly index: Operand; readonly position: number }

/** A value with calls, members and indexes after it. */
export class ChainExpression extends Expression {
  readonly kind = "chain"
  readonly root: Operand
  readonly links: readonly Link[]
  constructor(position: number, root: Operand, links: readonly Link[]) {
    super(position)
    this.root = root
    this.links = links
  }
}

/** Operators between two values. `?:` returns its right side if the left side is null, false, 0 or empty. */
export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "=="
  | "!="
  | "==="
  | "!=="
  | "<=>"
  | "=~"
  | "==~"
  | "<"
  | "<="
  | ">"
  | ">="
  | "&&"
  | "||"
  | "?:"
  | "in"
  | "!in"
  | "<<"
  | ">>"
  | ">>>"
  | "&"
  | "|"
  | "^"

/**
 * Operands with operators of one precedence between them, from left to right: `a + b - c`. They are a list, so that a long
 * expression does not nest deep.
 */
export class BinaryExpression extends Expression {
  readonly kind = "binary"
  readonly first: Operand
  readonly rest: ReadonlyArray<{
    readonly operator: BinaryOperator
    readonly operand: Operand
    readonly position: number
  }>
  constructor(position: number, first: Operand, rest: BinaryExpression["rest"]) {
    super(position)
    this.first = first
    this.rest = rest
  }
}

/** `!x`, `-x`, `+x` or `~x`. */
export class UnaryExpression extends Expression {
  readonly kind = "unary"
  readonly operator: "!" | "-" | "+" | "~"
  readonly operand: Operand
  constructor(position: number, operator: "!" | "-" | "+" | "~", operand: Operand) {
    super(position)
    this.operator = operator
    this.operand = operand
  }
}

/** `a ? b : c`. */
export class ConditionalExpression extends Expression {
  readonly kind = "conditional"
  readonly condition: Operand
  readonly whenTrue: Operand
  readonly whenFalse: Operand
  constructor(position: number, condition: Operand, whenTrue: Operand, whenFalse: Operand) {
    super(position)
    this.condition = condition
    this.whenTrue = whenTrue
    this.whenFalse = whenFalse
  }
}

/**
 * `x as int`: the value as another number type, a string, a list or a set. `(int) x` converts as an assignment to a typed variable
 * does.
 */
export class CastExpression extends Expression {
  readonly kind = "cast"
  readonly operand: Operand
  readonly type: string
  /** True for `(int) x`. */
  readonly isAssigned: boolean
  constructor(position: number, operand: Operand, type: string, isAssigned: boolean) {
    super(position)
    this.operand = operand
    this.type = type
    this.isAssigned = isAssigned
  }
}

/** A set with a variable in it: equal items are found when the script runs. */
export class SetExpression extends Expression {
  readonly kind = "set"
  readonly items: readonly unknown[]
  constructor(position: number, items: readonly unknown[]) {
    super(position)
    this.items = items
  }
}

/** A map with a variable or an expression as a key. The key of a spread map is a SpreadExpression, and its value is null. */
export class MapExpression extends Expression {
  readonly kind = "map"
  readonly entries: ReadonlyArray<readonly [Operand, Operand]>
  constructor(position: number, entries: ReadonlyArray<readonly [Operand, Operand]>) {
    super(position)
    this.entries = entries
  }
}

/** `a..b` or `a..<b` when an end is not a literal. */
export class RangeExpression extends Expression {
  readonly kind = "range"
  readonly from: Operand
  readonly to: Operand
  /** False for `a..<b`, which leaves `b` out. */
  readonly isInclusive: boolean
  constructor(position: number, from: Operand, to: Operand, isInclusive: boolean) {
    super(position)
    this.from = from
    this.to = to
    this.isInclusive = isInclusive
  }
}

/** `new ReferenceVertex(id, label)` when an argument is not a literal. */
export class VertexExpression extends Expression {
  readonly kind = "vertex"
  readonly id: Operand
  readonly label: Operand
  constructor(position: number, id: Operand, label: Operand) {
    super(position)
    this.id = id
    this.label = label
  }
}

/** A value that is new in each run: `datetime()` is the current time, `UUID()` a random UUID. */
export class FreshExpression extends Expression {
  readonly kind = "fresh"
  readonly type: "datetime" | "uuid"
  constructor(position: number, type: "datetime" | "uuid") {
    super(position)
    this.type = type
  }
}

/** Every kind of expression. */
export type AnyExpression =
  | TraversalExpression
  | SourceExpression
  | ChainExpression
  | BinaryExpression
  | UnaryExpression
  | ConditionalExpression
  | CastExpression
  | SetExpression
  | MapExpression
  | RangeExpression
  | VertexExpression
  | FreshExpression
  | AssignExpression
  | CallExpression
  | ClosureExpression
  | IncrementExpression
  | InstanceExpression
  | NewExpression
  | ReferenceExpression
  | SpreadExpression
  | TemplateExpression

/** A variable whose value is an expression, such as the argument in `has('age', x + 1)`. */
export class Calculated extends Variable {
  readonly expression: Expression
  constructor(expression: Expression) {
    // No script can contain this name. It is unique, because two expressions never begin at one offset.
    super(`#${expression.position}`)
    this.expression = expression
  }
}

/** The call of a name that is neither a step nor declared in the script. It may be a function of the session. */
export interface UnknownCall {
  readonly position: number
  /** The error when the session has no such function. */
  readonly problem: string
}

/** A parsed script. It never changes: many requests may run a cached one at the same time. */
export interface Script {
  readonly text: string
  readonly statements: readonly Statement[]
  /**
   * The traversal, if the script consists of one traversal of a named source without expressions; a terminal method may end it. Such
   * a script needs no interpreter: the bindings are the values of its variables.
   */
  readonly traversal: Bytecode | undefined
  /** The name of the source of `traversal`, such as `g`; empty without it. */
  readonly source: string
  /** The terminal method of `traversal`; undefined without one. */
  readonly terminal: Terminal | undefined
  /** Offset of what follows the steps of `traversal` and the white space and comments after them; 0 without it. */
  readonly end: number
  /** Names that the script reads before it assigns them, with the offset of their first use. */
  readonly variables: ReadonlyMap<string, number>
  /** Names with which traversals begin, and which the script does not assign before. */
  readonly sources: ReadonlySet<string>
  /** Functions that the script calls outside of blocks and does not have. */
  readonly calls: ReadonlyMap<string, UnknownCall>
  /** The constants that some of those names mean when there is no such variable: `from` is Direction.OUT. */
  readonly constants: ReadonlyMap<string, AnyConstant>
}
