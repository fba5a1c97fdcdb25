import { castTo } from "../../structure/Arithmetic.ts"
import { isNumber, type NumberKind, numberKind } from "../../structure/Numbers.ts"
import { ConvertedCode } from "./ConvertedCode.ts"
import type { Code } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { CastCode } from "./OperatorCode.ts"
import { ConstantCode, LocalCode } from "./ValueCode.ts"

/** Primitive number types that are widened, the narrowest first. */
const WIDTHS = ["byte", "short", "int", "long", "float", "double"] as const

/** The types of literals. A literal such as 2.5 is a BigDecimal in Groovy, which is not widened. */
const literals: { readonly [kind in NumberKind]?: (typeof WIDTHS)[number] } = {
  Int: "int",
  Long: "long",
  Float: "float"
}

/** The primitive type that an expression has whatever its value is: of a literal, a cast, or a variable with a type. */
const typeOf = (code: Code): string | undefined => {
  if (code instanceof ConstantCode) return isNumber(code.value) ? literals[numberKind(code.value)] : undefined
  if (code instanceof CastCode) return code.casts.at(-1)?.type
  return code instanceof LocalCode ? code.local.type : undefined
}

const widthOf = (code: Code): number => WIDTHS.indexOf(typeOf(code) as never)

const kinds: { readonly [type: string]: NumberKind } = { int: "Int", long: "Long", float: "Float", double: "Double" }

/**
 * The two values of `a ? b : c`, or the operands of `a ?: b`. As in Groovy, two expressions of different primitive types get the wider
 * type, so that `true ? 1 : 2L` is a Long.
 */
export const ofCommonType = (one: Code, other: Code, unit: Unit, position: number): readonly [Code, Code] => {
  const [a, b] = [widthOf(one), widthOf(other)]
  if (a < 0 || b < 0 || a === b) return [one, other]
  const wide = WIDTHS[Math.max(a, b)]!
  const widened = (code: Code): Code => {
    if (typeOf(code) === wide) return code
    if (!(code instanceof ConstantCode)) return new ConvertedCode(code, wide, unit, position)
    return new ConstantCode(castTo(code.value as never, kinds[wide]!))
  }
  return [widened(one), widened(other)]
}
