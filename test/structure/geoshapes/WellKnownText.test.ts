import { expect, it } from "vitest"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import { shapeOfText, shapeText } from "../../../src/structure/geoshapes/WellKnownText.ts"
import { janusGraphShapes, refusedTexts } from "../../fixtures/JanusGraphShapes.ts"

it("A shape is equal after it was written as well-known text and read again", () => {
  for (const { text } of janusGraphShapes()) {
    const { shape } = Geoshape.of(shapeOfText(text))
    expect(shapeOfText(shapeText(shape)), text).toEqual(shape)
  }
})

it("A text that JanusGraph refuses is refused", () => {
  const refused = refusedTexts()
  expect(refused.length).toBeGreaterThan(15)
  for (const text of refused) expect(() => Geoshape.of(shapeOfText(text)), text).toThrow(RangeError)
})

it("An error names the position of what cannot be read", () => {
  expect(() => shapeOfText("POINT (1, 2)")).toThrow("well-known text needs a number at character 9")
  expect(() => shapeOfText("POINT EMPTY")).toThrow(
    "well-known text needs a longitude and a latitude, which POINT EMPTY does not have, at character 7"
  )
  expect(() => shapeOfText("POINT (1 2) x")).toThrow("needs the end of the text at character 13")
  expect(() => shapeOfText("BUFFER (LINESTRING (1 2, 3 4), 1)")).toThrow("buffers around other shapes are not computed")
  expect(() => shapeOfText("GEOMETRYCOLLECTION (".repeat(10_000))).toThrow("at most 16 collections")
})
