import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { assign, reclaim } from "../../../src/layers/workers/Slots.ts"
import { endHeld, WriteTable } from "../../../src/layers/workers/WriteTable.ts"
import { newRegion } from "./Regions.ts"

/** Slots of both words of an entry, and the first and the last of each. */
const slots = [0, 1, 31, 32, 63]

const tables = async () => {
  const { region } = await newRegion(64)
  return { region, of: new Map(slots.map((slot) => [slot, new WriteTable(region, slot)])) }
}

describe("The writes of a server", () => {
  it("are seen by all other workers until they end, and the worker with the lower slot goes on", async () => {
    const { of } = await tables()
    for (const writing of slots) {
      of.get(writing)!.begin([7, 8])
      for (const asking of slots) {
        const seen = asking === writing ? "none" : writing < asking ? "goes on" : "gives way"
        expect(of.get(asking)!.otherWriter(7), `slot ${asking} asks of slot ${writing}`).toBe(seen)
        expect(of.get(asking)!.otherWriter(9)).toBe("none")
      }
      of.get(writing)!.end([7, 8], false)
      for (const asking of slots) expect(of.get(asking)!.otherWriter(7)).toBe("none")
    }
  })

  it("of two requests of one worker are seen until both have ended", async () => {
    const { of } = await tables()
    const [one, other] = [of.get(0)!, of.get(32)!]
    one.begin([5])
    one.begin([5])
    one.end([5], true)
    expect(other.otherWriter(5)).toBe("goes on")
    one.end([5], true)
    expect(other.otherWriter(5)).toBe("none")
  })

  it("count as changes for the other workers only, and only if they may have changed something", async () => {
    const { of } = await tables()
    const part = fc.nat(3)
    const writes = fc.array(fc.tuple(fc.constantFrom(...slots), part, fc.boolean()), { maxLength: 20 })
    fc.assert(
      fc.property(writes, (changes) => {
        const changesOf = (slot: number, at: number) => of.get(slot)!.changesByOthers(at)
        const known = slots.map((slot) => [0, 1, 2, 3].map((at) => changesOf(slot, at)))
        for (const [slot, at, isChanged] of changes) {
          of.get(slot)!.begin([at])
          of.get(slot)!.end([at], isChanged)
        }
        for (const [i, slot] of slots.entries()) {
          for (const at of [0, 1, 2, 3]) {
            const others = changes.filter(([by, changed, isChanged]) => by !== slot && changed === at && isChanged)
            expect(changesOf(slot, at) - known[i]![at]!).toBe(others.length)
          }
        }
      })
    )
  })

  it("of a worker that has died go on until they can no longer arrive, and may have changed what it wrote", async () => {
    const { of, region } = await tables()
    for (const slot of [1, 63]) {
      const others = slots.filter((other) => other !== slot).map((other) => of.get(other)!)
      const asked = () => others.map((other) => [other.otherWriter(3), other.changesByOthers(3)] as const)
      assign(region, slot, process.pid)
      const dead = new WriteTable(region, slot)
      dead.lasting(4_000)
      dead.lasting(3_000)
      dead.begin([3])
      const before = asked()
      const held = reclaim(region, slot)
      expect(held.ms).toBe(4_000)
      expect(asked()).toEqual(before.map(([, changes]) => ["goes on", changes]))
      // A new process gets the slot. It waits, too, and its own writes do not end those of the dead one.
      assign(region, slot, process.pid)
      const next = new WriteTable(region, slot)
      expect(next.otherWriter(3)).toBe("goes on")
      next.begin([3])
      next.end([3], false)
      expect(next.otherWriter(3)).toBe("goes on")
      const unheld = others.map((other) => other.changesByOthers(4))
      endHeld(region, held)
      expect(asked()).toEqual(before.map(([, changes]) => ["none", changes + 1]))
      expect(others.map((other) => other.changesByOthers(4))).toEqual(unheld)
      expect(reclaim(region, slot)).toEqual({ ms: 0, entries: [] })
    }
  })

  it("have time stamps that grow from worker to worker, whatever their clocks say", async () => {
    const { of } = await tables()
    const times = [
      [0, 1_000n],
      [63, 400n],
      [32, 1_001n],
      [0, 5_001n],
      [1, 5_001n]
    ] as const
    expect(times.map(([slot, time]) => of.get(slot)!.timeFrom(time))).toEqual([1_000n, 1_002n, 1_004n, 5_000n, 5_002n])
  })
})
