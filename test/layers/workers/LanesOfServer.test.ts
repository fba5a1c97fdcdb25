import { describe, expect, it, onTestFinished } from "vitest"
import { makePool } from "../../../src/layers/requests/LaneRequestPool.ts"
import { makeRunQueue } from "../../../src/layers/requests/RunQueue.ts"
import { LanesOfServer } from "../../../src/layers/workers/LanesOfServer.ts"
import { header } from "../../../src/layers/workers/RegionLayout.ts"
import { type HeldTask, heldTask } from "../support/HeldTask.ts"
import { eventually } from "../support/TestServers.ts"
import { newRegion } from "./Regions.ts"

const hasBegun = ({ events }: HeldTask): boolean => events.includes("started")

/** The clock of these workers stands still, so that a busy machine takes no lane from one that has been left a lane. */
const poolsOf = async (workers: number, size: number, queue: number) => {
  const { region } = await newRegion(workers)
  const all = Array.from({ length: workers }, (_, slot) => {
    const pool = makePool(
      {
        size,
        queue,
        lanesOnDemand: true,
        idleLane: 60_000,
        shared: new LanesOfServer(region, slot, { size, queue, now: () => 0 })
      },
      makeRunQueue()
    )
    onTestFinished(pool.close)
    return pool
  })
  return all as [(typeof all)[number], (typeof all)[number]]
}

const many = (count: number, name: string): ReadonlyArray<HeldTask> =>
  Array.from({ length: count }, (_, i) => heldTask(`${name}${i}`))

describe("The lanes of a server with workers", () => {
  it("all serve one worker while the others need none, and a request of another worker gets the next that is free", async () => {
    const [a, b] = await poolsOf(2, 4, 10)
    const tasks = many(4, "a")
    for (const task of tasks) expect(a.submit(task)).toBe(true)
    expect(tasks.every(hasBegun)).toBe(true)
    const other = heldTask("b")
    expect(b.submit(other)).toBe(true)
    expect([hasBegun(other), b.status().queued]).toEqual([false, 1])
    tasks[2]!.end()
    await eventually(() => hasBegun(other))
    const names = [...a.dump(), ...b.dump()].map(({ name }) => name)
    expect(names.sort()).toEqual([1, 2, 3, 4].map((number) => `engine-server-exec-${number}`))
    expect([a.status().running, b.status().running]).toEqual([3, 1])
  })

  it("refuse a request only when those that wait in all workers fill the queue", async () => {
    const [a, b] = await poolsOf(2, 1, 3)
    const running = heldTask("running")
    a.submit(running)
    const waiting = many(2, "a")
    for (const task of waiting) expect(a.submit(task)).toBe(true)
    expect(b.refuses()).toBe(false)
    expect(b.submit(heldTask("b"))).toBe(true)
    expect([a.refuses(), b.refuses(), a.submit(heldTask("x")), b.submit(heldTask("y"))]).toEqual([
      true,
      true,
      false,
      false
    ])
    expect([a.status().refused, b.status().refused]).toEqual([2, 2])
    waiting[1]!.waitsIn!.forget()
    await eventually(() => !b.refuses())
    expect(b.submit(heldTask("z"))).toBe(true)
  })

  it("refuse a request with maxWorkQueueSize 0 only when all lanes of the server are in use", async () => {
    const [a, b] = await poolsOf(2, 2, 0)
    const first = many(2, "a")
    for (const task of first) expect(a.submit(task)).toBe(true)
    expect([b.refuses(), b.submit(heldTask("b"))]).toEqual([true, false])
    first[0]!.end()
    await eventually(() => !b.refuses())
    expect(b.submit(heldTask("b"))).toBe(true)
  })

  it("go to a worker that has fewer than its share as soon as they are free, however many requests wait elsewhere", async () => {
    const [a, b] = await poolsOf(2, 4, 100)
    const busy = many(24, "a")
    for (const task of busy) a.submit(task)
    const others = many(3, "b")
    for (const task of others) b.submit(task)
    busy[0]!.end()
    await eventually(() => hasBegun(others[0]!))
    busy[1]!.end()
    await eventually(() => hasBegun(others[1]!))
    expect([a.status().running, b.status().running]).toEqual([2, 2])
    // Each has its share now, and keeps it: the lane that a worker gives back is its own again.
    busy[2]!.end()
    await eventually(() => hasBegun(busy[4]!))
    expect([a.status().running, b.status().running, hasBegun(others[2]!)]).toEqual([2, 2, false])
  })

  it("alternate between workers when there are fewer lanes than workers", async () => {
    const [a, b] = await poolsOf(2, 1, 100)
    const order: Array<string> = []
    const tasks: Array<HeldTask> = []
    const submit = (pool: typeof a, name: string): void => {
      const onBegin = (): void => {
        order.push(name)
        setImmediate(task.end)
      }
      const task = heldTask(name, { onBegin })
      tasks.push(task)
      pool.submit(task)
    }
    for (let i = 0; i < 20; i++) submit(a, "a")
    for (let i = 0; i < 20; i++) submit(b, "b")
    await eventually(() => order.length === 40)
    // Neither waits until the other one needs nothing more, on a slow machine either.
    const changes = order.filter((name, i) => i > 0 && name !== order[i - 1]).length
    expect(changes).toBeGreaterThan(8)
  })
})

describe("The lanes that a worker sees", () => {
  const lanesOf = async (size: number) => {
    const clock = { now: 0 }
    const { region } = await newRegion(2)
    const [a, b] = [0, 1].map((slot) => new LanesOfServer(region, slot, { size, queue: 10, now: () => clock.now }))
    return { a: a!, b: b!, clock, region }
  }

  it("are other ones first than those of another worker, so that both rarely meet", async () => {
    const { a, b } = await lanesOf(4)
    expect([a.takeLane(), b.takeLane(), a.takeLane(), b.takeLane(), a.takeLane()]).toEqual([0, 2, 1, 3, -1])
    b.releaseLane(2)
    expect([a.hasLane(), a.takeLane()]).toEqual([true, 2])
  })

  it("are left for 10 ms to a worker whose requests wait, and not longer if it takes none", async () => {
    const { a, b, clock } = await lanesOf(2)
    expect([a.takeLane(), a.takeLane()]).toEqual([0, 1])
    expect([b.takeLane(), b.enterQueue(0)]).toEqual([-1, true])
    a.releaseLane(1)
    // The share of this worker is one lane, which it has.
    expect([a.hasLane(), a.takeLane()]).toEqual([false, -1])
    clock.now += 9
    expect(a.takeLane()).toBe(-1)
    clock.now += 1
    expect(a.takeLane()).toBe(1)
    // It is offered again when it is free again.
    a.releaseLane(1)
    expect([a.takeLane(), b.takeLane()]).toEqual([-1, 1])
  })

  it("go to the worker that has waited longest when both have equally many", async () => {
    const { a, b } = await lanesOf(1)
    expect(a.takeLane()).toBe(0)
    expect(b.enterQueue(0)).toBe(true)
    expect(a.enterQueue(0)).toBe(true)
    a.releaseLane(0)
    expect([a.takeLane(), b.takeLane()]).toEqual([-1, 0])
    expect(b.enterQueue(1)).toBe(true)
    b.releaseLane(0)
    expect([b.takeLane(), a.takeLane()]).toEqual([-1, 0])
  })

  it("are given in turn also when the number of waits wraps around", async () => {
    const { a, b, region } = await lanesOf(1)
    region.set(header.turns, 2 ** 31 - 2)
    expect(a.takeLane()).toBe(0)
    expect(b.enterQueue(0)).toBe(true)
    expect(a.enterQueue(0)).toBe(true)
    a.releaseLane(0)
    expect([a.takeLane(), b.takeLane()]).toEqual([-1, 0])
  })
})
