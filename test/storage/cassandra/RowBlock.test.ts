import type { types } from "cassandra-driver"
import { describe, expect, it } from "vitest"
import { blockOf, packed, type RowBlock } from "../../../src/storage/cassandra/RowBlock.ts"
import { pagesOfGroup, type SliceGroup } from "../../../src/storage/cassandra/SliceGroups.ts"
import { CellPacker } from "../../../src/storage/janusgraph/cells/Cells.ts"

const key = Buffer.from("key")

const block = (value: string): RowBlock => {
  const row = { key, column1: Buffer.from("column"), value: Buffer.from(value) }
  return blockOf([row as unknown as types.Row], true, undefined)
}

/** The same block, whose answer says that it has one more row. */
const cutShort = (whole: RowBlock): RowBlock => ({ ...whole, count: whole.count + 1 })

const group: SliceGroup = {
  query: { table: "edgestore", key, start: undefined, end: undefined },
  keys: [key],
  positions: [0]
}

describe("An answer of Cassandra that ends too early", () => {
  it("leaves no cells for the next answer", () => {
    const packer = new CellPacker()
    const expected = pagesOfGroup(group, [block("right")], new CellPacker())[0]!.cells.bytes
    expect(() => pagesOfGroup(group, [cutShort(block("wrong"))], packer)).toThrow(RangeError)
    expect(pagesOfGroup(group, [block("right")], packer)[0]!.cells.bytes).toEqual(expected)
    const row = blockOf([{ column1: key, value: key } as unknown as types.Row], false, undefined)
    const alone = packed(new CellPacker(), row).bytes
    expect(() => packed(packer, cutShort(row))).toThrow(RangeError)
    expect(packed(packer, row).bytes).toEqual(alone)
  })
})
