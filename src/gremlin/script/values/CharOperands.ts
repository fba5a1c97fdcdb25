import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "<=>"])
const calculations: ReadonlySet<string> = new Set(["+", "-", "*", "/"])

const codeOf = (value: unknown): unknown => (value instanceof Char ? value.text.charCodeAt(0) : value)

/**
 * The operands of an operator, of which one is a Character. As in Groovy a Character is compared with a text as a text, and with a
 * number by its code; calculations use the codes.
 */
export const withoutChars = (operator: string, left: unknown, right: unknown): readonly [unknown, unknown] => {
  const other = left instanceof Char ? right : left
  if (comparisons.has(operator)) {
    if (isNumber(other)) return [codeOf(left), codeOf(right)]
    if (typeof other === "string" || other instanceof Char) return [textOf(left), textOf(right)]
  }
  if (calculations.has(operator) && (isNumber(other) || other instanceof Char)) return [codeOf(left), codeOf(right)]
  return [left, right]
}

const textOf = (value: unknown): unknown => (value instanceof Char ? value.text : value)
