import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/** An encoding of the values of a type. */
export interface Form {
  read(reader: ByteReader): unknown
  write(writer: ByteWriter, value: unknown): void
}

/**
 * A data type of the format with its encoding. It corresponds to JanusGraph's attribute serializer of the same number.
 */
export interface Attribute extends Form {
  /** The number of the type in the format. It precedes values that are stored with their type. */
  readonly number: number
  /** The simple name of the Java class. */
  readonly name: string
  /** True when the encoding includes null, so that no null flag precedes the value. */
  readonly ownsNull: boolean
  /** The encoding whose bytes sort as the values do; undefined for a type without an order. */
  readonly ordered: Form | undefined
  /** True for a value of exactly this type. */
  is(value: unknown): boolean
  /** Converts a value to this type; undefined when the conversion would lose something. */
  convert(value: unknown): unknown
}

/** The null flag of a null value. */
const NULL = 255

/** Writes a value of a type that the reader knows, after its null flag. */
export const writeTyped = (writer: ByteWriter, type: Attribute, value: unknown): void => {
  if (type.ownsNull) type.write(writer, value)
  else if (value === null) writer.byte(NULL)
  else {
    writer.byte(0)
    type.write(writer, value)
  }
}

/** Reads what {@link writeTyped} writes. */
export const readTyped = (reader: ByteReader, type: Attribute): unknown =>
  type.ownsNull || reader.byte() === 0 ? type.read(reader) : null

/** Writes a value in its ordered encoding. Throws for a type without an order. */
export const writeOrdered = (writer: ByteWriter, type: Attribute, value: unknown): void => {
  const form = orderedForm(type)
  if (type.ownsNull) form.write(writer, value)
  else if (value === null) writer.byte(NULL)
  else {
    writer.byte(0)
    form.write(writer, value)
  }
}

/** Reads what {@link writeOrdered} writes. */
export const readOrdered = (reader: ByteReader, type: Attribute): unknown => {
  const form = orderedForm(type)
  return type.ownsNull || reader.byte() === 0 ? form.read(reader) : null
}

const orderedForm = (type: Attribute): Form => {
  if (type.ordered === undefined)
    throw new Error(`Values of the type ${type.name} have no order and cannot be stored in a sort key`)
  return type.ordered
}

/** A type whose values are recognised by `is`. Values of this type are not converted. */
export const plainAttribute = (
  number: number,
  name: string,
  form: Form,
  is: (value: unknown) => boolean,
  more: Partial<Pick<Attribute, "ownsNull" | "ordered" | "convert">> = {}
): Attribute => ({
  number,
  name,
  ownsNull: more.ownsNull ?? false,
  read: (reader) => form.read(reader),
  write: (writer, value) => form.write(writer, value),
  ordered: more.ordered,
  is,
  convert: (value) => (is(value) ? value : more.convert?.(value))
})
