import { Variable } from "../../process/language/Bytecode.ts"
import { Kind } from "../../process/language/Kinds.ts"
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
import { GremlinSet } from "../../structure/collections/Collections.ts"
import { ChainExpression, Expression, type Link, type Operand } from "../Script.ts"
import { readArguments } from "./ArgumentParser.ts"
import { DOT, RIGHT_PAREN } from "./Characters.ts"
import { LoopKind } from "./LoopKinds.ts"
import { enterLoop, leaveLoop, stepLoop } from "./Loops.ts"
import { predicates, searchPredicates, textPredicates } from "./Methods.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect, opens, unexpected } from "./Scanner.ts"

// Predicates: `P.gt(1)`, `within(1, 2)`, `TextP.containing('a').and(neq('b'))`.

/** Reads the predicate of this name and those joined to it; undefined when no predicate has this name. The position is at `(`. */
export const readPredicate = (context: ParseContext, name: string, start: number): Operand | undefined => {
  const spec = predicates.get(name)
  if (spec !== undefined) {
    if (name === "not") return readNotPredicate(context, start)
    const args = readArguments(context, spec, start)
    context.predicateLevels = 0
    return readJoinedPredicate(context, comparison(name, args), start)
  }
  const textSpec = textPredicates.get(name) ?? searchPredicates.get(name)
  if (textSpec === undefined) return undefined
  const [value] = readArguments(context, textSpec, start)
  context.predicateLevels = 0
  return readJoinedPredicate(context, new TextP(name as TextComparison, value), start)
}

/**
 * Reads the `.and()`, `.or()` and `.negate()` after a predicate; they apply from left to right. Those from a variable on,
 * as in `gt(1).or(p).negate()`, are calls, which are made when the script runs. `start` is the offset of the predicate.
 */
export const readJoinedPredicate = (context: ParseContext, first: Operand, start: number): Operand => {
  // The predicate so far, from which the next slice resumes, and the levels of predicates in it.
  const chain: [predicate: Operand, levels: number] = enterLoop(context, LoopKind.predicates, [
    first,
    context.predicateLevels
  ])
  while (context.skip() === DOT) {
    const name = readConnective(context)
    if (name === "") break
    const [left, levels] = chain
    if (name === "negate") {
      if (context.skip() !== RIGHT_PAREN) throw unexpected(context, "')': negate() takes no argument")
      context.position++
      chain[0] = isPredicate(left) ? negated(left) : negatedLater(context, left, start)
      if (isPredicate(left)) chain[1] += chain[0] instanceof NotP ? 1 : -1
    } else {
      const right = readRightPredicate(context, name)
      const isWhole = isPredicate(left) && isPredicate(right)
      chain[0] = isWhole ? connected(name, left, right) : madeLater(context, left, name, [right], start)
      // How deep a predicate is that is made later is checked then.
      const added = isWhole ? (isJoinedBy(left, name) ? 0 : 1) : 0
      chain[1] = Math.max(levels + added, context.predicateLevels + 1)
    }
    context.checkLevels(chain[1])
    stepLoop(context)
  }
  leaveLoop(context, 0)
  context.kind = Kind.predicate
  context.predicateLevels = chain[1]
  return chain[0]
}

/** A call of a method of a predicate that is made when the script runs. It is a predicate for the rules of the grammar. */
const madeLater = (
  context: ParseContext,
  of: Operand,
  name: string,
  args: ReadonlyArray<Operand>,
  start: number
): ChainExpression => {
  context.kind = Kind.predicate
  context.calculates = true
  const call: Link = { kind: "call", name, args, safe: false, position: start }
  if (!(of instanceof ChainExpression)) return new ChainExpression(start, of, [call])
  // One chain, which only the parser holds: a chain around each other one would need the stack.
  const links = of.links as Array<Link>
  links.push(call)
  return of
}

/** The negation of a predicate that is made when the script runs. */
export const negatedLater = (context: ParseContext, predicate: Operand, start: number): ChainExpression =>
  madeLater(context, predicate, "negate", [], start)

/** Reads `.and(`, `.or(` or `.negate(`; "", without moving, when something else follows. */
const readConnective = (context: ParseContext): "and" | "or" | "negate" | "" => {
  const start = context.position
  context.position++
  context.skip()
  const name = context.readName()
  if ((name === "and" || name === "or" || name === "negate") && opens(context)) {
    context.position++
    return name
  }
  context.position = start
  return ""
}

/** Reads the predicate, or a value that may be one when the script runs, in the parentheses of `and()` or `or()`. */
const readRightPredicate = (context: ParseContext, name: string): Operand => {
  context.enter()
  context.predicateLevels = 0
  const right = context.readExpression(context, Kind.predicate | Kind.variable, 0)
  if (!isPredicate(right) && !(right instanceof Expression) && !(right instanceof Variable))
    throw unexpected(context, `a predicate such as gt(1) in ${name}()`)
  expect(context, RIGHT_PAREN, `')' after the predicate of ${name}()`)
  context.leave()
  return right
}

/** Reads `P.not(...)` and what is joined to it. The position is at the parenthesis. */
const readNotPredicate = (context: ParseContext, start: number): Operand => {
  context.enter()
  context.position++
  context.predicateLevels = 0
  const inner = context.readExpression(context, Kind.predicate | Kind.variable, 0)
  if (!isPredicate(inner) && !(inner instanceof Expression) && !(inner instanceof Variable))
    throw context.failAt(start, "P.not() takes a predicate such as eq(1)")
  expect(context, RIGHT_PAREN, "')' of not()")
  context.leave()
  const first = isPredicate(inner) ? comparison("not", [inner]) : negatedLater(context, inner, start)
  return readJoinedPredicate(context, first, start)
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

/** The members of within(): those of a single list, set or variable, otherwise the arguments. */
const members = (args: readonly unknown[]): unknown => {
  const only = args[0]
  if (args.length !== 1) return args
  if (Array.isArray(only) || only instanceof Variable) return only
  return only instanceof GremlinSet ? [...only] : args
}

/** The negation of a predicate; a double negation is removed. */
export const negated = (predicate: Predicate): Predicate =>
  predicate instanceof NotP ? predicate.predicate : new NotP(predicate)

/** Whether the right operand of and() or or() becomes one more member of the left one. */
const isJoinedBy = (left: Operand, operator: "and" | "or"): left is ConnectiveP =>
  left instanceof ConnectiveP && left.operator === operator

/** Joins two predicates. If the left one has the same operator, the right one is added to its list, which only the parser holds. */
const connected = (operator: "and" | "or", left: Predicate, right: Predicate): Predicate => {
  const parts = isJoinedBy(left, operator) ? (left.predicates as Array<Predicate>) : [left]
  if (isJoinedBy(right, operator)) for (const part of right.predicates) parts.push(part)
  else parts.push(right)
  return isJoinedBy(left, operator) ? left : new ConnectiveP(operator, parts)
}
