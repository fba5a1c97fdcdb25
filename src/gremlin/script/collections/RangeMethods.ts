import { asIndex, type Method, type Methods } from "../methods/MethodTable.ts"
import { contains } from "../operators/Operators.ts"
import type { RangeList } from "../values/RangeList.ts"
import { listMethods } from "./ListMethods.ts"

const text: Method = [0, 0, (value: RangeList) => value.text]

/** Methods of ranges. */
export const rangeMethods: Methods = {
  ...listMethods,
  toString: text,
  getFrom: [0, 0, (value: RangeList) => value.end("from")],
  getTo: [0, 0, (value: RangeList) => value.end("to")],
  isReverse: [0, 0, (value: RangeList) => value.isReverse],
  step: [1, 1, (value: RangeList, [width], budget) => budget.list(value.stepped(asIndex(width)))],
  containsWithinBounds: [1, 1, (value: RangeList, [member], budget) => contains(value, member, budget)]
}
