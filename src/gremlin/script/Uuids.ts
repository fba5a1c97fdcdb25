import { type Uuid, uuidOfText } from "../../structure/Temporal.ts"
import { OperandError } from "./OperandErrors.ts"

/** The UUID with this text. Fails with OperandError. */
export const uuidOf = (text: string): Uuid => {
  const found = uuidOfText(text)
  if (found !== undefined) return found
  throw new OperandError(`${JSON.stringify(text.slice(0, 60))} is not a UUID`, "IllegalArgumentException")
}
