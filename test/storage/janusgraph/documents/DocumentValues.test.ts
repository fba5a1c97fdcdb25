import { describe, expect, it } from "vitest"
import {
  assertInDocuments,
  documentJson,
  valueJson
} from "../../../../src/storage/janusgraph/documents/DocumentValues.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { DocumentField } from "../../../../src/storage/janusgraph/schema/Schema.ts"
import { UnsupportedValue } from "../../../../src/structure/errors/StoreErrors.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { double, Float } from "../../../../src/structure/numbers/Numbers.ts"
import { Temporal, Timestamp } from "../../../../src/structure/times/Temporal.ts"

const fieldOf = (type: string, more: Partial<DocumentField> = {}, cardinality = "SINGLE"): DocumentField =>
  ({
    key: { name: "k", dataType: dataTypeOf(type), cardinality },
    name: "k",
    wholeName: undefined,
    hasWords: type === "String",
    mapping: "DEFAULT",
    ...more
  }) as unknown as DocumentField

const whole = fieldOf("String", { hasWords: false, mapping: "STRING" })

/** Values that an engine does not take, with their fields. */
const refused: ReadonlyArray<readonly [what: string, field: DocumentField, value: unknown]> = [
  ["NaN", fieldOf("Double"), double(Number.NaN)],
  ["an infinite number", fieldOf("Float"), new Float(Number.POSITIVE_INFINITY)],
  ["a year of five digits", fieldOf("Date"), new Timestamp(Date.parse("+010000-01-01T00:00:00Z"))],
  ["a year before 0", fieldOf("Instant"), new Temporal("Instant", "-0001-12-31T23:59:59Z")],
  ["a shape in a field of points", fieldOf("Geoshape"), Geoshape.circle(1, 2, 3)],
  ["a whole text of too many bytes", whole, "ü".repeat(16_384)],
  ["half of a surrogate pair", fieldOf("String"), "\ud800"],
  ["a value of a type that no document has", fieldOf("Duration"), { seconds: 1 }]
]

describe("A document", () => {
  it("is refused for a value that the engine does not take, as is the value before it is stored", () => {
    for (const [what, field, value] of refused) {
      expect(valueJson(field, value), what).toBeUndefined()
      expect(() => documentJson({ store: "s", fields: [field] }, () => [value]), what).toThrow(UnsupportedValue)
      expect(() => documentJson({ store: "s", fields: [field] }, () => [value]), what).toThrow("the key k")
      expect(() => assertInDocuments("people", field, value), what).toThrow(
        "the mixed index people takes no such value"
      )
    }
  })

  it("has the largest values that the engine takes", () => {
    expect(valueJson(whole, "a".repeat(32_766))).toHaveLength(32_768)
    expect(valueJson(fieldOf("String"), "ü".repeat(16_384))).toHaveLength(16_386)
    expect(valueJson(fieldOf("Date"), new Timestamp(Date.parse("9999-12-31T23:59:59.999Z")))).toBe(
      '"9999-12-31T23:59:59.999+00:00"'
    )
    expect(valueJson(fieldOf("Long"), 9_223_372_036_854_775_807n)).toBe("9223372036854775807")
    expect(valueJson(fieldOf("Double"), double(2))).toBe("2.0")
  })

  it("is refused as a whole if one value of a list has no place in it", () => {
    const field = fieldOf("Double", {}, "LIST")
    expect(documentJson({ store: "s", fields: [field] }, () => [double(1), double(2)])).toBe('{"k":[1.0,2.0]}')
    expect(() => documentJson({ store: "s", fields: [field] }, () => [double(1), double(Number.NaN)])).toThrow(
      UnsupportedValue
    )
  })

  it("does not exist without a value", () => {
    expect(documentJson({ store: "s", fields: [fieldOf("Double")] }, () => [])).toBeUndefined()
  })
})
