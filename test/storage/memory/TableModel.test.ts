import { describe, expect, it } from "vitest"
import { runWhole } from "../../../src/scheduling/Task.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { ElementTable } from "../../../src/storage/memory/ElementTable.ts"
import { Meter } from "../../../src/storage/memory/Growth.ts"
import { HashIndex, indexKey } from "../../../src/storage/memory/HashIndex.ts"
import { IdTable } from "../../../src/storage/memory/IdTable.ts"
import { OwnElements } from "../../../src/storage/memory/Overlay.ts"
import { Undo } from "../../../src/storage/memory/Undo.ts"
import { IdManager } from "../../../src/storage/shared/IdManager.ts"
import { Journal } from "../../../src/storage/shared/Journal.ts"
import { lookupKey } from "../../../src/storage/shared/LookupKey.ts"
import { Double } from "../../../src/structure/numbers/Numbers.ts"
import type { Random } from "../../fuzz/Random.ts"
import { steps, withRandom } from "../../fuzz/Seeds.ts"

/** A slice that is over at each look at the clock. */
const SPENT = new TimeSlice(0)

describe("A table of ids", () => {
  const SLOTS = 40_000

  /** Ids that come one after the other, at random from few or many, or far apart; of every kind. */
  const idsOf = (random: Random): (() => unknown) => {
    let next = random.below(1_000_000)
    const stride = random.one([1, 1, 3, 4_096, 2 ** 20, 2 ** 33])
    const many = random.one([100, 10_000, 2 ** 31, 2 ** 52])
    return random.one<() => unknown>([
      () => {
        next += stride
        return BigInt(next)
      },
      () => BigInt(random.below(many)),
      () => random.below(many) | 0,
      () => -random.below(many),
      () => `id ${random.below(many)}`,
      () => new Double(random.below(1_000)),
      () => random.one<unknown>([random.next(), 2n ** 60n + BigInt(random.below(50)), `${random.below(50)}`])
    ])
  }

  it("finds each id at its slot, and no removed id, in any order of slots and ids", () =>
    withRandom((random) => {
      for (let done = 0; done < steps(1_000_000); ) {
        const meter = new Meter()
        const table = new IdTable(meter)
        const slotOf = new Map<unknown, number>()
        const idAt = new Map<number, unknown>()
        const free = Array.from({ length: SLOTS }, (_, i) => SLOTS - 1 - i)
        const used: Array<number> = []
        let reserved = 0
        const check = (slot: number): void => {
          const id = idAt.get(slot)
          const key = lookupKey(id)
          if (table.find(key) === slot && lookupKey(table.id(slot)) === key && table.hasExact(id)) return
          expect.fail(`slot ${slot} has the id ${String(id)}, which leads to ${table.find(key)}`)
        }
        const remove = (at: number): void => {
          const slot = used[at]!
          const key = lookupKey(idAt.get(slot))
          used[at] = used.at(-1)!
          used.pop()
          table.remove(slot)
          if (table.find(key) !== -1) expect.fail(`the removed id ${String(key)} leads to ${table.find(key)}`)
          table.clear(slot)
          slotOf.delete(key)
          idAt.delete(slot)
          free.push(slot)
        }
        for (let phase = 1 + random.below(12); phase > 0; phase--) {
          const next = idsOf(random)
          const adds = random.one([0, 0.2, 0.5, 0.8, 1])
          for (let count = random.below(20_000); count > 0; count--, done++) {
            const id = next()
            const key = lookupKey(id)
            const there = slotOf.get(key) ?? -1
            if (table.find(key) !== there)
              expect.fail(`the id ${String(key)} leads to ${table.find(key)}, not ${there}`)
            if (random.chance(adds)) {
              if (there !== -1 || free.length === 0) continue
              const slot = free.pop()!
              if (slot >= reserved) {
                reserved = slot + 1 + random.below(1_000)
                runWhole(table.growTask(reserved, random.chance(0.5) ? new TimeSlice() : SPENT))
              }
              table.add(slot, id)
              slotOf.set(key, slot)
              idAt.set(slot, id)
              used.push(slot)
            } else if (used.length > 0) remove(random.below(used.length))
          }
          for (const slot of used) check(slot)
        }
        while (used.length > 0) remove(0)
        expect(meter.heap).toBe(0)
      }
    }))
})

describe("A table of elements", () => {
  const manager = new IdManager("LONG")
  const KEYS = 400

  interface Element {
    readonly id: bigint
    readonly values: Map<string, unknown>
  }

  it("puts each new element in a free slot, in which a released element has left nothing", () =>
    withRandom((random) => {
      const names = Array.from({ length: KEYS }, (_, i) => `key ${i}`)
      for (let done = 0, id = 0; done < steps(200_000); ) {
        const table = new ElementTable("vertex", manager, manager, new Meter())
        const elements = new Map<number, Element>()
        /** Killed, and not yet released, in the order in which they died. */
        const killed: Array<number> = []
        const add = (count: number): void => {
          runWhole(table.growTask(count, random.chance(0.5) ? new TimeSlice() : SPENT))
          const own = new OwnElements(manager, new Journal())
          for (let place = 0; place < count; place++) {
            own.addCounted(table.labels.intern(random.one(["a", "b"])), id)
            const slot = table.add(own, place)
            if (elements.has(slot) || killed.includes(slot)) expect.fail(`the slot ${slot} was given out twice`)
            if (table.keys.of(slot).length > 0) expect.fail(`the new element at ${slot} has keys`)
            elements.set(slot, { id: BigInt(id++), values: new Map() })
          }
        }
        const write = (slot: number, name: string, value: string | undefined): void => {
          const { values } = elements.get(slot)!
          const column = table.openColumn(name)
          if (values.has(name) !== (value !== undefined)) table.keys.set(slot, column.number, value !== undefined)
          column.values.set(slot, value)
          if (value === undefined) values.delete(name)
          else values.set(name, value)
        }
        for (let phase = 1 + random.below(30); phase > 0; phase--) {
          add(random.below(1_000))
          // An element with very many keys now and then.
          const wide = [...elements.keys()].at(-1)
          if (wide !== undefined && random.chance(0.1))
            for (const name of names) write(wide, name, `${name} of ${wide}`)
          const share = random.next()
          for (const slot of elements.keys()) {
            done++
            if (random.chance(share)) write(slot, random.one(names), random.chance(0.7) ? `${done}` : undefined)
          }
          table.keys.trim()
          const kills = random.one([0, 0.1, 0.6, 1])
          for (const slot of elements.keys()) {
            if (!random.chance(kills)) continue
            table.kill(slot)
            elements.delete(slot)
            killed.push(slot)
          }
          for (const slot of killed.splice(0, random.chance(0.5) ? killed.length : random.below(killed.length + 1))) {
            table.release(slot)
          }
          for (const [slot, { id, values }] of elements) {
            const keys = table.keys.of(slot).map((number) => table.columns[number]!.key)
            const found = keys.map((key) => `${key}=${table.column(key)!.values.get(slot)}`)
            const expected = [...values].map(([key, value]) => `${key}=${value}`)
            if (!table.isAlive(slot) || table.ids.id(slot) !== id || found.join() !== expected.join()) {
              expect.fail(`slot ${slot} with the id ${id} has ${found}, expected ${expected}`)
            }
          }
          let values = 0
          for (const element of elements.values()) values += element.values.size
          for (const slot of killed) values += table.keys.count(slot)
          expect(table.columns.reduce((sum, column) => sum + column.values.count, 0)).toBe(values)
        }
      }
    }))
})

describe("A hash index", () => {
  it("has the slots of each value in ascending order, for any number of slots", () =>
    withRandom((random) => {
      for (let done = 0; done < steps(300_000); ) {
        const meter = new Meter()
        const index = new HashIndex("key", false, 0, meter)
        const expected = new Map<unknown, Set<number>>()
        for (let phase = random.below(20); phase >= 0; phase--) {
          const [values, slots] = [1 + random.below(random.one([3, 100, 30_000])), 1 + random.below(5_000)]
          const adds = random.next()
          for (let count = random.below(20_000); count > 0; count--, done++) {
            const value = random.below(values)
            const key = indexKey(value % 3 === 0 ? value : `text ${value}`)
            const slot = random.below(slots)
            if (random.chance(adds)) {
              index.add(key, slot)
              expected.set(key, (expected.get(key) ?? new Set()).add(slot))
            } else {
              index.remove(key, slot)
              expected.get(key)?.delete(slot)
            }
          }
          for (const [key, slots] of expected) {
            const found = new Int32Array(slots.size + 1)
            const after = random.chance(0.5) ? -1 : random.below(5_000)
            const count = index.read(key, after, found.length, found, 0)
            const rest = [...slots].filter((slot) => slot > after).sort((a, b) => a - b)
            if (index.size(key) !== slots.size || found.subarray(0, count).join() !== rest.join()) {
              expect.fail(`${String(key)} behind ${after} has ${found.subarray(0, count)}, expected ${rest}`)
            }
          }
        }
        for (const [key, slots] of expected) for (const slot of slots) index.remove(key, slot)
        expect(meter.heap).toBe(0)
      }
    }))
})

describe("An undo log", () => {
  it("returns to each open snapshot what it saw, whatever is written and cut meanwhile", () =>
    withRandom((random) => {
      const THINGS = 50
      const undo = new Undo<number, number>()
      const newest = new Map<number, number>()
      const snapshots: Array<{ readonly version: number; readonly seen: ReadonlyMap<number, number> }> = []
      for (let version = 1; version < steps(20_000); version++) {
        if (random.chance(0.1)) snapshots.push({ version: version - 1, seen: new Map(newest) })
        if (random.chance(0.1) || snapshots.length > 30) snapshots.splice(random.below(snapshots.length), 1)
        const written = new Set(Array.from({ length: random.below(10) }, () => random.below(THINGS)))
        for (const thing of written) {
          undo.push(thing, version, newest.get(thing) ?? -1)
          newest.set(thing, version)
        }
        if (random.chance(0.2)) {
          const needed = snapshots[0]?.version ?? version
          for (let thing = 0; thing < THINGS; thing++) undo.trim(thing, needed)
        }
        const { seen, version: snapshot } = snapshots[random.below(snapshots.length)] ?? { seen: newest, version }
        for (let thing = 0; thing < THINGS; thing++) {
          const replaced = undo.at(thing, snapshot)
          const found = replaced === undefined ? newest.get(thing) : replaced.old
          if ((found ?? -1) !== (seen.get(thing) ?? -1)) expect.fail(`${thing} at ${snapshot}: ${found}`)
        }
      }
    }))
})
