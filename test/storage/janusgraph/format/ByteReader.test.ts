import { describe, expect, it } from "vitest"
import { ByteReader } from "../../../../src/storage/janusgraph/format/ByteReader.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"

const CUT = /ends in the middle/

const written = (write: (writer: ByteWriter) => void): Uint8Array => {
  const writer = new ByteWriter()
  write(writer)
  return writer.copy()
}

/** A reader of the first `length` bytes. Bytes of another row follow, which complete every number and text. */
const readerOf = (bytes: Uint8Array, length: number): ByteReader =>
  new ByteReader(Buffer.concat([bytes.subarray(0, length), Buffer.alloc(16, 0xff)]), 0, length)

describe("A reader of a cell that is cut off", () => {
  const numbers = [0, 127, 128, 2 ** 21, 2 ** 28 - 1, 2 ** 28, 2 ** 49 - 1, 2n ** 60n]

  it.each(numbers)("does not read the number %s from the cell that follows", (number) => {
    const bytes = written((writer) => writer.varint(number))
    expect(readerOf(bytes, bytes.length).varint()).toBe(number)
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readerOf(bytes, length).varint()).toThrow(CUT)
    }
  })

  it("does not read the first byte of a column from the cell that follows", () => {
    for (const number of [1, 200, 2 ** 34]) {
      const bytes = written((writer) => writer.prefixed(2, number))
      expect(readerOf(bytes, bytes.length).prefixed()).toBe(number)
      for (let length = 0; length < bytes.length; length++) {
        expect(() => readerOf(bytes, length).prefixed()).toThrow(CUT)
      }
    }
  })

  it("does not read a text from the cell that follows", () => {
    for (const text of ["a", "abcd", "abcdefg", "a text of more than sixteen characters"]) {
      const bytes = written((writer) => writer.markedText(text))
      expect(readerOf(bytes, bytes.length).markedText()).toBe(text)
      for (let length = 0; length < bytes.length; length++) {
        expect(() => readerOf(bytes, length).markedText()).toThrow(CUT)
      }
    }
  })
})
