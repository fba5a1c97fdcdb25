import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type Linked, LinkedList } from "../../../src/structure/containers/LinkedList.ts"

class Item implements Linked<Item> {
  previous: Item | undefined = undefined
  next: Item | undefined = undefined
  readonly bytes = new Array(100).fill(0)
}

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")!.space_used_size

describe("LinkedList", () => {
  it("behaves as a set of items, in any order of operations", () => {
    const operation = FastCheck.record({ isAdded: FastCheck.boolean(), at: FastCheck.nat(9) })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(operation, { maxLength: 100 }), (operations) => {
        const items = Array.from({ length: 10 }, () => new Item())
        const list = new LinkedList<Item>()
        const model = new Set<Item>()
        for (const { at, isAdded } of operations) {
          const item = items[at]!
          if (!isAdded) expect(list.delete(item)).toBe(model.delete(item))
          else if (!model.has(item)) {
            list.add(item)
            model.add(item)
          }
          expect([...list]).toEqual([...model])
          expect(list.size).toBe(model.size)
          expect(list.first).toBe([...model][0])
        }
        for (const item of items)
          if (!model.has(item)) expect([item.previous, item.next]).toEqual([undefined, undefined])
      })
    )
  })

  it("allows that the current item of a loop is removed", () => {
    const list = new LinkedList<Item>()
    const items = [new Item(), new Item(), new Item()]
    for (const item of items) list.add(item)
    const visited: Array<Item> = []
    for (const item of list) {
      visited.push(item)
      list.delete(item)
    }
    expect(visited).toEqual(items)
    expect(list.size).toBe(0)
  })

  it("keeps nothing of removed items until a full garbage collection, which a Set of the same items does", () => {
    setFlagsFromString("--expose-gc")
    const collect = runInNewContext("gc") as () => void
    const list = new LinkedList<Item>()
    // The list is in the old generation.
    collect()
    collect()
    const before = oldBytes()
    const open: Array<Item> = []
    for (let i = 0; i < 300_000; i++) {
      const item = new Item()
      list.add(item)
      open.push(item)
      if (open.length > 20) list.delete(open.shift()!)
    }
    expect(oldBytes() - before).toBeLessThan(1_500_000)
  })
})
