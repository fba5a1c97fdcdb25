import { type EnumName, type EnumValue, enumValue } from "../structure/Enums.ts"
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
  const found = enumValue(enumName, name) ?? enumValue(enumName, otherSpelling(enumName, name))
  if (found === undefined) throw new ProtocolError(`${enumName} has no constant named '${name}'.`)
  return found
}

const otherSpelling = (enumName: EnumName, name: string): string => {
  const plain = name.replace(/_+$/, "")
  if (enumName === "GType") return plain.replaceAll("_", "").toUpperCase()
  return aliases.get(`${enumName}.${plain}`) ?? (enumName === "Direction" ? plain.toUpperCase() : plain)
}
