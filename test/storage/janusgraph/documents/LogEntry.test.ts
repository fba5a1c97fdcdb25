import { describe, expect, it } from "vitest"
import { isLogRow, logPrefix } from "../../../../src/storage/janusgraph/documents/LogEntry.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"

/** The beginning of the key of a row of an index. */
const rowOf = (index: number): Uint8Array => {
  const writer = new ByteWriter(8)
  writer.varint(index)
  return writer.copy()
}

describe("The rows of the log of documents", () => {
  it("begin with the number 0, which no index has", () => {
    expect(logPrefix()).toEqual(Buffer.from(rowOf(0)))
    expect(isLogRow(rowOf(0))).toBe(true)
    for (const index of [1, 5, 127, 128, 517, 16_384, 2 ** 40]) expect(isLogRow(rowOf(index))).toBe(false)
  })
})
