import { Variable } from "../../process/language/Bytecode.ts"
import { anything } from "../../process/language/Kinds.ts"
import { AssignExpression } from "../ProgramExpressions.ts"
import { ChainExpression, type Operand, type Statement, type Target } from "../Script.ts"
import { type AssignmentOperator, ClosureExpression } from "../Statement.ts"
import {
  AMPERSAND,
  ASTERISK,
  BAR,
  CARET,
  EQUALS,
  GREATER,
  LESS,
  MINUS,
  PERCENT,
  PLUS,
  QUESTION,
  SLASH
} from "./Characters.ts"
import type { ParseContext } from "./ParseContext.ts"

/** An assignment to one or more targets. */
type Assignment = Extract<Statement, { readonly kind: "assignment" }>

/** Makes the assignment, and declares the variables that it assigns. */
export const assigned = (
  context: ParseContext,
  targets: readonly Target[],
  operator: AssignmentOperator | undefined,
  value: Operand,
  position: number
): Assignment => {
  for (const target of targets) {
    if (target.kind !== "name") continue
    context.names.assign(target.name, value instanceof ClosureExpression)
  }
  return { kind: "assignment", targets, operator, value, position }
}

/** Operators of assignments that begin with each character, the longest first. */
const operators: ReadonlyMap<number, ReadonlyArray<AssignmentOperator | "=">> = new Map([
  [EQUALS, ["="]],
  [PLUS, ["+"]],
  [MINUS, ["-"]],
  [ASTERISK, ["**", "*"]],
  [SLASH, ["/"]],
  [PERCENT, ["%"]],
  [LESS, ["<<"]],
  [GREATER, [">>>", ">>"]],
  [AMPERSAND, ["&"]],
  [BAR, ["|"]],
  [CARET, ["^"]],
  [QUESTION, ["?:"]]
])

/** Reads `=` or an operator such as `+=`; undefined when none follows. `?=` is the operator `?:`. */
export const readAssignmentOperator = (context: ParseContext): AssignmentOperator | "=" | undefined => {
  for (const operator of operators.get(context.skip()) ?? []) {
    const written = operator === "=" ? "=" : operator === "?:" ? "?=" : `${operator}=`
    if (!context.text.startsWith(written, context.position)) continue
    context.position += written.length
    return operator
  }
  return undefined
}

/** Reads the assignment whose target was read as `value`. Gives the value itself when none follows. */
export const readAssigned = (context: ParseContext, value: Operand, start: number): Operand => {
  const operator = readAssignmentOperator(context)
  if (operator === undefined) return value
  const target = targetOf(context, value, start)
  context.calculates = true
  const from = context.position
  const right = readAssigned(context, context.readExpression(context, anything, 0), from)
  return new AssignExpression(assigned(context, [target], operator === "=" ? undefined : operator, right, start))
}

/** Reads the value of a declaration, which may be an assignment to another variable, as in `def a = b = 1`. */
export const readDeclared = (context: ParseContext): Operand => {
  const start = context.position
  return readAssigned(context, context.readExpression(context, anything, 0), start)
}

/** What an assignment to this expression stores into. Fails when it is no variable, element or property. */
export const targetOf = (context: ParseContext, value: Operand, position: number): Target => {
  if (value instanceof Variable) return { kind: "name", name: value.name }
  const last = value instanceof ChainExpression ? value.links.at(-1)! : undefined
  if (value instanceof ChainExpression && last !== undefined && last.kind !== "call") {
    const links = value.links.slice(0, -1)
    const of = links.length === 0 ? value.root : new ChainExpression(value.position, value.root, links)
    return last.kind === "index" ? { kind: "index", of, index: last.index } : { kind: "member", of, name: last.name }
  }
  throw context.failAt(
    position,
    "only a variable, an element such as x[0] or a property such as x.y can be assigned to"
  )
}
