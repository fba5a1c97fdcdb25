import { Kind } from "../../process/language/Kinds.ts"
import { type Operand, RangeExpression } from "../Script.ts"
import { textRangeSize, textsBetween } from "../TextRange.ts"
import type { ParseContext } from "./ParseContext.ts"

/** The integers from `from` to `to`, both included. They descend if `from` is greater than `to`. */
const numbersBetween = (from: number, to: number): Array<number> => {
  const numbers: Array<number> = []
  if (from <= to) for (let at = from; at <= to; at++) numbers.push(at)
  else for (let at = from; at >= to; at--) numbers.push(at)
  return numbers
}

/** The two ends of a range with the kind of each (Kinds.ts). */
interface Ends {
  readonly from: Operand
  readonly fromKind: number
  readonly to: Operand
  readonly toKind: number
}

/**
 * The range `from..to`, or `from..<to` when it is not inclusive: the items, or a RangeExpression if they are known only when the
 * script runs. `start` is the offset of the range.
 */
export const rangeOf = (
  context: ParseContext,
  { from, fromKind, to, toKind }: Ends,
  isInclusive: boolean,
  start: number
): Operand => {
  context.kind = Kind.list
  if (isInclusive && typeof from === "number" && typeof to === "number" && (fromKind & toKind & Kind.integer) !== 0) {
    context.countRange(Math.abs(to - from) + 1, start)
    if (context.isInStep) return numbersBetween(from, to)
  }
  if (isInclusive && typeof from === "string" && typeof to === "string") return textRange(context, from, to, start)
  return new RangeExpression(start, from, to, isInclusive)
}

/** The strings of a range such as `"a".."e"`. */
const textRange = (context: ParseContext, from: string, to: string, start: number): Array<string> => {
  const size = textRangeSize(from, to)
  if (size === undefined) {
    throw context.failAt(start, "the two ends of a range of strings may differ only in their last character")
  }
  context.countRange(size, start)
  return textsBetween(from, to, size)
}
