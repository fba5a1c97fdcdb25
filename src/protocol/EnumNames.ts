import { beginning } from "../structure/errors/TaggedError.ts"
import { type EnumName, type EnumValue, enumValue } from "../structure/scalars/Enums.ts"
import { ProtocolError } from "./ProtocolError.ts"

/** Names of drivers before TinkerPop 3.4, and the aliases of the language. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["Order.incr", "asc"],
  ["Order.decr", "desc"],
  ["Direction.from", "OUT"],
  ["Direction.to", "IN"]
])

/**
 * The constant with this name. Ignores a trailing underscore, the case of a Direction and the underscores of a GType. Fails with
 * ProtocolError.
 */
export const readEnum = (enumName: EnumName, name: string): EnumValue => {
  if (name.length > LONGEST_NAME_CHARS) throw unknown(enumName, name)
  const found = enumValue(enumName, name) ?? enumValue(enumName, otherSpelling(enumName, name))
  if (found === undefined) throw unknown(enumName, name)
  return found
}

/** Characters of a name that is looked up, and that an error quotes. All names are shorter. */
const LONGEST_NAME_CHARS = 200

const unknown = (enumName: EnumName, name: string): ProtocolError =>
  new ProtocolError(`${enumName} has no constant named '${beginning(name, LONGEST_NAME_CHARS)}'.`)

const otherSpelling = (enumName: EnumName, name: string): string => {
  const plain = name.replace(/_+$/, "")
  if (enumName === "GType") return plain.replaceAll("_", "").toUpperCase()
  return aliases.get(`${enumName}.${plain}`) ?? (enumName === "Direction" ? plain.toUpperCase() : plain)
}
