import { arrayTypes } from "./ArrayAttributes.ts"
import { type Attribute, plainAttribute } from "./Attribute.ts"
import type { ByteReader } from "./ByteReader.ts"
import type { ByteWriter } from "./ByteWriter.ts"
import { enumTypes } from "./EnumAttributes.ts"
import { extensionTypes } from "./ExtensionAttributes.ts"
import { JavaClass, JavaEnum, Parameter, TransactionId, TypeDescription } from "./JavaValues.ts"
import {
  booleanType,
  byteType,
  characterType,
  dateType,
  doubleType,
  durationType,
  floatType,
  geoshapeType,
  instantType,
  integerType,
  jsonArrayType,
  jsonObjectType,
  longType,
  shortType,
  stringType,
  uuidType
} from "./ScalarAttributes.ts"
import { orderedInt32 } from "./ScalarForms.ts"
import { readString, writeString } from "./Strings.ts"

/** The registry of the data types of the format, and the encoding of values that are stored with their type. */

const byNumber = new Map<number, Attribute>()
const byName = new Map<string, Attribute>()

const register = (type: Attribute): void => {
  byNumber.set(type.number, type)
  byName.set(type.name, type)
}

/** Writes a value after the number of its type; null is the number 0. Throws for a value of an unknown type. */
export const writeAny = (writer: ByteWriter, value: unknown): void => {
  if (value === null || value === undefined) {
    writer.varint(0)
    return
  }
  const type = attributeOf(value)
  if (type === undefined) throw new Error("A value of this type cannot be stored")
  writer.varint(type.number)
  type.write(writer, value)
}

/** Reads what {@link writeAny} writes. */
export const readAny = (reader: ByteReader): unknown => {
  const number = reader.count()
  return number === 0 ? null : attributeByNumber(number).read(reader)
}

/** The type with this number. An unknown type throws when a value of it is read or written. */
export const attributeByNumber = (number: number): Attribute => {
  const type = byNumber.get(number)
  if (type !== undefined) return type
  const refuse = (): never => {
    throw new Error(
      number === 67 || number === 68
        ? "A value was written by Java serialization, which only a Java program can read"
        : `A value has the type number ${number}, which belongs to a custom serializer of JanusGraph`
    )
  }
  return plainAttribute(number, `type number ${number}`, { read: refuse, write: refuse }, () => false)
}

/** The type with a simple name such as `Integer`; undefined for an unknown name. */
export const attributeByName = (name: string): Attribute | undefined => byName.get(name)

/** The type of a value; undefined for one that cannot be stored. */
export const attributeOf = (value: unknown): Attribute | undefined => {
  switch (typeof value) {
    case "string":
      return stringType
    case "number":
      return integerType.is(value) ? integerType : doubleType
    case "bigint":
      return BigInt.asIntN(64, value) === value ? longType : undefined
    case "boolean":
      return booleanType
    default:
      if (value instanceof JavaEnum) return enumTypes.get(value.type)
      return objectTypes.find((type) => type.is(value))
  }
}

/** The type of values that are stored with their type, as those of a property key of the type Object are. */
export const objectType: Attribute = {
  ...plainAttribute(
    1,
    "Object",
    { read: readAny, write: writeAny },
    (value) => value !== null && attributeOf(value) !== undefined
  ),
  ownsNull: true
}

const className = (type: Attribute): JavaClass => new JavaClass(type.name)
const numberOf = (value: unknown): number => {
  const { attribute } = value as JavaClass
  return byName.get(attribute)?.number ?? Number(attribute.replace("type number ", ""))
}

const classType = plainAttribute(
  60,
  "Class",
  {
    read: (reader) => {
      const number = reader.count()
      return number === 0 ? null : className(attributeByNumber(number))
    },
    write: (writer, value) => writer.varint(value === null ? 0 : numberOf(value))
  },
  (value) => value instanceof JavaClass,
  {
    ownsNull: true,
    ordered: {
      read: (reader) => className(attributeByNumber(orderedInt32.read(reader) as number)),
      write: (writer, value) => orderedInt32.write(writer, numberOf(value))
    }
  }
)

const parameterType = plainAttribute(
  61,
  "Parameter",
  {
    read: (reader) => {
      const key = readString(reader) ?? ""
      return new Parameter(key, readAny(reader))
    },
    write: (writer, value) => {
      const parameter = value as Parameter
      writeString(writer, parameter.key)
      writeAny(writer, parameter.value)
    }
  },
  (value) => value instanceof Parameter
)

const isParameters = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each) => each instanceof Parameter)

const parametersType = plainAttribute(
  62,
  "Parameter[]",
  {
    read: (reader) => {
      const length = reader.count() - 1
      return length < 0 ? null : Array.from({ length }, () => parameterType.read(reader))
    },
    write: (writer, value) => {
      const parameters = value as ReadonlyArray<Parameter> | null
      writer.varint(parameters === null ? 0 : parameters.length + 1)
      for (const parameter of parameters ?? []) parameterType.write(writer, parameter)
    }
  },
  isParameters,
  { ownsNull: true }
)

/** The type of a {@link TypeDescription}. */
export const descriptionType = plainAttribute(
  63,
  "TypeDefinitionDescription",
  {
    read: (reader) => {
      const category = enumTypes.get("TypeDefinitionCategory")!.read(reader) as JavaEnum
      return new TypeDescription(category.name, readAny(reader))
    },
    write: (writer, value) => {
      const { category, modifier } = value as TypeDescription
      enumTypes.get("TypeDefinitionCategory")!.write(writer, new JavaEnum("TypeDefinitionCategory", category))
      writeAny(writer, modifier)
    }
  },
  (value) => value instanceof TypeDescription
)

const transactionIdType = plainAttribute(
  66,
  "TransactionId",
  {
    read: (reader) => {
      const instance = readString(reader) ?? ""
      const transaction = longType.read(reader) as bigint
      return new TransactionId(instance, transaction, instantType.read(reader))
    },
    write: (writer, value) => {
      const { instance, transaction, begin } = value as TransactionId
      writeString(writer, instance)
      longType.write(writer, transaction)
      instantType.write(writer, begin)
    }
  },
  (value) => value instanceof TransactionId
)

/** The types whose values are JavaScript objects, the most frequent ones first. */
const objectTypes: ReadonlyArray<Attribute> = [
  doubleType,
  floatType,
  uuidType,
  dateType,
  byteType,
  shortType,
  characterType,
  geoshapeType,
  instantType,
  durationType,
  ...arrayTypes,
  jsonObjectType,
  jsonArrayType,
  classType,
  parameterType,
  parametersType,
  descriptionType,
  transactionIdType,
  ...extensionTypes({
    read: readAny,
    write: writeAny,
    accepts: (value) => attributeOf(value) !== undefined
  })
]

for (const type of [
  integerType,
  longType,
  booleanType,
  stringType,
  objectType,
  ...objectTypes,
  ...enumTypes.values()
]) {
  register(type)
}
