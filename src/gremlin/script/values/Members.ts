import { BulkSet, GremlinSet, isListOrSet } from "../../../structure/collections/Collections.ts"
import { MapValues } from "../../../structure/collections/MapValues.ts"
import { Path } from "../../../structure/elements/Path.ts"
import { Byte } from "../../../structure/numbers/Numbers.ts"
import { typeName } from "../../../structure/texts/TypeNames.ts"
import { withinByteLimit } from "./ByteLimit.ts"
import { OperandError } from "./OperandErrors.ts"

/** Whether {@link membersOf} has the members of a value: those of a list, a set, a path or a byte[]. */
export const isMembers = (value: unknown): boolean =>
  isListOrSet(value) || value instanceof Path || value instanceof Uint8Array

/** The members of a list, set, path or byte[]. Fails with OperandError for any other value; `what` begins the message. */
export const membersOf = (value: unknown, what: string): readonly unknown[] => {
  if (value instanceof MapValues) return value.of.valueList()
  if (Array.isArray(value)) return value
  if (value instanceof GremlinSet) return Array.from(value)
  if (value instanceof BulkSet) return value.toList()
  if (value instanceof Path) return value.objects
  if (value instanceof Uint8Array) {
    withinByteLimit(value.length)
    return Array.from(new Int8Array(value), (byte) => new Byte(byte))
  }
  throw new OperandError(`${what} takes a list or a set, not ${typeName(value)}`)
}
