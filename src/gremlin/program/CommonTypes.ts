import { castTo } from "../../structure/numbers/Arithmetic.ts"
import { isNumber, type NumberKind, numberKind } from "../../structure/numbers/Numbers.ts"
import { CastCode } from "./CastCode.ts"
import { ConvertedCode } from "./ConvertedCode.ts"
import type { Code } from "./Frame.ts"
import type { Unit } from "./Names.ts"
import { ConstantCode, LocalCode } from "./ValueCode.ts"

/** Primitive number types that are widened, the narrowest first. */
const WIDTHS = ["byte", "short", "int", "long", "float", "double"] as const

/** The types of literals. A literal such as 2.5 is a BigDecimal in Groovy, which is not widened. */
const literals: { readonly [kind in NumberKind]?: (typeof WIDTHS)[number] } = {
  Int: "int",
  Long: "long",
  Float: "float"
}

/** Primitive types by the names of their classes. */
const boxed: { readonly [type: string]: (typeof WIDTHS)[number] } = {
  Byte: "byte",
  Short: "short",
  Integer: "int",
  Long: "long",
  Float: "float",
  Double: "double"
}

/** The type that an expression has whatever its value is: of a literal, a cast, or a variable with a type. */
const typeOf = (code: Code): string | undefined => {
  if (code instanceof ConstantCode) return isNumber(code.value) ? literals[numberKind(code.value)] : undefined
  if (code instanceof CastCode) return code.casts.at(-1)?.type
  return code instanceof LocalCode ? code.local.type : undefined
}

const isBoxed = (type: string | undefined): boolean => type !== undefined && Object.hasOwn(boxed, type)

const widthOf = (type: string | undefined): number => WIDTHS.indexOf((isBoxed(type) ? boxed[type!] : type) as never)

const kinds: { readonly [type: string]: NumberKind } = { int: "Int", long: "Long", float: "Float", double: "Double" }

/**
 * The two values of `a ? b : c`, or the operands of `a ?: b`. As in Groovy, two expressions of different number types get the wider
 * type if one of them is primitive, so that `true ? 1 : 2L` is a Long. A null of the other stays null.
 */
export const ofCommonType = (one: Code, other: Code, unit: Unit, position: number): readonly [Code, Code] => {
  const types = [typeOf(one), typeOf(other)]
  const [a, b] = types.map(widthOf) as [number, number]
  if (a < 0 || b < 0 || a === b || types.every(isBoxed)) return [one, other]
  const width = Math.max(a, b)
  const wide = WIDTHS[width]!
  const widened = (code: Code): Code => {
    const type = typeOf(code)
    if (widthOf(type) === width) return code
    if (code instanceof ConstantCode) return new ConstantCode(castTo(code.value as never, kinds[wide]!))
    const target = isBoxed(type) ? Object.keys(boxed)[width]! : wide
    return new ConvertedCode(code, target, unit, position)
  }
  return [widened(one), widened(other)]
}
