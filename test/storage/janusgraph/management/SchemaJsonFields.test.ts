import { expect, it } from "vitest"
import { fieldsOf } from "../../../../src/storage/janusgraph/management/SchemaJsonFields.ts"
import { Byte, double, Float, Short } from "../../../../src/structure/numbers/Numbers.ts"

const parsedOf = (parser: string | null, value: unknown) =>
  fieldsOf([{ propertyKey: "k", parameters: [{ key: "p", value, parser }] }])[0]!.options.parameters[0]!.value

it.each<readonly [string | null, unknown, unknown]>([
  [null, "18", "18"],
  ["string", true, "true"],
  ["boolean", "TRUE", true],
  ["boolean", "yes", false],
  ["byte", "-128", new Byte(-128)],
  ["short", "18", new Short(18)],
  ["integer", "+18", 18],
  ["long", "18", 18n],
  ["float", "0.5", new Float(0.5)],
  ["double", "1e2", double(100)],
  ["org.janusgraph.core.schema.json.parser.LongJsonParameterParser", "7", 7n]
])("The parser %s makes of the value %j a value of Java's type", (parser, value, parsed) => {
  expect(parsedOf(parser, value)).toStrictEqual(parsed)
})

it("The mapping of a field is a name with or without its class, in upper or lower case", () => {
  for (const value of ["STRING", "string", "Mapping.STRING", "org.janusgraph.core.schema.Mapping.STRING"]) {
    expect(fieldsOf([{ propertyKey: "k", parameters: [{ key: "mapping", value }] }])[0]!.options.mapping).toBe("STRING")
  }
  expect(fieldsOf([{ propertyKey: "k" }])[0]!.options).toEqual({ mapping: "DEFAULT", parameters: [] })
})

it("A whole number that JSON does not keep exactly must be a text", () => {
  for (const parser of ["long", "string", null]) {
    for (const value of [2 ** 53, -(2 ** 53)]) expect(() => parsedOf(parser, value)).toThrow("write it as a text")
  }
  expect(parsedOf("long", 2 ** 53 - 1)).toBe(2n ** 53n - 1n)
  expect(parsedOf("long", "9007199254740993")).toBe(9007199254740993n)
  expect(parsedOf("double", 1e300)).toStrictEqual(double(1e300))
})
