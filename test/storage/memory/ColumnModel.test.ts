import { describe, expect, it } from "vitest"
import { Column } from "../../../src/storage/memory/Column.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { Double, numberKind } from "../../../src/structure/numbers/Numbers.ts"
import type { Random } from "../../fuzz/Random.ts"
import { steps, withRandom } from "../../fuzz/Seeds.ts"

/** Fails when two values differ; the message is made only then, because the tests compare millions of them. */
const same = (found: unknown, expected: unknown, what: () => string): void => {
  const [one, other] = [found, expected].map((value) => (value instanceof Double ? value.value : value))
  if (Object.is(one, other) && isDouble(found) === isDouble(expected)) return
  expect.fail(`${what()}: found ${shown(found)}, expected ${shown(expected)}`)
}

const isDouble = (value: unknown): boolean =>
  value instanceof Double || (typeof value === "number" && numberKind(value) === "Double")

const shown = (value: unknown): string =>
  value instanceof Double ? `Double ${value.value}` : typeof value === "bigint" ? `${value}n` : JSON.stringify(value)

describe("A column", () => {
  /** Slots of one or two pages, so that a page changes its layout often. */
  const SLOTS = 6_000
  const kinds: ReadonlyArray<(random: Random) => unknown> = [
    (random) => random.below(1_000),
    (random) => random.next(),
    (random) => new Double(random.below(100)),
    (random) => `text ${random.below(50)}`,
    (random) =>
      random.one<unknown>([-0x80000000, -0, Number.NaN, 3e9, null, true, 12n, new Double(-0), new Double(Number.NaN)])
  ]

  /** Calls `at` with the slots of one pattern: a run, a stride, some slots at random, or all of them. */
  const slots = (random: Random, at: (slot: number) => void): void => {
    const start = random.below(SLOTS)
    switch (random.below(5)) {
      case 0:
        for (let slot = 0, end = 1 + random.below(200); slot < end; slot++) at(slot)
        return
      case 1:
        for (let slot = start, end = Math.min(SLOTS, start + random.below(500)); slot < end; slot++) at(slot)
        return
      case 2:
        for (let slot = start, stride = 1 + random.below(100); slot < SLOTS; slot += stride) at(slot)
        return
      case 3:
        for (let count = random.below(150); count > 0; count--) at(random.below(SLOTS))
        return
      default:
        for (let slot = random.below(64), end = SLOTS - random.below(64); slot < end; slot++) at(slot)
    }
  }

  it("returns the values that were set, for any pattern of dense, sparse, removed and reused slots", () =>
    withRandom((random) => {
      const meter = new Meter()
      for (let done = 0; done < steps(2_000_000); ) {
        const column = new Column(meter)
        const expected = new Map<number, unknown>()
        for (let phase = random.below(40); phase >= 0; phase--) {
          const kind = random.chance(0.7) ? random.one(kinds) : undefined
          const removes = random.chance(0.4)
          slots(random, (slot) => {
            const value = removes ? undefined : (kind ?? random.one(kinds))(random)
            column.set(slot, value)
            if (value === undefined) expected.delete(slot)
            else expected.set(slot, value)
            done++
            same(column.get(slot), value, () => `slot ${slot} after it was set`)
          })
          same(column.count, expected.size, () => "count")
          for (let slot = 0; slot < SLOTS; slot++) same(column.get(slot), expected.get(slot), () => `slot ${slot}`)
        }
        for (const slot of expected.keys()) column.set(slot, undefined)
        same(meter.used, 0, () => "bytes of an empty column")
      }
    }))
})
