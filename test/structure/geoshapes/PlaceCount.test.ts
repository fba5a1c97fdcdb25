import { describe, expect, it } from "vitest"
import { GraphBinaryReader } from "../../../src/protocol/graphbinary/GraphBinaryReader.ts"
import { janusGraphSerializers } from "../../../src/protocol/Serializers.ts"
import { GremlinMap } from "../../../src/structure/collections/Collections.ts"
import { shapeOfGeometry } from "../../../src/structure/geoshapes/Geometries.ts"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import type { Shape } from "../../../src/structure/geoshapes/Shape.ts"
import { shapeOfText, shapeText } from "../../../src/structure/geoshapes/WellKnownText.ts"

const tooMany = "a shape has at most 100000 places, not 100001"

/** A multipoint, or several lines without a place. */
const points = (count: number): Geoshape =>
  new Geoshape({ kind: "multipoint", points: Array.from({ length: count }, () => [1, 2] as const) })
const emptyLines = (count: number): Shape => ({ kind: "multiline", lines: Array.from({ length: count }, () => []) })

const geometry = (type: string, coordinates: unknown): GremlinMap =>
  new GremlinMap([
    ["type", type],
    ["coordinates", coordinates]
  ])

describe("The places of a shape are counted while it is read", () => {
  it("in GraphBinary, before the places of a line", () => {
    const read = (value: Geoshape): GraphBinaryReader => {
      const reader = new GraphBinaryReader(janusGraphSerializers["graphbinary-v1"].writeValue(value), 0)
      expect((reader.value() as Geoshape).places).toBe(value.places)
      return reader
    }
    const { input } = read(points(100_000))
    expect(input.heldBytes).toBeGreaterThan(input.bytes.length + 5_000_000)
    expect(() => read(points(100_001))).toThrow(tooMany)
    expect(() => read(new Geoshape(emptyLines(100_001)))).toThrow(tooMany)
    const bytes = janusGraphSerializers["graphbinary-v1"].writeValue(points(650_000))
    const reader = new GraphBinaryReader(bytes, 0)
    expect(() => reader.value()).toThrow("not 650000")
    expect(reader.input.position).toBeLessThan(100)
  })

  it("in GeoJSON", () => {
    const places = Array.from({ length: 100_001 }, () => [1, 2])
    expect(shapeOfGeometry(geometry("MultiPoint", places.slice(1))).places).toBe(100_000)
    // The last place is not looked at.
    expect(() => shapeOfGeometry(geometry("MultiPoint", [...places.slice(1), "x"]))).toThrow(tooMany)
    const none = places.map(() => [])
    expect(() => shapeOfGeometry(geometry("MultiPolygon", none))).toThrow(tooMany)
  })

  it("in well-known text", () => {
    expect(shapeOfText(shapeText(points(100_000).shape))).toHaveProperty("kind", "multipoint")
    expect(() => shapeOfText(`${shapeText(points(100_001).shape)} x`)).toThrow(tooMany)
    expect(() => shapeOfText(shapeText(emptyLines(100_001)))).toThrow(tooMany)
    expect(() => shapeOfText(`ENVELOPE (${"1,".repeat(200_001)}1)`)).toThrow(tooMany)
    expect(() => shapeOfText(`POINT (${"1 ".repeat(5)})`)).toThrow("needs ')' at character 16")
  })
})
