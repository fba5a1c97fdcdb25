import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, expect, it, onTestFinished } from "vitest"
import { slotWords } from "../../../src/layers/workers/RegionLayout.ts"
import { assign, reclaim } from "../../../src/layers/workers/Slots.ts"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"
import { bundled } from "../support/ServerProcess.ts"
import { newRegion } from "./Regions.ts"

describe("A slot", () => {
  it("holds nothing any more after its process was killed and the primary has reclaimed it", async () => {
    const { region, descriptor } = await newRegion(2)
    const bundle = await bundled({ HoldingProcess: "test/layers/workers/HoldingProcess.ts" })
    const child = spawn(process.execPath, [join(bundle, "HoldingProcess.mjs"), "1"], {
      stdio: ["ignore", "pipe", "inherit", descriptor]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const [line] = await once(createInterface(child.stdout!), "line")
    expect(line).toBe("holding")
    assign(region, 0, process.pid)
    assign(region, 1, child.pid!)

    const own = workerBounds(region, 0)
    const pool = own.pool(4, 10)
    const left = () => ({
      lanes: [pool.takeLane(), pool.takeLane()].filter((lane) => lane >= 0).map((lane) => pool.releaseLane(lane))
        .length,
      places: region.sum(slotWords.waiting),
      connections: own.connections.total(),
      sessions: own.sessions.total(),
      elsewhere: own.sessions.isElsewhere("its session"),
      held: own.held.total() > 0,
      largest: own.held.hasLargest(),
      arriving: own.arriving.total() > 0,
      answers: own.answers.total() > 0,
      pid: region.of(1, slotWords.pid) === child.pid
    })
    const holding = {
      lanes: 1,
      places: 1,
      connections: 1,
      sessions: 1,
      elsewhere: true,
      held: true,
      largest: false,
      arriving: true,
      answers: true,
      pid: true
    }
    expect(left()).toEqual(holding)
    child.kill("SIGKILL")
    await once(child, "exit")
    // Its memory survives it.
    expect(left()).toEqual(holding)
    const lost = (session: string, name = "marko") => own.transactions(name, session).takeLoss()
    expect(lost("its session")).toBeUndefined()
    reclaim(region, 1)
    expect([lost("its session", "josh"), lost("its session"), lost("another"), lost("committed")]).toEqual([
      undefined,
      "changes",
      "outcome",
      undefined
    ])
    expect(lost("its session")).toBeUndefined()
    expect([region.slots, region.workers]).toEqual([1, 1])
    expect(left()).toEqual({
      lanes: 2,
      places: 0,
      connections: 0,
      sessions: 0,
      elsewhere: false,
      held: false,
      largest: true,
      arriving: false,
      answers: false,
      pid: false
    })
    expect([pool.takeLane(), pool.takeLane(), pool.takeLane(), pool.takeLane(), pool.takeLane()]).toEqual([
      0, 1, 2, 3, -1
    ])
    // The wrong passwords that it counted stay counted.
    expect(own.failures("an address").take(1)).toBeGreaterThan(0)
    assign(region, 1, 4711)
    expect(region.of(1, slotWords.generation)).toBe(2)
    expect([region.slots, region.workers]).toEqual([2, 2])
  })

  it("of another worker keeps what it holds", async () => {
    const { region } = await newRegion(2)
    const [a, b] = [0, 1].map((slot) => workerBounds(region, slot))
    const lanes = b!.pool(4, 10)
    lanes.takeLane()
    b!.sessions.open("s", 10)
    b!.connections.take(10)
    assign(region, 1, 4711)
    reclaim(region, 0)
    expect([a!.sessions.isElsewhere("s"), a!.connections.total(), region.sum(slotWords.lanes)]).toEqual([true, 1, 1])
  })
})

describe("Workers that compete for the last places", () => {
  it("never have more connections than the bound together, and never a lane at the same time", async () => {
    const { region, descriptor } = await newRegion(2)
    const bundle = await bundled({ RacingProcess: "test/layers/workers/RacingProcess.ts" })
    const run = async (slot: number) => {
      const child = spawn(process.execPath, [join(bundle, "RacingProcess.mjs"), String(slot), "30000", "3"], {
        stdio: ["ignore", "pipe", "inherit", descriptor]
      })
      onTestFinished(() => void child.kill("SIGKILL"))
      const [[line]] = await Promise.all([once(createInterface(child.stdout!), "line"), once(child, "exit")])
      return JSON.parse(line) as { readonly taken: number; readonly lanes: number; readonly most: number }
    }
    const seen = await Promise.all([run(0), run(1)])
    for (const { lanes, most, taken } of seen) {
      expect(taken).toBeGreaterThan(0)
      expect(lanes).toBeGreaterThan(0)
      // A worker that looks for a place counts itself before it knows that there is none.
      expect(most).toBeLessThanOrEqual(4)
    }
    expect([region.sum(slotWords.connections), region.sum(slotWords.lanes)]).toEqual([0, 0])
    expect(region.lanes.slice(0, 3).join()).toBe("0,0,0")
  })
})
