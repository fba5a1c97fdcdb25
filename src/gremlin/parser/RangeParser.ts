import { type Operand, RangeExpression } from "../Script.ts"
import { anything, Kind } from "./Kinds.ts"
import type { ParseContext } from "./ParseContext.ts"

/** The integers from `from` to `to`, both included. They descend if `from` is greater than `to`. */
export const numbersBetween = (from: number, to: number): Array<number> => {
  const numbers: Array<number> = []
  if (from <= to) for (let at = from; at <= to; at++) numbers.push(at)
  else for (let at = from; at >= to; at--) numbers.push(at)
  return numbers
}

/**
 * Reads the end of the range `from..to`. Returns the items, both ends included, or a RangeExpression if they are known only when
 * the script runs. The position must be after the two dots.
 *
 * @param fromKind the kind of `from`
 * @param start the offset of `from` in the script
 */
export const readRange = (context: ParseContext, from: Operand, fromKind: number, start: number): Operand => {
  const to = context.readOperand(context, anything, 0)
  const kind = context.kind
  context.kind = Kind.list
  if (typeof from === "number" && typeof to === "number" && (fromKind & kind & Kind.integer) !== 0) {
    context.countRange(Math.abs(to - from) + 1, start)
    return numbersBetween(from, to)
  }
  if (typeof from === "string" && typeof to === "string") return textRange(context, from, to, start)
  return new RangeExpression(start, from, to)
}

/** The strings of a range such as `"a".."e"`. */
const textRange = (context: ParseContext, from: string, to: string, start: number): Array<string> => {
  const prefix = from.slice(0, -1)
  if (from.length !== to.length || to.slice(0, -1) !== prefix) {
    throw context.failAt(start, "the two ends of a range of strings may differ in their last character only")
  }
  if (from === "") return []
  const first = from.charCodeAt(from.length - 1)
  const last = to.charCodeAt(to.length - 1)
  context.countRange(Math.abs(last - first) + 1, start)
  const step = first <= last ? 1 : -1
  const length = Math.abs(last - first) + 1
  return Array.from({ length }, (_, index) => prefix + String.fromCharCode(first + step * index))
}
