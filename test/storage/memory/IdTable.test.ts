import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { IdTable } from "../../../src/storage/memory/IdTable.ts"
import { lookupKey } from "../../../src/storage/shared/LookupKey.ts"
import { Double, Float } from "../../../src/structure/numbers/Numbers.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"

describe("A table of ids", () => {
  it("finds each id by its numeric value or equivalence, after any additions and removals", () => {
    const id = FastCheck.oneof(
      FastCheck.integer({ min: -50, max: 50 }),
      FastCheck.bigInt({ min: -50n, max: 50n }),
      FastCheck.maxSafeInteger(),
      FastCheck.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 5n }),
      FastCheck.constantFrom<unknown>("a", "b", "\0u", 0.5, 1.5, new Float(2), true, new Double(7))
    )
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.tuple(FastCheck.nat(2), id), { size: "max", maxLength: 400 }),
        (all) => {
          const table = new IdTable(new Meter())
          const slotOf = new Map<unknown, number>()
          const idOf = new Map<number, unknown>()
          let next = 0
          for (const [remove, id] of all) {
            const key = lookupKey(id)
            const slot = slotOf.get(key)
            expect(table.find(key)).toBe(slot ?? -1)
            if (slot === undefined) {
              runWhole(table.growTask(next + 1, new TimeSlice()))
              table.add(next, id)
              slotOf.set(key, next)
              idOf.set(next++, id)
            } else if (remove === 0) {
              table.remove(slot)
              expect(table.id(slot)).toBe(idOf.get(slot))
              table.clear(slot)
              slotOf.delete(key)
            } else expect(table.id(slot)).toBe(idOf.get(slot))
          }
        }
      )
    )
  })

  it("finds 1, 1L and 1.0 as the same id, and returns the one that was added", () => {
    const table = new IdTable(new Meter())
    runWhole(table.growTask(1, new TimeSlice()))
    table.add(0, 1)
    expect([1, 1n, new Double(1), new Float(1)].map((id) => table.find(lookupKey(id)))).toEqual([0, 0, 0, 0])
    expect([1, 1n].map((id) => table.hasExact(id))).toEqual([true, false])
    expect(table.find(lookupKey("1"))).toBe(-1)
    expect(table.find(lookupKey(new Uuid("00000000-0000-0000-0000-000000000001")))).toBe(-1)
  })
})

describe("A large table of ids", () => {
  it("finds every id, removed or not, while it grows and shrinks", () => {
    const table = new IdTable(new Meter())
    const many = 150_000
    runWhole(table.growTask(many, new TimeSlice()))
    for (let slot = 0; slot < many; slot++) table.addNumber(slot, slot * 3, false)
    for (let slot = 0; slot < many; slot += 2) table.remove(slot)
    for (let slot = 0; slot < many; slot++) {
      if (table.find(slot * 3) !== (slot % 2 === 0 ? -1 : slot)) expect(table.find(slot * 3)).toBe(`slot ${slot}`)
    }
    for (let slot = 0; slot < many; slot += 2) table.addNumber(slot, 7 * many + slot, false)
    expect(table.find(7 * many + 1000)).toBe(1000)
    expect(table.find(1)).toBe(-1)
  })
})
