import { Bytecode, Instruction, StrategySpec, Variable } from "../../../process/language/Bytecode.ts"
import { ConnectiveP, NotP, P, type Predicate, TextP } from "../../../process/language/Predicate.ts"
import { steps } from "../../../process/language/StepSignatures.ts"
import { GremlinMap, GremlinSet } from "../../../structure/collections/Collections.ts"
import { JavaArray } from "../values/JavaArray.ts"
import { OperandError } from "../values/OperandErrors.ts"
import { addArguments, addTo, Spread, severalArguments } from "./Spread.ts"
import { checkedOperator, onlyArgument } from "./StepArguments.ts"

/** Visits every variable inside a value: in collections, predicates, strategies and nested traversals. */
export const visitVariables = (value: unknown, visit: (variable: Variable) => void): void => {
  if (typeof value !== "object" || value === null) return
  if (value instanceof Variable) visit(value)
  else if (Array.isArray(value)) for (const item of value) visitVariables(item, visit)
  else if (value instanceof GremlinMap) {
    value.forEach((item, key) => {
      visitVariables(key, visit)
      visitVariables(item, visit)
    })
  } else if (value instanceof GremlinSet) for (const item of value) visitVariables(item, visit)
  else if (value instanceof P) visitVariables(value.value, visit)
  else if (value instanceof NotP) visitVariables(value.predicate, visit)
  else if (value instanceof ConnectiveP) for (const part of value.predicates) visitVariables(part, visit)
  else if (value instanceof StrategySpec) for (const item of value.configuration.values()) visitVariables(item, visit)
  else if (value instanceof Bytecode) {
    for (const instruction of value.sourceInstructions) visitVariables(instruction.args, visit)
    for (const instruction of value.stepInstructions) visitVariables(instruction.args, visit)
  }
}

/** Returns whether the value contains a variable at any depth. */
export const holdsVariable = (value: unknown): boolean => {
  let holds = false
  visitVariables(value, () => {
    holds = true
  })
  return holds
}

/**
 * Copies a value and replaces each variable by the result of `of`. No collection of the copy is a collection of the original
 * value.
 */
export const substitute = (value: unknown, of: (variable: Variable) => unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Variable) return of(value)
  if (Array.isArray(value)) return substituteItems(value, of)
  if (value instanceof GremlinMap) {
    const map = new GremlinMap()
    value.forEach((item, key) => {
      map.set(substitute(key, of), substitute(item, of))
    })
    return map
  }
  if (value instanceof GremlinSet) return new GremlinSet([...value].map((item) => substitute(item, of)))
  if (value instanceof P || value instanceof NotP || value instanceof ConnectiveP) return substitutePredicate(value, of)
  if (value instanceof StrategySpec) {
    const configuration = new Map<string, unknown>()
    for (const [key, item] of value.configuration) configuration.set(key, substitute(item, of))
    return new StrategySpec(value.name, configuration)
  }
  return value instanceof Bytecode ? substituteBytecode(value, of) : value
}

/** Copies items. A spread variable becomes its members. */
const substituteItems = (items: readonly unknown[], of: (variable: Variable) => unknown): unknown[] => {
  const copies: Array<unknown> = []
  for (const item of items) addTo(copies, substitute(item, of))
  return copies
}

/** A step with these arguments. As in Java, an array that is the only one stands for its members if the step takes any number. */
export const instructionOf = (operator: string, args: readonly unknown[]): Instruction => {
  const [only] = args
  const isSpread = args.length === 1 && only instanceof JavaArray && takesAnyNumber(operator)
  return new Instruction(operator, isSpread ? severalArguments(only) : args)
}

const takesAnyNumber = (operator: string): boolean =>
  operator === "hasId" ||
  steps.get(operator)?.signatures.some(({ accepts, rest }) => rest !== 0 && accepts.length === 0) === true

const substitutePredicate = (predicate: Predicate, of: (variable: Variable) => unknown): Predicate => {
  if (predicate instanceof NotP) return new NotP(substitutePredicate(predicate.predicate, of))
  if (predicate instanceof ConnectiveP) {
    return new ConnectiveP(
      predicate.operator,
      predicate.predicates.map((part) => substitutePredicate(part, of))
    )
  }
  const value = listForWithin(predicate, substitute(predicate.value, of))
  if (takesTwo.has(predicate.operator) && Array.isArray(value) && value.length !== 2) {
    throw new OperandError(`${predicate.operator}() takes 2 arguments, not ${value.length}`)
  }
  return predicate instanceof TextP ? new TextP(predicate.operator, value) : new P(predicate.operator, value)
}

/** Predicates of two arguments, which their value is a list of. */
const takesTwo: ReadonlySet<string> = new Set(["between", "inside", "outside"])

/**
 * The argument of a predicate after variables were replaced. within(x) and without(x) need a list: a set becomes a list, and a
 * single value becomes a list with one member.
 */
const listForWithin = (predicate: P, value: unknown): unknown => {
  const members = predicate.operator === "within" || predicate.operator === "without"
  if (value instanceof Spread) return members ? value.members : onlyArgument(predicate.operator, value.members)
  if (!members || Array.isArray(value)) return value
  return value instanceof GremlinSet ? [...value] : [value]
}

/** Copies a traversal and replaces its variables, as {@link substitute} does for a value. */
export const substituteBytecode = (bytecode: Bytecode, of: (variable: Variable) => unknown): Bytecode => {
  const inside = (instructions: readonly Instruction[]): readonly Instruction[] =>
    instructions.map(({ args, operator }) => {
      const items = args.map((arg) => substitute(arg, of))
      if (!items.some((item) => item instanceof Spread)) return instructionOf(operator, items)
      const given: Array<unknown> = []
      for (const item of items) addArguments(given, item)
      return instructionOf(checkedOperator(operator, given), given)
    })
  return new Bytecode(inside(bytecode.sourceInstructions), inside(bytecode.stepInstructions))
}
