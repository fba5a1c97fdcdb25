import { anything } from "../../process/language/Kinds.ts"
import { ClosureExpression, type Parameter } from "../Statement.ts"
import { inBraces, readStatements } from "./BlockParser.ts"
import { GREATER, isNameStart, LEFT_BRACE, LEFT_PAREN, MINUS, RIGHT_PAREN } from "./Characters.ts"
import { readParameters } from "./ClosureParser.ts"
import type { ParseContext } from "./ParseContext.ts"
import { expect } from "./Scanner.ts"

/** True for `x -> x + 1` and `(a, b = 1) -> { a + b }` at the position: Java's form of a closure, which Groovy takes, too. */
export const isLambda = (context: ParseContext): boolean => {
  const code = context.skip()
  if ((code !== LEFT_PAREN && !isNameStart(code)) || context.isInDefault) return false
  const head = /(?:[\p{L}_$][\p{L}\p{N}_$]{0,200}|\((?:[^()]|\([^()]{0,100}\)){0,400}\))\s*->/uy
  head.lastIndex = context.position
  return head.test(context.text)
}

/** Reads a lambda. The position is at its parameters. */
export const readLambda = (context: ParseContext): ClosureExpression => {
  const start = context.position
  const wasInStep = context.isInStep
  context.isInStep = false
  const yieldedBefore = context.yields
  context.yields = false
  const { body, parameters } = context.names.inHead(start, () => readParts(context))
  context.yields = yieldedBefore
  context.isInStep = wasInStep
  context.calculates = true
  return new ClosureExpression(start, parameters, body)
}

const readParts = (context: ParseContext): Pick<ClosureExpression, "body" | "parameters"> => {
  const parameters = readLambdaParameters(context)
  expect(context, MINUS, "'->' of the closure")
  expect(context, GREATER, "'->' of the closure")
  const code = context.skip()
  const position = context.position
  context.enterOperand()
  const body =
    code === LEFT_BRACE
      ? inBraces(context, "the closure", () => readStatements(context, "brace"))
      : [{ kind: "expression" as const, value: context.readExpression(context, anything, 0), position }]
  context.leaveOperand()
  return { body, parameters }
}

const readLambdaParameters = (context: ParseContext): readonly Parameter[] => {
  if (context.skip() !== LEFT_PAREN) return readParameters(context, MINUS)
  context.position++
  const parameters = readParameters(context, RIGHT_PAREN)
  context.position++
  context.skip()
  return parameters
}
