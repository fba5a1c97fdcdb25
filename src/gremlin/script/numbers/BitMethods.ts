import type { Method, Methods } from "../methods/MethodTable.ts"
import type { bitwise } from "../operators/BitOperators.ts"
import { binary } from "../operators/Operators.ts"
import { prefixed } from "../operators/UnaryOperators.ts"
import { OperandError } from "../values/OperandErrors.ts"

// The methods of integers and booleans that Groovy calls for its operators on bits, such as and() for `&`.

type BitOperator = Parameters<typeof bitwise>[0]

const operation = (operator: BitOperator): Method => [
  1,
  1,
  (value: unknown, [other], budget) => binary(operator, value, other, budget)
]

/** Methods of integers. */
export const bitMethods: Methods = {
  and: operation("&"),
  or: operation("|"),
  xor: operation("^"),
  leftShift: operation("<<"),
  rightShift: operation(">>"),
  rightShiftUnsigned: operation(">>>"),
  bitwiseNegate: [0, 0, (value: unknown, _, budget) => prefixed("~", value, budget)]
}

/** A method of two booleans. As in Groovy, null is false. */
const logical = (calculate: (value: boolean, other: boolean) => boolean): Method => [
  1,
  1,
  (value: boolean, [other]) => {
    if (other !== null && typeof other !== "boolean") {
      throw new OperandError("a boolean was expected", "MissingMethodException")
    }
    return calculate(value, other === true)
  }
]

/** Methods of booleans. */
export const booleanMethods: Methods = {
  booleanValue: [0, 0, (value: boolean) => value],
  and: logical((value, other) => value && other),
  or: logical((value, other) => value || other),
  xor: logical((value, other) => value !== other),
  implies: logical((value, other) => !value || other)
}
