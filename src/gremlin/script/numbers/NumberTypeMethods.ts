import { BigDecimal, BigInteger, type GremlinNumber } from "../../../structure/numbers/Numbers.ts"
import type { Methods } from "../methods/MethodTable.ts"
import { isIntegral } from "../values/NumberTypes.ts"
import { bitMethods } from "./BitMethods.ts"
import { decimalMethods } from "./DecimalMethods.ts"
import { integerMethods } from "./IntegerMethods.ts"
import { numberMethods } from "./NumberMethods.ts"

/** Methods of Bytes, Shorts, Ints and Longs. */
const boundedMethods: Methods = { ...numberMethods, ...bitMethods }

/** The methods of a number, by its type. */
export const methodsOfNumber = (value: GremlinNumber): Methods => {
  if (typeof value === "number") return isIntegral(value) ? boundedMethods : numberMethods
  if (value instanceof BigDecimal) return decimalMethods
  if (value instanceof BigInteger) return integerMethods
  return isIntegral(value) ? boundedMethods : numberMethods
}
