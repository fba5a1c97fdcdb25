import { Byte, Double, double, Float, Short } from "../../../structure/numbers/Numbers.ts"
import { Char } from "../../../structure/scalars/Char.ts"
import { type Attribute, plainAttribute } from "./Attribute.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { type ElementType, StoredArray } from "./JavaValues.ts"
import { byteType, integerType, longType, shortType } from "./ScalarAttributes.ts"
import { writeDouble, writeFloat } from "./ScalarForms.ts"
import { readString, writeString } from "./Strings.ts"

/**
 * The data types of arrays. An array is its length plus 1 as a number of variable length (0 for null), then the
 * elements, big-endian, with their sign bits unchanged.
 */

/** How elements of a fixed size are stored. */
interface Elements {
  readonly bytes: number
  read(buffer: Buffer, at: number): unknown
  write(buffer: Buffer, value: unknown, at: number): void
  /** Converts an element to this type; undefined when it cannot be converted. */
  convert(value: unknown): unknown
}

const plain = (value: unknown): unknown =>
  value instanceof Double || value instanceof Float || value instanceof Byte || value instanceof Short
    ? value.value
    : value

const kinds: Readonly<Record<Exclude<ElementType, "boolean" | "String">, Elements>> = {
  short: {
    bytes: 2,
    read: (buffer, at) => new Short(buffer.readInt16BE(at)),
    write: (buffer, value, at) => buffer.writeInt16BE((value as Short).value, at),
    convert: (value) => shortType.convert(value)
  },
  int: {
    bytes: 4,
    read: (buffer, at) => buffer.readInt32BE(at),
    write: (buffer, value, at) => buffer.writeInt32BE(value as number, at),
    convert: (value) => integerType.convert(value)
  },
  long: {
    bytes: 8,
    read: (buffer, at) => buffer.readBigInt64BE(at),
    write: (buffer, value, at) => buffer.writeBigInt64BE(value as bigint, at),
    convert: (value) => longType.convert(value)
  },
  float: {
    bytes: 4,
    read: (buffer, at) => new Float(buffer.readFloatBE(at)),
    write: (buffer, value, at) => writeFloat(buffer, (value as Float).value, at),
    convert: (value) => (typeof plain(value) === "number" ? new Float(plain(value) as number) : undefined)
  },
  double: {
    bytes: 8,
    read: (buffer, at) => double(buffer.readDoubleBE(at)),
    write: (buffer, value, at) => writeDouble(buffer, plain(value) as number, at),
    convert: (value) => (typeof plain(value) === "number" ? double(plain(value) as number) : undefined)
  },
  char: {
    bytes: 2,
    read: (buffer, at) => new Char(String.fromCharCode(buffer.readUInt16BE(at))),
    write: (buffer, value, at) => buffer.writeUInt16BE((value as Char).text.charCodeAt(0), at),
    convert: (value) =>
      value instanceof Char ? value : typeof value === "string" && value.length === 1 ? new Char(value) : undefined
  }
}

const lengthOf = (reader: ByteReader): number => reader.count() - 1

/** Converts a list to an array; undefined when an element cannot be converted. */
const converted = (type: ElementType, value: unknown, convert: (element: unknown) => unknown): unknown => {
  if (!Array.isArray(value)) return undefined
  const elements = value.map(convert)
  return elements.includes(undefined) ? undefined : new StoredArray(type, elements)
}

const isArrayOf = (type: ElementType) => (value: unknown) => value instanceof StoredArray && value.elementType === type

const fixed = (number: number, type: keyof typeof kinds): Attribute => {
  const kind = kinds[type]
  const read = (reader: ByteReader): StoredArray | null => {
    const length = lengthOf(reader)
    if (length < 0) return null
    const taken = reader.take(length * kind.bytes)
    const buffer = Buffer.from(taken.buffer, taken.byteOffset, taken.length)
    const array = new StoredArray(type)
    for (let i = 0; i < length; i++) array.push(kind.read(buffer, i * kind.bytes))
    return array
  }
  const write = (writer: ByteWriter, value: unknown): void => {
    const array = value as StoredArray | null
    writer.varint(array === null ? 0 : array.length + 1)
    for (const element of array ?? []) {
      const at = writer.room(kind.bytes)
      kind.write(writer.bytes, element, at)
    }
  }
  return plainAttribute(number, `${type}[]`, { read, write }, isArrayOf(type), {
    ownsNull: true,
    convert: (value) => converted(type, value, kind.convert)
  })
}

const readBytes = (reader: ByteReader): Uint8Array | null => {
  const length = lengthOf(reader)
  return length < 0 ? null : Uint8Array.from(reader.take(length))
}

const writeBytes = (writer: ByteWriter, value: unknown): void => {
  const bytes = value as Uint8Array | null
  writer.varint(bytes === null ? 0 : bytes.length + 1)
  if (bytes !== null) writer.raw(bytes)
}

const readBits = (reader: ByteReader): StoredArray | null => {
  const length = lengthOf(reader)
  if (length < 0) return null
  const bits = reader.take(Math.ceil(length / 8))
  const array = new StoredArray("boolean")
  for (let i = 0; i < length; i++) array.push((bits[i >> 3]! & (128 >> (i & 7))) !== 0)
  return array
}

const writeBits = (writer: ByteWriter, value: unknown): void => {
  const array = value as StoredArray | null
  writer.varint(array === null ? 0 : array.length + 1)
  if (array === null) return
  for (let i = 0; i < array.length; i += 8) {
    let byte = 0
    for (let bit = 0; bit < 8; bit++) if (array[i + bit] === true) byte |= 128 >> bit
    writer.byte(byte)
  }
}

const readStrings = (reader: ByteReader): StoredArray | null => {
  const length = lengthOf(reader)
  if (length < 0) return null
  const array = new StoredArray("String")
  for (let i = 0; i < length; i++) array.push(readString(reader))
  return array
}

const writeStrings = (writer: ByteWriter, value: unknown): void => {
  const array = value as StoredArray | null
  writer.varint(array === null ? 0 : array.length + 1)
  for (const element of array ?? []) writeString(writer, element as string | null)
}

/** The bytes of a list of numbers from -128 to 127; undefined for another value. */
const bytesOfList = (value: unknown): Uint8Array | undefined => {
  if (!Array.isArray(value)) return undefined
  const bytes = value.map((element) => byteType.convert(element))
  return bytes.includes(undefined) ? undefined : Uint8Array.from(bytes as ReadonlyArray<Byte>, (byte) => byte.value)
}

const bytesType = plainAttribute(
  22,
  "byte[]",
  { read: readBytes, write: writeBytes },
  (value) => value instanceof Uint8Array,
  { ownsNull: true, convert: bytesOfList }
)

const longArrayType = fixed(25, "long")

/** The data types of arrays. */
export const arrayTypes: ReadonlyArray<Attribute> = [
  bytesType,
  fixed(23, "short"),
  fixed(24, "int"),
  longArrayType,
  fixed(26, "float"),
  fixed(27, "double"),
  fixed(28, "char"),
  plainAttribute(29, "boolean[]", { read: readBits, write: writeBits }, isArrayOf("boolean"), {
    ownsNull: true,
    convert: (value) => converted("boolean", value, (element) => (typeof element === "boolean" ? element : undefined))
  }),
  plainAttribute(30, "String[]", { read: readStrings, write: writeStrings }, isArrayOf("String"), {
    ownsNull: true,
    convert: (value) => converted("String", value, (element) => (typeof element === "string" ? element : undefined))
  })
]

/** Ids of types as a definition of a schema vertex stores them. */
export const longArray = (values: readonly number[]): StoredArray =>
  new StoredArray(
    "long",
    values.map((value) => BigInt(value))
  )
