import { Uuid, uuidOfText } from "../../../structure/scalars/Uuid.ts"
import { whole } from "./NumberTypes.ts"
import { OperandError } from "./OperandErrors.ts"

/** The UUID with this text. Fails with OperandError. */
export const uuidOf = (text: string): Uuid => {
  const found = uuidOfText(text)
  if (found !== undefined) return found
  throw new OperandError(`${JSON.stringify(text.slice(0, 60))} is not a UUID`, "IllegalArgumentException")
}

/** The UUID of two Longs, as `new UUID(most, least)`. */
export const uuidOfLongs = (most: unknown, least: unknown): Uuid => {
  const hex = [most, least].map((part) => BigInt.asUintN(64, whole(part)).toString(16).padStart(16, "0")).join("")
  return new Uuid(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"))
}
