import { expect, it } from "vitest"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { readShape, writeShape } from "../../../../src/storage/janusgraph/format/Geoshapes.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../../../src/structure/geoshapes/WellKnownText.ts"
import { bytesOfHex, janusGraphShapes } from "../../../fixtures/JanusGraphShapes.ts"

const storedForm = (shape: Geoshape): string => {
  const writer = new ByteWriter()
  writeShape(writer, shape)
  const bytes = writer.copy()
  // The length of a shape has one byte below 128, and two bytes up to 16,383.
  return bytes.subarray(bytes[0]! > 127 ? 1 : 2).toString("hex")
}

it("A shape has the bytes that JanusGraph stores, and they are read as the shape", () => {
  for (const { stored, text } of janusGraphShapes()) {
    if (text === "POLYGON EMPTY" || text.startsWith("BUFFER (POINT (20 10), 0.0")) continue
    const shape = Geoshape.of(shapeOfText(text))
    expect(storedForm(shape), text).toBe(stored)
    expect(readShape(bytesOfHex(stored)), text).toEqual(shape)
  }
})

it("Bytes of an unknown form are kept", () => {
  for (const hex of [
    "01017ff80000000000007ff8000000000000",
    "0000000063",
    "0009",
    "",
    "000000000200ffffff",
    "0104000000000109"
  ]) {
    const shape = readShape(bytesOfHex(hex))
    expect(shape.shape.kind).toBe("other")
    expect(storedForm(shape)).toBe(hex)
  }
})
