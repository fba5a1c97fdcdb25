import { expect, it } from "vitest"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { readShape, readStoredShape, writeShape } from "../../../../src/storage/janusgraph/format/Geoshapes.ts"
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

it("A point of Titan or JanusGraph 0.1 is read, and what follows it", () => {
  // The count 1, and 47.5 and 7.25 as floats.
  const reader = new ByteReader(Buffer.from("81423e000040e8000085", "hex"))
  expect(readStoredShape(reader)).toEqual(Geoshape.point(47.5, 7.25))
  expect([reader.count(), reader.more]).toEqual([5, false])
})

it("A length of one byte before bytes that are no place is that of an unknown shape", () => {
  for (const hex of ["8109", "8109ffffffffffffffff", "8142fe000040e80000"]) {
    const reader = new ByteReader(Buffer.from(hex, "hex"))
    expect(readStoredShape(reader).shape).toEqual({
      kind: "other",
      bytes: Uint8Array.from(bytesOfHex(hex.slice(2, 4)))
    })
    expect(reader.at).toBe(2)
  }
})
