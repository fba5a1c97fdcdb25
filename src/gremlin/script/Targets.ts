import { GremlinMap } from "../../structure/Collections.ts"
import { typeName } from "../../structure/TypeNames.ts"
import type { Target } from "../Script.ts"
import { type Budget, OperandError } from "./Budget.ts"
import { asIndex } from "./MethodTable.ts"
import { readIndex, readMember } from "./ValueMethods.ts"

/** The value that an assignment such as `+=` reads before it stores. Fails with OperandError. */
export const readTarget = (container: unknown, index: unknown, target: Target, budget: Budget): unknown =>
  target.kind === "member" ? readMember(container, target.name) : readIndex(container, index, budget)

/** Stores a value in a list or a map. Gives the value. Fails with OperandError. */
export const storeIn = (container: unknown, index: unknown, value: unknown): unknown => {
  if (container instanceof GremlinMap) container.set(index, value)
  else if (Array.isArray(container)) {
    const at = asIndex(index) < 0 ? asIndex(index) + container.length : asIndex(index)
    if (at < 0 || at > container.length) {
      throw new OperandError(`index ${at} is out of bounds for length ${container.length}; add() appends`)
    }
    container[at] = value
  } else throw new OperandError(`nothing can be assigned inside ${typeName(container)}`)
  return value
}
