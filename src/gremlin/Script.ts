import { type Bytecode, Variable } from "../process/language/Bytecode.ts"
import type { EnumValue } from "../structure/Enums.ts"

/**
 * The tree of a parsed script. Wherever an {@link Operand} stands there is either plain data (values of structure/,
 * predicates, anonymous traversals as Bytecode, with {@link Variable} where a variable's value belongs), or an
 * {@link Expression}, which the interpreter has to calculate.
 */
export type Operand = unknown

/** What has to be calculated when the script runs. `position` is its offset in the script. */
export abstract class Expression {
  abstract readonly kind: string
  readonly position: number
  constructor(position: number) {
    this.position = position
  }
}

/** How a traversal is ended inside the script. */
export interface Terminal {
  readonly name: "next" | "toList" | "toSet" | "toBulkSet" | "iterate" | "hasNext" | "tryNext" | "explain"
  /** Of `next(n)`. */
  readonly count: number | undefined
}

/** `g.V().out()`, `x.V()`, `graph.traversal().V().toList()`: a traversal that begins at a source. */
export class TraversalExpression extends Expression {
  readonly kind = "traversal"
  /** The name of the source, or what gives it. */
  readonly source: string | Operand
  readonly bytecode: Bytecode
  readonly terminal: Terminal | undefined
  constructor(position: number, source: string | Operand, bytecode: Bytecode, terminal: Terminal | undefined) {
    super(position)
    this.source = source
    this.bytecode = bytecode
    this.terminal = terminal
  }
}

/** `g.withStrategies(...)` alone: a source with instructions, ready to spawn traversals. */
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

/** One part of `x.a(1).b[2]`. A call with a step's name continues a traversal that a variable holds. */
export type Link =
  | {
      readonly kind: "call"
      readonly name: string
      readonly args: readonly Operand[]
      readonly safe: boolean
      readonly position: number
    }
  | { readonly kind: "member"; readonly name: string; readonly safe: boolean; readonly position: number }
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

/** Operators between two values; `?:` gives its right side where the left is null, false, 0 or empty. */
export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "&&"
  | "||"
  | "?:"
  | "in"
  | "<<"

/** Operands joined by operators of one precedence, from left to right: `a + b - c`. Flat, so that length is not depth. */
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

export class UnaryExpression extends Expression {
  readonly kind = "unary"
  readonly operator: "!" | "-"
  readonly operand: Operand
  constructor(position: number, operator: "!" | "-", operand: Operand) {
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

/** `x as int`: the value as another number type, a string, a list or a set. */
export class CastExpression extends Expression {
  readonly kind = "cast"
  readonly operand: Operand
  readonly type: string
  constructor(position: number, operand: Operand, type: string) {
    super(position)
    this.operand = operand
    this.type = type
  }
}

/** A set with a variable in it: which items are the same is known when the script runs. */
export class SetExpression extends Expression {
  readonly kind = "set"
  readonly items: readonly unknown[]
  constructor(position: number, items: readonly unknown[]) {
    super(position)
    this.items = items
  }
}

/** A map with a variable or an expression as a key. */
export class MapExpression extends Expression {
  readonly kind = "map"
  readonly entries: ReadonlyArray<readonly [Operand, Operand]>
  constructor(position: number, entries: ReadonlyArray<readonly [Operand, Operand]>) {
    super(position)
    this.entries = entries
  }
}

/** `a..b` where one end is not a literal. */
export class RangeExpression extends Expression {
  readonly kind = "range"
  readonly from: Operand
  readonly to: Operand
  constructor(position: number, from: Operand, to: Operand) {
    super(position)
    this.from = from
    this.to = to
  }
}

/** `new ReferenceVertex(id, label)` where one of them is not a literal. */
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

/** Something new at each run: `datetime()` is the time, `UUID()` a random one. */
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

/** A variable whose value is an expression: how `has('age', x + 1)` stands in Bytecode. */
export class Calculated extends Variable {
  readonly expression: Expression
  constructor(expression: Expression) {
    // A name that no script can spell; unique, because two expressions never begin at one offset.
    super(`#${expression.position}`)
    this.expression = expression
  }
}

/** What `=` stores into. */
export type Target =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly of: Operand; readonly index: Operand }
  | { readonly kind: "member"; readonly of: Operand; readonly name: string }

/** One statement of a script. */
export type Statement =
  | { readonly kind: "expression"; readonly value: Operand; readonly position: number }
  | {
      readonly kind: "assignment"
      readonly targets: readonly Target[]
      /** Of `x += 1`; undefined for `=`. */
      readonly operator: "+" | "-" | "*" | "/" | "<<" | undefined
      readonly value: Operand
      readonly position: number
    }
  /** `return x`: what follows is not run. */
  | { readonly kind: "return"; readonly value: Operand; readonly position: number }

/** A parsed script. Immutable: one may be cached and run by many requests at a time. */
export interface Script {
  readonly text: string
  readonly statements: readonly Statement[]
  /**
   * The traversal when the script is nothing but one traversal of a named source, with at most a terminal method, and
   * nothing in it has to be calculated. Then the interpreter is not needed: the variables' values are the bindings.
   */
  readonly traversal: Bytecode | undefined
  /** Name of that traversal's source, such as `g`; empty without a traversal. */
  readonly source: string
  /** How that traversal ends; undefined when it does not. */
  readonly terminal: Terminal | undefined
  /** Names the script reads before it gives them a value, with the offset of their first use. */
  readonly variables: ReadonlyMap<string, number>
  /** What some of those names mean when no variable has them: `from` is Direction.OUT. */
  readonly constants: ReadonlyMap<string, EnumValue>
}
