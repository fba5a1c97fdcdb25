import { describe, expect, it } from "vitest"
import { CellPacker, type Cells } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { ByteWriter } from "../../../../src/storage/janusgraph/format/ByteWriter.ts"
import { prefixes } from "../../../../src/storage/janusgraph/format/RelationTypes.ts"
import { VertexRow } from "../../../../src/storage/janusgraph/rows/Row.ts"
import { emptyRow } from "../../../../src/storage/janusgraph/rows/RowLoader.ts"

/** Cells with these prefixes and type numbers, one cell each. */
const cellsOf = (...headers: ReadonlyArray<readonly [prefix: number, number: number]>): Cells => {
  const packer = new CellPacker()
  for (const [prefix, number] of headers) {
    const writer = new ByteWriter()
    writer.prefixed(prefix, number)
    packer.add(writer.copy(), Buffer.from([number]))
  }
  return packer.take()
}

const groupsOf = (row: ReturnType<typeof emptyRow>) => row.groups.map(({ prefix, count }) => [prefix, count])

describe("A row that is read in parts", () => {
  const { edge, property } = prefixes
  const properties = cellsOf([property, 2], [property, 4], [property, 6])
  const edges = cellsOf([edge, 2], [edge, 4])

  it("finds the groups of its properties before the others are split, and after", () => {
    const row = emptyRow(8)
    row.complete = false
    row.addProperties(properties)
    const [first, second] = [row.find(keyOf(property, 2)), row.find(keyOf(property, 4))]
    expect([first?.start, second?.start]).toEqual([properties.start, first?.end])
    expect(row.find(keyOf(property, 4))).toBe(second)
    expect(row.find(keyOf(edge, 2))).toBeUndefined()
    expect(row.groups).toHaveLength(3)
    expect(row.groups[1]).toBe(second)
  })

  it("has the same groups in whichever order its properties and edges come", () => {
    const [first, last] = [emptyRow(8), emptyRow(8)]
    first.addProperties(properties)
    first.addEdges(edges)
    last.addEdges(edges)
    last.addProperties(properties)
    expect(groupsOf(first)).toEqual(groupsOf(last))
    expect(groupsOf(first).map(([prefix]) => prefix)).toEqual([property, property, property, edge, edge])
  })

  it("finds each of very many groups, also those that are read separately", () => {
    const numbers = Array.from({ length: 100 }, (_, at) => at * 2)
    const first = cellsOf(...numbers.slice(0, 60).map((number) => [property, number] as const))
    const row = new VertexRow(8, first, false, null)
    expect(row.find(keyOf(property, 118))?.key).toBe(keyOf(property, 118))
    for (const number of numbers.slice(59)) {
      const key = keyOf(property, number)
      const header = { key, bytes: Buffer.of(0), end: Buffer.of(1) }
      expect(row.knows(header)).toBe(false)
      // The first page has a part of the first of these groups.
      row.addGroup(header, [cellsOf([property, number]), cellsOf([property, number])])
      expect(row.knows(header)).toBe(true)
      expect(row.find(key)?.next?.key).toBe(key)
    }
    for (const number of numbers) expect(row.find(keyOf(property, number))?.key).toBe(keyOf(property, number))
    expect(row.find(keyOf(property, 300))).toBeUndefined()
    expect(row.groups).toHaveLength(100)
    row.addEdges(edges)
    expect(row.find(keyOf(edge, 4))?.count).toBe(1)
  })

  it("ignores properties that come twice", () => {
    const row = emptyRow(8)
    row.addProperties(properties)
    row.addProperties(properties)
    expect(row.groups).toHaveLength(3)
  })
})

const keyOf = (prefix: number, number: number): number => {
  const row = emptyRow(8)
  row.addProperties(cellsOf([prefix, number]))
  return row.groups[0]!.key
}
