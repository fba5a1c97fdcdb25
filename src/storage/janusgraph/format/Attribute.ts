import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"

/** One form of the values of a type. */
export interface Form {
  read(reader: ByteReader): unknown
  write(writer: ByteWriter, value: unknown): void
}

/** A data type of the format: how its values are written. JanusGraph's attribute serializers of the same numbers. */
export interface Attribute extends Form {
  /** Number of the class in the format; part of any value that names its own type. */
  readonly number: number
  /** Simple name of the Java class. */
  readonly name: string
  /** True when the form itself knows null, so that no flag goes before it. */
  readonly ownsNull: boolean
  /** The form that sorts as the values do; undefined for a type without an order. */
  readonly ordered: Form | undefined
  /** True for a value that is of exactly this type. */
  is(value: unknown): boolean
  /** The value as one of this type; undefined when it cannot be one without loss. */
  convert(value: unknown): unknown
}

const NULL = 255

/** A value of a type that is known from elsewhere, with its null flag. */
export const writeTyped = (writer: ByteWriter, type: Attribute, value: unknown): void => {
  if (type.ownsNull) type.write(writer, value)
  else if (value === null) writer.byte(NULL)
  else {
    writer.byte(0)
    type.write(writer, value)
  }
}

export const readTyped = (reader: ByteReader, type: Attribute): unknown =>
  type.ownsNull || reader.byte() === 0 ? type.read(reader) : null

/** The same in the form that sorts. Throws for a type that has none. */
export const writeOrdered = (writer: ByteWriter, type: Attribute, value: unknown): void => {
  const form = orderedForm(type)
  if (type.ownsNull) form.write(writer, value)
  else if (value === null) writer.byte(NULL)
  else {
    writer.byte(0)
    form.write(writer, value)
  }
}

export const readOrdered = (reader: ByteReader, type: Attribute): unknown => {
  const form = orderedForm(type)
  return type.ownsNull || reader.byte() === 0 ? form.read(reader) : null
}

const orderedForm = (type: Attribute): Form => {
  if (type.ordered === undefined) throw new Error(`Values of the type ${type.name} have no order to be stored in`)
  return type.ordered
}

/** A type whose values are told apart by a test and take no conversion. */
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
