import {
  BinaryExpression,
  type BinaryOperator,
  CastExpression,
  ChainExpression,
  ConditionalExpression,
  type Link,
  type Operand
} from "../Script.ts"
import { closureRefused } from "../ScriptHints.ts"
import { noCode } from "../SyntaxErrors.ts"
import {
  AMPERSAND,
  ASTERISK,
  BAR,
  COLON,
  COMMA,
  DOT,
  DOUBLE_QUOTE,
  EQUALS,
  EXCLAMATION,
  GREATER,
  isNamePart,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  LESS,
  MINUS,
  PERCENT,
  PLUS,
  QUESTION,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  SEMICOLON,
  SINGLE_QUOTE,
  SLASH
} from "./Characters.ts"
import { anything, Kind } from "./Kinds.ts"
import { LoopKind } from "./ParserBase.ts"
import { sourceMethods, spawns } from "./Steps.ts"
import { TraversalParser } from "./TraversalParser.ts"

/** Operators from the loosest to the tightest level. */
const levels: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["||"]),
  new Set(["&&"]),
  new Set(["==", "!="]),
  new Set(["<", "<=", ">", ">=", "in", "as"]),
  new Set(["<<"]),
  new Set(["+", "-"]),
  new Set(["*", "/", "%"])
]

/** Methods that give a traversal source, after which a traversal may begin. */
const sourceGivers: ReadonlySet<string> = new Set(["traversal", "begin", "withEmbedded"])

/** Operators, and the calls, members and indexes after a value. */
export abstract class OperatorParser extends TraversalParser {
  protected abstract operand(accepts: number, asked: number): Operand

  protected expression(accepts: number, asked: number): Operand {
    const quote = this.skip()
    const start = this.position
    let first: Operand
    if (quote === SINGLE_QUOTE || quote === DOUBLE_QUOTE) {
      // Most operands are strings, and nearly all of them are whole arguments.
      first = this.string(quote)
      const next = this.skip()
      if (next === RIGHT_PAREN || next === COMMA) return first
      first = this.followed(first, start)
    } else first = this.operand(accepts, asked)
    const code = this.skip()
    if (code === RIGHT_PAREN || code === COMMA || code < 0 || code === SEMICOLON || code === RIGHT_BRACKET) return first
    return this.#operators(first, start)
  }

  #operators(first: Operand, start: number): Operand {
    const value = this.#level(0, first, start)
    if (!this.#goesOn() || this.peek() !== QUESTION || this.peek(1) === DOT) return value
    this.enter()
    const position = this.position
    this.position++
    let result: Operand
    if (this.peek() === COLON) {
      this.position++
      const operand = this.expression(anything, 0)
      result = new BinaryExpression(start, value, [{ operator: "?:", operand, position }])
    } else {
      const whenTrue = this.expression(anything, 0)
      this.expect(COLON, "':' of the condition a ? b : c")
      result = new ConditionalExpression(start, value, whenTrue, this.expression(anything, 0))
    }
    this.leave()
    this.kind = Kind.variable
    return result
  }

  /** An operator at the beginning of a line does not continue a statement. */
  #goesOn(): boolean {
    this.skip()
    return this.depth > 0 || !this.crossedLine
  }

  #level(level: number, first: Operand, start: number): Operand {
    const operators = levels[level]
    if (operators === undefined) return first
    const left = this.#level(level + 1, first, start)
    if (!operators.has(this.#operator())) return left
    const slices = this.slices
    let read = { value: left, rest: [] as Array<BinaryExpression["rest"][number]> }
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.operators), read, this.position, 0)
      read = loop.items as typeof read
      this.position = loop.position
      this.brokenAt = loop.brokenAt
    }
    for (let operator = this.#operator(); operators.has(operator); operator = this.#operator()) {
      const position = this.position
      this.position += operator.length
      if (operator === "as") {
        const joined = read.rest.length === 0 ? read.value : new BinaryExpression(start, read.value, read.rest)
        read.value = new CastExpression(start, joined, this.#type())
        read.rest = []
      } else {
        this.skip()
        const from = this.position
        const operand = this.#level(level + 1, this.operand(anything, 0), from)
        read.rest.push({ operator: operator as BinaryOperator, operand, position })
      }
      slices?.step(this.position, 0, this.brokenAt)
    }
    slices?.leave(read.rest.length)
    this.kind = Kind.variable
    return read.rest.length === 0 ? read.value : new BinaryExpression(start, read.value, read.rest)
  }

  #type(): string {
    this.skip()
    const at = this.position
    const type = this.qualifiedName()
    if (type === "") throw this.failAt(at, "the name of a type, such as int or String, was expected after 'as'")
    return type
  }

  /** The operator at the position, or "". Assignments are none. */
  #operator(): string {
    if (!this.#goesOn()) return ""
    const code = this.peek()
    const next = this.peek(1)
    switch (code) {
      case PLUS:
      case ASTERISK:
      case SLASH:
      case PERCENT:
        return next === EQUALS || next === code ? "" : String.fromCharCode(code)
      case MINUS:
        if (next === GREATER) throw this.failAt(this.position, noCode("'->' makes a closure"))
        return next === EQUALS || next === MINUS ? "" : "-"
      case EQUALS:
        return next === EQUALS ? "==" : ""
      case EXCLAMATION:
        return next === EQUALS ? "!=" : ""
      case LESS:
        if (next === LESS) return this.peek(2) === EQUALS ? "" : "<<"
        return next === EQUALS ? "<=" : "<"
      case GREATER:
        return next === EQUALS ? ">=" : ">"
      case AMPERSAND:
        return next === AMPERSAND ? "&&" : ""
      case BAR:
        return next === BAR ? "||" : ""
      default:
        return this.#wordOperator()
    }
  }

  #wordOperator(): string {
    const word = this.text.slice(this.position, this.position + 2)
    return (word === "in" || word === "as") && !isNamePart(this.peek(2)) ? word : ""
  }

  /** A value with the range, calls, members and indexes that follow it. */
  protected followed(value: Operand, start: number): Operand {
    const code = this.skip()
    if (code === DOT) {
      if (this.peek(1) === DOT) return this.#rangeFrom(value, start)
      return this.#links(value, start)
    }
    if (code === LEFT_BRACKET || code === QUESTION) return this.#links(value, start)
    return value
  }

  #rangeFrom(value: Operand, start: number): Operand {
    const kind = this.kind
    this.position += 2
    this.enter()
    const range = this.range(value, kind, start)
    this.leave()
    return range
  }

  #links(root: Operand, start: number): Operand {
    const slices = this.slices
    const kind = this.kind
    if (kind === Kind.predicate && this.peek() === DOT) {
      throw this.failAt(this.position, "a predicate is joined by .and(), .or() and .negate() only")
    }
    let read = { root, links: [] as Array<Link> }
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.links), read, this.position, 0)
      read = loop.items as typeof read
      this.position = loop.position
      this.brokenAt = loop.brokenAt
    }
    for (;;) {
      const code = this.skip()
      if (code === LEFT_BRACKET && (this.depth > 0 || !this.crossedLine)) read.links.push(this.#index())
      else if ((code === DOT && this.peek(1) !== DOT) || (code === QUESTION && this.peek(1) === DOT)) {
        const traversal = this.#spawned(read.root, read.links, start)
        if (traversal !== undefined) read = Object.assign(read, { root: traversal, links: [] })
        else read.links.push(this.#link())
      } else break
      slices?.step(this.position, 0, this.brokenAt)
    }
    slices?.leave(read.links.length)
    this.kind = read.links.length === 0 && read.root === root ? kind : Kind.variable
    return read.links.length === 0 ? read.root : new ChainExpression(start, read.root, read.links)
  }

  /** `graph.traversal().V()`: a traversal after a call that gives a source. */
  #spawned(root: Operand, links: readonly Link[], start: number): Operand | undefined {
    const last = links.at(-1)
    if (last?.kind !== "call" || !sourceGivers.has(last.name)) return undefined
    const before = this.position
    this.position++
    const name = this.peekName()
    this.position = before
    if (!spawns.has(name) && !sourceMethods.has(name)) return undefined
    return this.fromSource(new ChainExpression(start, root, [...links]), start)
  }

  #index(): Link {
    const position = this.position
    this.enter()
    this.position++
    const index = this.expression(anything, 0)
    this.expect(RIGHT_BRACKET, "']' after an index")
    this.leave()
    return { kind: "index", index, position }
  }

  #link(): Link {
    const safe = this.peek() === QUESTION
    this.position += safe ? 2 : 1
    this.skip()
    const position = this.position
    const name = this.name()
    if (name === "") throw this.unexpected("the name of a method or property")
    const code = this.skip()
    if (code === LEFT_PAREN && (this.depth > 0 || !this.crossedLine)) {
      return { kind: "call", name, args: this.anyArguments(name), safe, position }
    }
    if (code === LEFT_BRACE && !this.crossedLine) throw this.failAt(position, closureRefused(name))
    return { kind: "member", name, safe, position }
  }
}
