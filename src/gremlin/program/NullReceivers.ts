import type { ErrorPositions } from "../script/objects/ErrorPositions.ts"
import { OperandError } from "../script/values/OperandErrors.ts"

/** True for the methods that can be called on null. */
export const isOfNull = (name: string, count: number): boolean =>
  (name === "equals" && count === 1) || (name === "toString" && count === 0) || (name === "is" && count === 1)

/** The error for a call or a member of null. A script catches it with Groovy's message. */
export const nullReceiver = (name: string, isCall: boolean, position: number, positions: ErrorPositions): unknown => {
  const problem = `the value before ${name} is null: write ?.${name} to get null instead of this error`
  const wanted = isCall ? `invoke method ${name}()` : `get property '${name}'`
  return positions.positionedError(
    new OperandError(problem, "NullPointerException", `Cannot ${wanted} on null object`),
    position
  )
}
