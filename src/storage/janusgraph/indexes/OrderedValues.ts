import { partsOfInstant } from "../../../structure/times/Instants.ts"
import { Duration, Temporal } from "../../../structure/times/Temporal.ts"
import { writeOrdered } from "../format/Attribute.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import type { PropertyKey } from "../schema/Schema.ts"

/** The encoding of values in the columns of ordered indexes: the bytes sort as Gremlin sorts the values. */

const writer = new ByteWriter()

/** Types whose values sort in the store as in Gremlin, so that an index can answer range conditions. */
const sorted: ReadonlySet<string> = new Set([
  ...["Byte", "Short", "Integer", "Long", "Double", "Float", "String", "Date", "Instant", "Duration"]
])

/** Types whose values an ordered index can find by equality. */
const findable: ReadonlySet<string> = new Set([...sorted, "Boolean", "Character", "UUID"])

/** True for a key for which an ordered index can answer range conditions. */
export const isSorted = ({ dataType }: PropertyKey): boolean => sorted.has(dataType.name)

/** True for a key that an ordered index can contain. */
export const isSortable = ({ dataType }: PropertyKey): boolean => findable.has(dataType.name)

/** Stands for the missing value of an element. It sorts after all values, which begin with the byte 0. */
export const ABSENT = Buffer.from([255])

/** Encodes a value. The encoding of one value of a key is never a prefix of the encoding of another. */
export const orderedValue = ({ dataType }: PropertyKey, value: unknown): Buffer => {
  writer.reset()
  if (typeof value === "string" && dataType.name === "String") writeText(value, true)
  else if (value instanceof Duration) writeTime(value.seconds, value.nanos)
  else if (value instanceof Temporal) {
    const { nanos, seconds } = partsOfInstant(value) ?? { seconds: 0n, nanos: 0 }
    writeTime(seconds, nanos)
  } else writeOrdered(writer, dataType, value)
  return writer.copy()
}

/** Writes an instant or a duration. JanusGraph has no order of them, so this form is only in indexes of this server. */
const writeTime = (seconds: bigint, nanos: number): void => {
  writer.byte(0)
  writer.int64(BigInt.asIntN(64, seconds ^ (1n << 63n)))
  writer.int32(nanos)
}

/** The common first bytes of all texts that begin with this one. */
export const orderedTextPrefix = (text: string): Buffer => {
  writer.reset()
  writeText(text, false)
  return writer.copy()
}

/** Writes the UTF-16 units of a text. A unit 0 is followed by a unit 1, because 0 and 0 end the text. */
const writeText = (text: string, ended: boolean): void => {
  writer.byte(0)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const at = writer.room(unit === 0 ? 4 : 2)
    if (unit === 0) writer.bytes.writeUInt32BE(1, at)
    else writer.bytes.writeUInt16BE(unit, at)
  }
  if (ended) writer.int32(0)
}

/** Decodes the text at the start of a column. */
export const textOfColumn = (column: Uint8Array): string => {
  let text = ""
  for (let at = 1; at + 1 < column.length; at += 2) {
    const unit = column[at]! * 256 + column[at + 1]!
    if (unit !== 0) text += String.fromCharCode(unit)
    else if (column[at + 3] === 1) {
      text += "\0"
      at += 2
    } else return text
  }
  return text
}
