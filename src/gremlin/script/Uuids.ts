import { Uuid } from "../../structure/Temporal.ts"
import { OperandError } from "./OperandErrors.ts"

/** The UUID with this text. Fails with OperandError. */
export const uuidOf = (text: string): Uuid => {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return new Uuid(text)
  throw new OperandError(`${JSON.stringify(text.slice(0, 60))} is not a UUID`, "IllegalArgumentException")
}
