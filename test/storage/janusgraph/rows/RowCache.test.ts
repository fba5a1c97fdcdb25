import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { CellPacker } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import { Slab } from "../../../../src/storage/janusgraph/cells/Slab.ts"
import type { VertexId } from "../../../../src/storage/janusgraph/format/Ids.ts"
import { VertexRow } from "../../../../src/storage/janusgraph/rows/Row.ts"
import { RowCache } from "../../../../src/storage/janusgraph/rows/RowCache.ts"
import { FetchedRows } from "../../../../src/storage/janusgraph/rows/RowSource.ts"
import { RowTable } from "../../../../src/storage/janusgraph/rows/RowTable.ts"

/** The columns of a property, of two edges with the same label, and of an edge with another label. */
const columns = [
  [0x42, 1],
  [0x62, 5],
  [0x62, 6],
  [0x64, 5]
]

/** A row with these columns, whose bytes are in the slab. */
const rowIn = (slab: Slab, id: VertexId): VertexRow => {
  const packer = new CellPacker()
  for (const column of columns) packer.add(Uint8Array.from(column), Uint8Array.from([7, 7]))
  const { bytes, start, end } = packer.take()
  return new VertexRow(id, slab.copy(bytes, start, end), true, null)
}

const row = (id: VertexId): VertexRow => rowIn(new Slab(), id)

const counts = (from: VertexRow): ReadonlyArray<number> => from.groups.map(({ count }) => count)

describe("The cache of rows", () => {
  it("admits a row at its second read", () => {
    const cache = new RowCache(1_000_000)
    for (const id of [256, "marko", 2n ** 60n]) {
      expect(cache.put(row(id), 0)).toBe(false)
      expect(cache.get(id, 0)).toBeUndefined()
      const again = row(id)
      expect(cache.put(again, 0)).toBe(true)
      expect(cache.get(id, 0)).toBe(again)
    }
  })

  it("keeps no row when one of the commits of a version changes the schema", () => {
    const cache = new RowCache(1_000_000)
    for (let read = 0; read < 2; read++) cache.put(row(256), 0)
    cache.changes(1, [512])
    cache.advance(1)
    expect(cache.get(256, 1)).toBeDefined()
    cache.changesSchema(2)
    cache.changes(2, [512])
    cache.advance(2)
    expect(cache.get(256, 2)).toBeUndefined()
  })

  it("copies the rows that it admits, because their memory is reused", () => {
    const cache = new RowCache(1_000_000)
    const slab = new Slab()
    cache.put(rowIn(slab, 256), 0)
    const kept = rowIn(slab, 256)
    expect(counts(kept)).toEqual([1, 2, 1])
    cache.put(kept, 0)
    slab.release()
    const next = new Slab()
    for (let i = 0; i < 100; i++) next.copy(new Uint8Array(4000).fill(1), 0, 4000)
    expect(counts(cache.get(256, 0)!)).toEqual([1, 2, 1])
    expect(cache.get(256, 0)!.find(kept.groups[1]!.key)!.count).toBe(2)
  })

  it("evicts a row that a commit changes, and does not return a newer row for an older snapshot", () => {
    const cache = new RowCache(1_000_000)
    for (const id of [256, 512]) for (let i = 0; i < 2; i++) cache.put(row(id), 0)
    cache.changes(1, [256])
    cache.advance(1)
    expect(cache.get(256, 1)).toBeUndefined()
    expect(cache.get(512, 1)).toBeDefined()
    expect(cache.put(row(256), 0)).toBe(false)
    expect(cache.put(row(256), 1)).toBe(true)
    expect(cache.get(256, 0)).toBeUndefined()
    expect(cache.get(256, 1)).toBeDefined()
  })
})

describe("A row", () => {
  it("finds the same groups whether it is split lazily or as a whole", () => {
    const whole = row(1)
    const keys = whole.groups.map(({ key }) => key)
    for (const key of [...keys, 3, 999]) {
      expect(row(1).find(key)?.count, String(key)).toBe(whole.groups.find((group) => group.key === key)?.count)
    }
    const partly = row(1)
    partly.find(keys[0]!)
    partly.find(keys[2]!)
    expect(counts(partly)).toEqual(counts(whole))
  })
})

describe("A table of rows", () => {
  it("finds the same rows as a Map", () => {
    const ids = FastCheck.oneof(
      FastCheck.nat(60).map((id) => id * 256),
      FastCheck.stringMatching(/^[ab]{1,3}$/),
      FastCheck.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 20n })
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(ids, { maxLength: 200 }), FastCheck.constantFrom(8, 32), (wanted, slots) => {
        const table = new RowTable(slots)
        const map = new Map<VertexId, VertexRow>()
        for (const id of wanted) {
          expect(table.get(id)).toBe(map.get(id))
          const made = row(id)
          table.set(made)
          map.set(id, made)
        }
        for (const [id, made] of map) expect(table.get(id)).toBe(made)
        expect(table.size).toBe(map.size)
      })
    )
  })
})

describe("The fetched rows of a transaction", () => {
  it("stay the same rows when there are very many, until one of them is replaced", () => {
    const rows = new FetchedRows()
    const read = Array.from({ length: 10_000 }, (_, id) => rows.row(id * 8))
    for (const at of [0, 4095, 4096, 9999]) {
      expect(rows.row(at * 8)).toBe(read[at])
      const other = row(at * 8)
      rows.offer(other)
      expect(rows.row(at * 8)).toBe(other)
    }
    rows.release()
    expect(rows.row(0)).not.toBe(read[0])
  })
})
