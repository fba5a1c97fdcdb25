import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { GraphBinaryReader } from "../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { GraphSONReader } from "../../src/protocol/graphson/GraphSONReader.ts"
import { serializers } from "../../src/protocol/Serializers.ts"
import { values, valuesOfV1, valuesOfV2 } from "./Arbitraries.ts"
import { shape } from "./Shape.ts"

const readJson = (json: string, classes = false): unknown => {
  const reader = new GraphSONReader(json, { classes, integers: "Int" })
  const value = reader.value()
  reader.json.end()
  return value
}

const readBinary = (bytes: Buffer): unknown => {
  const reader = new GraphBinaryReader(bytes, 0)
  const value = reader.value()
  expect(reader.input.left).toBe(0)
  return value
}

const check = (arbitrary: fc.Arbitrary<unknown>, again: (value: unknown) => unknown): void =>
  fc.assert(
    fc.property(arbitrary, (value) => {
      expect(shape(again(value))).toEqual(shape(value))
    }),
    { numRuns: 300 }
  )

describe("A value is equal after it was written and read", () => {
  it("in GraphBinary", () => {
    check(values, (value) => readBinary(serializers.graphBinaryV1.writeValue(value)))
  })
  it("in GraphSON 3", () => {
    check(values, (value) => readJson(serializers.graphSONV3.writeValue(value)))
  })
  it("in GraphSON 2", () => {
    check(valuesOfV2, (value) => readJson(serializers.graphSONV2.writeValue(value)))
  })
  it("in GraphSON 1", () => {
    check(valuesOfV1, (value) => readJson(serializers.graphSONV1.writeValue(value), true))
  })
  it("in GraphSON 3 with unpaired surrogates, which UTF-8 cannot encode", () => {
    check(fc.string16bits(), (value) => {
      const bytes = Buffer.from(serializers.graphSONV3.writeValue(value))
      return readJson(bytes.toString("utf8"))
    })
  })
})

describe("A format without types", () => {
  it("is JSON for every value", () => {
    fc.assert(
      fc.property(values, (value) => {
        for (const name of ["graphSONV1Untyped", "graphSONV2Untyped", "graphSONV3Untyped", "graphSONV1"] as const) {
          JSON.parse(serializers[name].writeValue(value))
        }
      })
    )
  })
})
