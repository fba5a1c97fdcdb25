import { isNumber } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { whole } from "./NumberTypes.ts"
import { OperandError } from "./OperandErrors.ts"

/** The character of a text of one UTF-16 unit, or with a code. */
export const characterOf = (value: unknown): Char => {
  if (value instanceof Char) return value
  if (typeof value === "string" && value.length === 1) return new Char(value)
  const code = isNumber(value) ? Number(whole(value)) : -1
  if (code >= 0 && code < 65_536) return new Char(String.fromCharCode(code))
  throw new OperandError("a character is a text with one character")
}
