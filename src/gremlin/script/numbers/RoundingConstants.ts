import { type RoundingMode, roundingModes } from "../../../structure/numbers/Rounding.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { constantNamed, roundingConstants } from "../types/EnumConstants.ts"
import { OperandError, Unavailable } from "../values/OperandErrors.ts"

/** The constants of BigDecimal for modes, which Java keeps for old code: `ROUND_HALF_UP` is 4. */
export const roundingNumbers: { readonly [name: string]: number } = Object.fromEntries(
  roundingModes.map((name, at) => [`ROUND_${name}`, at])
)

/** The mode of a constant of RoundingMode, or of one of BigDecimal. Fails with OperandError for another value. */
export const roundingMode = (value: unknown): RoundingMode => {
  if (typeof value === "number") {
    const mode = roundingModes[value]
    if (mode !== undefined) return mode
    throw new OperandError(
      `${value} is no rounding mode: write RoundingMode.HALF_UP`,
      "IllegalArgumentException",
      "Invalid rounding mode"
    )
  }
  const at = (roundingConstants as readonly unknown[]).indexOf(value)
  if (at >= 0) return roundingModes[at]!
  throw new Unavailable(`a RoundingMode was expected, such as RoundingMode.HALF_UP, not ${typeName(value)}`)
}

/** The value of a method of the class RoundingMode; undefined for a method that scripts do not have. Fails with OperandError. */
export const callRoundingMode = (name: string, args: readonly unknown[]): { readonly value: unknown } | undefined => {
  if (name === "values" && args.length === 0) return { value: [...roundingConstants] }
  if (name !== "valueOf" || args.length !== 1) return undefined
  const [wanted] = args
  if (typeof wanted === "string") return { value: constantNamed("RoundingMode", wanted) }
  return { value: roundingConstants[roundingModes.indexOf(roundingMode(wanted))]! }
}
