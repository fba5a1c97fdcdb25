import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { Column } from "../../../src/storage/memory/Column.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"

const plain = (value: unknown): unknown => (value instanceof Double ? `double ${value.value}` : value)

describe("A column", () => {
  const value = FastCheck.oneof(
    { weight: 6, arbitrary: FastCheck.integer() },
    { weight: 3, arbitrary: FastCheck.constantFrom(0.5, -0, 1e300, Number.NaN, Number.POSITIVE_INFINITY, 3e9) },
    { weight: 2, arbitrary: FastCheck.constantFrom(new Double(1), new Double(-7), -0x80000000) },
    { weight: 1, arbitrary: FastCheck.constantFrom<unknown>("text", 12n, null, true) },
    { weight: 3, arbitrary: FastCheck.constant(undefined) }
  )

  it("returns the values that were set, for any mix of types and any distance of slots", () => {
    const slots = FastCheck.oneof(FastCheck.nat(50), FastCheck.nat(3000), FastCheck.nat(200_000))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.tuple(slots, value), { size: "max", maxLength: 300 }), (writes) => {
        const column = new Column(new Meter())
        const expected = new Map<number, unknown>()
        for (const [slot, value] of writes) {
          column.set(slot, value)
          if (value === undefined) expected.delete(slot)
          else expected.set(slot, value)
        }
        expect(column.count).toBe(expected.size)
        for (const [slot] of writes) expect(plain(column.get(slot))).toBe(plain(expected.get(slot)))
        expect(column.get(1_000_000)).toBeUndefined()
      })
    )
  })

  it("keeps the types of an integral Double and of an Int", () => {
    const column = new Column(new Meter())
    column.set(0, new Double(1))
    column.set(1, 0.5)
    expect(column.get(0)).toEqual(new Double(1))
    column.set(2, 1)
    expect([column.get(0), column.get(1), column.get(2)]).toEqual([new Double(1), 0.5, 1])
  })

  it("becomes dense when many slots have a value, sparse when few have, and frees its bytes", () => {
    const meter = new Meter()
    const column = new Column(meter)
    for (let slot = 0; slot < 100_000; slot += 50) column.set(slot, `v${slot}`)
    const sparse = meter.used
    expect(sparse).toBeLessThan(200_000)
    for (let slot = 0; slot < 100_000; slot++) column.set(slot, slot)
    expect(column.get(99_999)).toBe(99_999)
    for (let slot = 0; slot < 100_000; slot++) column.set(slot, undefined)
    expect(column.count).toBe(0)
    column.set(5_000_000, 1)
    expect(column.get(5_000_000)).toBe(1)
    expect(meter.used).toBeLessThan(1000)
  })
})
