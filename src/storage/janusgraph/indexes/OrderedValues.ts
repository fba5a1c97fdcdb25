import { writeOrdered } from "../format/Attribute.ts"
import { ByteWriter } from "../format/ByteWriter.ts"
import type { PropertyKey } from "../schema/Schema.ts"

/** Values as the columns of ordered indexes begin with them: sorted as bytes as Gremlin sorts the values. */

const writer = new ByteWriter()

/** Types whose values have one order, in Gremlin as in the store, so that a range of them can be asked for. */
const sorted: ReadonlySet<string> = new Set(["Byte", "Short", "Integer", "Long", "Double", "Float", "String", "Date"])

/** Types whose values can be found in an ordered index by equality. */
const findable: ReadonlySet<string> = new Set([...sorted, "Boolean", "Character", "UUID"])

/** True for a key whose values an ordered index can be asked for by ranges. */
export const isSorted = ({ dataType }: PropertyKey): boolean => sorted.has(dataType.name)

/** True for a key that may be in an ordered index. */
export const isSortable = ({ dataType }: PropertyKey): boolean => findable.has(dataType.name)

/** In the place of the value of an element that has none: behind all values, which begin with a byte 0. */
export const ABSENT = Buffer.from([255])

/** The bytes of a value; no two values of a key have bytes of which one begins with the other. */
export const orderedValue = ({ dataType }: PropertyKey, value: unknown): Buffer => {
  writer.reset()
  if (typeof value === "string" && dataType.name === "String") writeText(value, true)
  else writeOrdered(writer, dataType, value)
  return writer.copy()
}

/** What the bytes of all texts begin with that begin with this one. */
export const orderedTextPrefix = (text: string): Buffer => {
  writer.reset()
  writeText(text, false)
  return writer.copy()
}

/** By UTF-16 units; a unit 0 has a 1 behind it, so that any text can be sorted by. */
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

/** The text that a column begins with. */
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
