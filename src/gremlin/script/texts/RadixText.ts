import { MalformedText } from "../../../structure/errors/ValueErrors.ts"
import { isInt } from "../../../structure/numbers/Numbers.ts"
import { asIndex, asText } from "../methods/MethodTable.ts"
import { OperandError } from "../values/OperandErrors.ts"

/** `Integer.parseInt('ff', 16)`. */
export const ofRadix = (className: string, value: unknown, radix: unknown): unknown => {
  const [text, base] = [asText(value), asIndex(radix)]
  if (base < 2 || base > 36) throw new OperandError(`${className} reads digits of 2 to 36, not of ${base}`)
  const digits = text
    .replace(/^([+-]?)0+(?=.)/, "$1")
    .replace(/^[+-]/, "")
    .toLowerCase()
  const isNumber =
    digits !== "" && digits.length <= MAX_RADIX_DIGITS && [...digits].every((digit) => digitOf(digit) < base)
  const size = isNumber ? [...digits].reduce((sum, digit) => sum * BigInt(base) + BigInt(digitOf(digit)), 0n) : 0n
  const whole = text.startsWith("-") ? -size : size
  const bits = className === "Integer" ? 32 : 64
  if (!isNumber || BigInt.asIntN(bits, whole) !== whole) {
    const under = base === 10 ? "" : ` under radix ${base}`
    throw new MalformedText(`For input string: "${text.slice(0, MAX_RADIX_DIGITS)}"${under}`)
  }
  return bits === 32 ? Number(whole) : whole
}

/** Most digits of a number of {@link ofRadix}: those of a Long of radix 2. */
const MAX_RADIX_DIGITS = 64

const digitOf = (digit: string): number => (/[0-9a-z]/.test(digit) ? Number.parseInt(digit, 36) : 36)

/** As in Java, 10 stands for a radix that no digits have. */
const radixOf = (radix: number): number => (radix < 2 || radix > 36 ? 10 : radix)

/** `Integer.toString(x)`, `toBinaryString(x)` and `toHexString(x)`. */
export const integerText = (name: string, [value, radix = 10]: readonly unknown[]): string => {
  if (typeof value !== "number" || !isInt(value)) throw new OperandError(`Integer.${name}() takes an Integer`)
  if (name === "toString") return value.toString(radixOf(asIndex(radix)))
  return (value >>> 0).toString(name === "toHexString" ? 16 : 2)
}
