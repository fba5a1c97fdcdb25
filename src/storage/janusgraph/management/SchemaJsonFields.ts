import { UnsupportedValue } from "../../../structure/errors/StoreErrors.ts"
import { Byte, double, Float, Short } from "../../../structure/numbers/Numbers.ts"
import { mappingNames } from "../format/EnumAttributes.ts"
import { Parameter } from "../format/JavaValues.ts"
import { MAPPING } from "../schema/DocumentFields.ts"
import type { FieldOptions } from "./IndexDefinition.ts"
import type { Entry } from "./SchemaJsonText.ts"

// The keys of indexes in a schema in JSON, with their parameters. All errors are UnsupportedValue.

/** A key of an index in the document. */
interface JsonField {
  /** The name of the property key, which is not checked. */
  readonly propertyKey: unknown
  readonly options: FieldOptions
}

/** Reads the members of the list `keys` of an index. */
export const fieldsOf = (keys: ReadonlyArray<unknown>): ReadonlyArray<JsonField> =>
  keys.map((each, at) => {
    const place = `keys[${at}]`
    const { parameters, propertyKey } = entryOf(each, place, ["propertyKey", "parameters"])
    if (!Array.isArray(parameters ?? [])) throw new UnsupportedValue(`parameters of ${place} must be a list.`)
    const given = ((parameters ?? []) as ReadonlyArray<unknown>).map((parameter, position) =>
      parameterOf(entryOf(parameter, `parameters[${position}] of ${place}`, ["key", "value", "parser"]))
    )
    const mapping = given.findLast(({ key }) => key === MAPPING)
    const others = given.filter(({ key }) => key !== MAPPING)
    return { propertyKey, options: { mapping: String(mapping?.value ?? "DEFAULT"), parameters: others } }
  })

const entryOf = (value: unknown, place: string, members: ReadonlyArray<string>): Entry => {
  if (typeof value !== "object" || value === null) throw new UnsupportedValue(`${place} must be an object.`)
  const unknown = Object.keys(value).find((name) => !members.includes(name))
  if (unknown !== undefined) throw new UnsupportedValue(`${place} has the unknown member ${unknown}.`)
  return value as Entry
}

const parameterOf = ({ key, parser, value }: Entry): Parameter => {
  if (typeof key !== "string") throw new UnsupportedValue(`A parameter needs a key, not ${JSON.stringify(key)}.`)
  if (typeof value === "object" || value === undefined) {
    throw new UnsupportedValue(`The parameter ${key} needs a value that is a text, not ${JSON.stringify(value)}.`)
  }
  const name = parserOf(parser)
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !fractions.has(name)) {
    throw new UnsupportedValue(
      `The parameter ${key} has a whole number of more than 53 bits, which JSON does not keep exactly: write it as a text, in quotes.`
    )
  }
  const text = String(value)
  if (key === MAPPING) {
    const mapping = text.slice(text.lastIndexOf(".") + 1).toUpperCase()
    if (mappingNames.has(mapping)) return new Parameter(key, mapping)
    throw new UnsupportedValue(`${text} is not a Mapping.`)
  }
  const parsed = parsers[name]!(text)
  if (parsed !== undefined) return new Parameter(key, parsed)
  throw new UnsupportedValue(
    name === "enum"
      ? `The parser enum is for the parameter ${MAPPING} only, and not for ${key}.`
      : `The parser ${name} does not take the value ${JSON.stringify(text)} of the parameter ${key}.`
  )
}

/** JanusGraph's name of a parser. It accepts the full names of its own classes, too. */
const parserOf = (given: unknown): string => {
  if (given === undefined || given === null || given === "") return "string"
  const [, own] =
    /^org\.janusgraph\.core\.schema\.json\.parser\.([A-Z][a-z]+)JsonParameterParser$/.exec(String(given)) ?? []
  const name = own?.toLowerCase() ?? String(given)
  if (Object.hasOwn(parsers, name)) return name
  throw new UnsupportedValue(
    `The parser ${JSON.stringify(given)} of a parameter is unknown: use one of ${Object.keys(parsers).join(", ")}. ` +
      "Classes of programs cannot be loaded."
  )
}

/** What parsers make of a text; undefined for a text that they do not take. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  string: (text) => text,
  enum: () => undefined,
  boolean: (text) => text.toLowerCase() === "true",
  byte: (text) => wholeNumber(text, 8, (value) => new Byte(Number(value))),
  short: (text) => wholeNumber(text, 16, (value) => new Short(Number(value))),
  integer: (text) => wholeNumber(text, 32, Number),
  long: (text) => wholeNumber(text, 64, (value) => value),
  float: (text) => fraction(text, (value) => new Float(value)),
  double: (text) => fraction(text, double)
}

/** Parsers of numbers that need not be exact. */
const fractions: ReadonlySet<string> = new Set(["float", "double"])

const wholeNumber = (text: string, bits: number, make: (value: bigint) => unknown): unknown => {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined
  const value = BigInt(text.replace("+", ""))
  return BigInt.asIntN(bits, value) === value ? make(value) : undefined
}

const fraction = (text: string, make: (value: number) => unknown): unknown =>
  /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? make(Number(text)) : undefined
