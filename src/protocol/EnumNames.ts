import { type EnumName, type EnumValue, enumValue } from "../structure/Enums.ts"
import { beginning } from "../structure/StoreErrors.ts"
import { ProtocolError } from "./ProtocolError.ts"

/** Spellings of drivers before TinkerPop 3.4, and the aliases that the language itself has. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["Order.incr", "asc"],
  ["Order.decr", "desc"],
  ["Direction.from", "OUT"],
  ["Direction.to", "IN"]
])

/** The constant with this name; tolerant of a trailing underscore, case of Direction and word breaks of GType. */
export const readEnum = (enumName: EnumName, name: string): EnumValue => {
  if (name.length > LONGEST_NAME) throw unknown(enumName, name)
  const found = enumValue(enumName, name) ?? enumValue(enumName, otherSpelling(enumName, name))
  if (found === undefined) throw unknown(enumName, name)
  return found
}

/** No constant has a name of so many characters. */
const LONGEST_NAME = 200

const unknown = (enumName: EnumName, name: string): ProtocolError =>
  new ProtocolError(`${enumName} has no constant named '${beginning(name, LONGEST_NAME)}'.`)

const otherSpelling = (enumName: EnumName, name: string): string => {
  const plain = name.replace(/_+$/, "")
  if (enumName === "GType") return plain.replaceAll("_", "").toUpperCase()
  return aliases.get(`${enumName}.${plain}`) ?? (enumName === "Direction" ? plain.toUpperCase() : plain)
}
