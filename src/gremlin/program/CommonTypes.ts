import { castTo } from "../../structure/Arithmetic.ts"
import { isNumber, numberKind } from "../../structure/Numbers.ts"
import type { Code } from "./Frame.ts"
import { ConstantCode } from "./ValueCode.ts"

/** Number types of literals that are widened, the narrowest first. A literal such as 2.5 is a BigDecimal in Groovy, which is not. */
const WIDTHS = ["Int", "Long"] as const

const widthOf = (code: Code): number =>
  code instanceof ConstantCode && isNumber(code.value) ? WIDTHS.indexOf(numberKind(code.value) as never) : -1

/**
 * The two values of `a ? b : c`, or the operands of `a ?: b`. As in Groovy, two literal integers of different types get the wider
 * type, so that `true ? 1 : 2L` is a Long.
 */
export const ofCommonType = (one: Code, other: Code): readonly [Code, Code] => {
  const [a, b] = [widthOf(one), widthOf(other)]
  if (a < 0 || b < 0 || a === b) return [one, other]
  const wide = WIDTHS[Math.max(a, b)]!
  const widened = (code: Code): Code => new ConstantCode(castTo((code as ConstantCode).value as never, wide))
  return [widened(one), widened(other)]
}
