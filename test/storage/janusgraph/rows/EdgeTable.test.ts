import { describe, expect, it } from "vitest"
import type { Id } from "../../../../src/storage/janusgraph/format/Ids.ts"
import { EdgeTable } from "../../../../src/storage/janusgraph/rows/EdgeTable.ts"
import { Group } from "../../../../src/storage/janusgraph/rows/Row.ts"
import type { EdgeLabel } from "../../../../src/storage/janusgraph/schema/Schema.ts"

const labels = ["knows", "created"].map((name) => ({ name }) as EdgeLabel)

const groupOf = (bytes: number): Group => {
  const group = new Group(2, 4, Buffer.alloc(bytes), 0)
  group.end = bytes
  return group
}

describe("The edges of a transaction", () => {
  it("are found by their ids while the table grows, and each has one ref", () => {
    const table = new EdgeTable()
    const ids: Array<Id> = []
    let seed = 7
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    const wrong: Array<number> = []
    for (let i = 0; i < 100_000; i++) {
      const isKnown = i > 0 && random(4) === 0
      const relation: Id = isKnown
        ? ids[random(ids.length)]!
        : i % 1000 === 0
          ? 2n ** 60n + BigInt(i)
          : i * 4096 + random(4095)
      const ref = table.intern(relation, labels[i % 2]!, i, i + 1, null, i % 100)
      if (isKnown ? ids[ref] !== relation : ref !== ids.length) wrong.push(i)
      if (isKnown) continue
      ids.push(relation)
      if (table.out(ref) !== i || table.in(ref) !== i + 1 || table.offset(ref) !== i % 100) wrong.push(i)
      if (table.type(ref) !== labels[i % 2] || table.find(i * 4096 + 4095) !== -1) wrong.push(i)
    }
    ids.forEach((relation, ref) => {
      if (table.find(relation) !== ref) wrong.push(ref)
      if (typeof relation === "number" && table.relation(ref) !== relation) wrong.push(ref)
    })
    expect(wrong).toEqual([])
    expect(table.length).toBe(ids.length)
    expect(() => table.relation(table.length)).toThrow("has no edge")
  })

  it("count their memory, and once that of the cells that they keep", () => {
    const table = new EdgeTable()
    const group = groupOf(10_000)
    table.intern(1, labels[0]!, 1, 2, group, 0)
    const first = table.heldBytes
    expect(table.cellBytes).toBe(10_000)
    table.intern(2, labels[0]!, 1, 3, group, 100)
    expect(table.cellBytes).toBe(10_000)
    expect(table.heldBytes - first).toBeGreaterThan(40)
    expect(table.heldBytes - first).toBeLessThan(1_000)
  })

  it("count the cells of each group once when edges of several groups alternate, also beside another transaction", () => {
    const groups = [groupOf(10_000), groupOf(1_000), groupOf(100)]
    const tables = [new EdgeTable(), new EdgeTable()]
    for (let i = 0; i < 600; i++) {
      for (const table of tables) table.intern(i, labels[0]!, 1, 2, groups[i % 3]!, i)
    }
    expect(tables.map(({ cellBytes }) => cellBytes)).toEqual([11_100, 11_100])
    for (const table of tables) expect(table.heldBytes).toBeLessThan(600 * 120)
  })
})
