import { GremlinMap } from "../../structure/Collections.ts"
import { typeName } from "../../structure/TypeNames.ts"
import type { Budget } from "./Budget.ts"
import { asIndex } from "./MethodTable.ts"
import { OperandError } from "./OperandErrors.ts"
import { readIndex, readMember } from "./ValueMethods.ts"

/** The value that an assignment such as `+=` reads before it stores. Fails with OperandError. */
export const readTarget = (container: unknown, index: unknown, isMember: boolean, budget: Budget): unknown =>
  isMember ? readMember(container, String(index)) : readIndex(container, index, budget)

/** Stores a value in a list or a map. Returns the value. Fails with OperandError. */
export const storeIn = (container: unknown, index: unknown, value: unknown, budget: Budget): unknown => {
  const stored = budget.member(value, container)
  if (container instanceof GremlinMap) container.set(budget.keyMember(index), stored)
  else if (Array.isArray(container)) {
    const at = asIndex(index) < 0 ? asIndex(index) + container.length : asIndex(index)
    if (at < 0)
      throw new OperandError(`index ${at} is out of bounds for length ${container.length}`, "IndexOutOfBoundsException")
    // As in Groovy, the list grows up to the index.
    if (at > container.length) budget.list(new Array(Math.min(at - container.length, 1_000_000)))
    while (container.length < at) container.push(null)
    container[at] = stored
  } else throw new OperandError(`nothing can be assigned inside ${typeName(container)}`)
  return stored
}
