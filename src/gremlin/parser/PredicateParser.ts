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
import { readArguments } from "./ArgumentParser.ts"
import { DOT, RIGHT_PAREN } from "./Characters.ts"
import { Kind } from "./Kinds.ts"
import { LoopKind, type ParseContext } from "./ParseContext.ts"
import { expect, opens, unexpected } from "./Scanner.ts"
import { predicates, searchPredicates, textPredicates } from "./Steps.ts"

// Predicates: `P.gt(1)`, `within(1, 2)`, `TextP.containing('a').and(neq('b'))`.

/** Reads the predicate of this name and those joined to it; undefined when no predicate has this name. The position is at `(`. */
export const readPredicate = (context: ParseContext, name: string, start: number): Predicate | undefined => {
  const spec = predicates.get(name)
  if (spec !== undefined) {
    const args = readArguments(context, spec, start)
    if (name === "not" && !isPredicate(args[0])) throw context.failAt(start, "P.not() takes a predicate such as eq(1)")
    return readJoinedPredicate(context, comparison(name, args))
  }
  const textSpec = textPredicates.get(name) ?? searchPredicates.get(name)
  if (textSpec === undefined) return undefined
  return readJoinedPredicate(context, new TextP(name as TextComparison, readArguments(context, textSpec, start)[0]))
}

/** Reads the `.and()`, `.or()` and `.negate()` after a predicate; they apply from left to right. */
export const readJoinedPredicate = (context: ParseContext, first: Predicate): Predicate => {
  const slices = context.slices
  // The only member is the predicate so far, from which the next slice resumes.
  let chain: Array<Predicate> = [first]
  if (slices !== undefined) {
    const loop = slices.enter(context.loopKey(LoopKind.predicates), chain, context.position, 0)
    chain = loop.items as Array<Predicate>
    context.position = loop.position
  }
  while (context.skip() === DOT) {
    const name = readConnective(context)
    if (name === "") break
    const left = chain[0]!
    if (name === "negate") {
      if (context.skip() !== RIGHT_PAREN) throw unexpected(context, "')': negate() takes no argument")
      context.position++
      chain[0] = negated(left)
    } else chain[0] = connected(name, left, readRightPredicate(context, name))
    slices?.step(context.position, 0)
  }
  slices?.leave(0)
  context.kind = Kind.predicate
  return chain[0]!
}

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

/** Reads the predicate in the parentheses of `and()` or `or()`. */
const readRightPredicate = (context: ParseContext, name: string): Predicate => {
  context.enter()
  const right = context.readExpression(context, Kind.predicate, 0)
  if (!isPredicate(right)) throw unexpected(context, `a predicate such as gt(1) in ${name}()`)
  expect(context, RIGHT_PAREN, `')' after the predicate of ${name}()`)
  context.leave()
  return right
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

/** Joins two predicates. If the left one has the same operator, the right one is added to its list, which only the parser holds. */
const connected = (operator: "and" | "or", left: Predicate, right: Predicate): Predicate => {
  const parts =
    left instanceof ConnectiveP && left.operator === operator ? (left.predicates as Array<Predicate>) : [left]
  if (right instanceof ConnectiveP && right.operator === operator) for (const part of right.predicates) parts.push(part)
  else parts.push(right)
  return left instanceof ConnectiveP && left.operator === operator ? left : new ConnectiveP(operator, parts)
}
