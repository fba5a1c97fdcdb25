import { Variable } from "../../process/language/Bytecode.ts"
import {
  type Comparison,
  ConnectiveP,
  isPredicate,
  NotP,
  P,
  type Predicate,
  type TextComparison,
  TextP
} from "../../process/language/Predicate.ts"
import { GremlinSet } from "../../structure/Collections.ts"
import { DOT, RIGHT_PAREN } from "./Characters.ts"
import { Kind } from "./Kinds.ts"
import { LoopKind } from "./ParserBase.ts"
import { predicates, searchPredicates, textPredicates } from "./Steps.ts"
import { ValueParser } from "./ValueParser.ts"

/** Predicates: `P.gt(1)`, `within(1, 2)`, `TextP.containing('a').and(neq('b'))`. */
export abstract class PredicateParser extends ValueParser {
  /** The predicate of this name, with what is joined to it, or undefined when there is none. The position is at `(`. */
  protected predicate(name: string, start: number): Predicate | undefined {
    const spec = predicates.get(name)
    if (spec !== undefined) {
      const args = this.arguments(spec, start)
      if (name === "not" && !isPredicate(args[0])) throw this.failAt(start, "P.not() takes a predicate such as eq(1)")
      return this.joined(comparison(name, args))
    }
    const textSpec = textPredicates.get(name) ?? searchPredicates.get(name)
    if (textSpec === undefined) return undefined
    return this.joined(new TextP(name as TextComparison, this.arguments(textSpec, start)[0]))
  }

  /** A predicate with `.and()`, `.or()` and `.negate()` after it, from left to right. */
  protected joined(first: Predicate): Predicate {
    const slices = this.slices
    // The way to the current predicate, so that a slice can go on from it.
    let chain: Array<Predicate> = [first]
    if (slices !== undefined) {
      const loop = slices.enter(this.loopKey(LoopKind.predicates), chain, this.position, 0)
      chain = loop.items as Array<Predicate>
      this.position = loop.position
    }
    while (this.skip() === DOT) {
      const name = this.#connective()
      if (name === "") break
      const left = chain[0]!
      if (name === "negate") {
        if (this.skip() !== RIGHT_PAREN) throw this.unexpected("')': negate() takes no argument")
        this.position++
        chain[0] = negated(left)
      } else chain[0] = connected(name, left, this.#right(name))
      slices?.step(this.position, 0)
    }
    slices?.leave(0)
    this.kind = Kind.predicate
    return chain[0]!
  }

  /** Goes behind `.and(`, `.or(` or `.negate(`; "" and no move when something else follows. */
  #connective(): "and" | "or" | "negate" | "" {
    const start = this.position
    this.position++
    this.skip()
    const name = this.name()
    if ((name === "and" || name === "or" || name === "negate") && this.opens()) {
      this.position++
      return name
    }
    this.position = start
    return ""
  }

  #right(name: string): Predicate {
    this.enter()
    const right = this.expression(Kind.predicate, 0)
    if (!isPredicate(right)) throw this.unexpected(`a predicate such as gt(1) in ${name}()`)
    this.expect(RIGHT_PAREN, `')' after the predicate of ${name}()`)
    this.leave()
    return right
  }
}

const comparison = (name: string, args: readonly unknown[]): Predicate => {
  switch (name) {
    case "not":
      return negated(args[0] as Predicate)
    case "within":
    case "without":
      return new P(name, members(args))
    case "inside":
    case "outside":
    case "between":
      return new P(name, args)
    default:
      return new P(name as Comparison, args[0])
  }
}

/** A single list, set or variable gives the members, everything else is one. */
const members = (args: readonly unknown[]): unknown => {
  const only = args[0]
  if (args.length !== 1) return args
  if (Array.isArray(only) || only instanceof Variable) return only
  return only instanceof GremlinSet ? [...only] : args
}

/** not(not(p)) is p. */
export const negated = (predicate: Predicate): Predicate =>
  predicate instanceof NotP ? predicate.predicate : new NotP(predicate)

/** Joins two predicates; what is already joined by the operator stays one list, which is the parser's own to add to. */
const connected = (operator: "and" | "or", left: Predicate, right: Predicate): Predicate => {
  const parts =
    left instanceof ConnectiveP && left.operator === operator ? (left.predicates as Array<Predicate>) : [left]
  if (right instanceof ConnectiveP && right.operator === operator) for (const part of right.predicates) parts.push(part)
  else parts.push(right)
  return left instanceof ConnectiveP && left.operator === operator ? left : new ConnectiveP(operator, parts)
}
