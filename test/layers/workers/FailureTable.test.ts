import { describe, expect, it, onTestFinished, vi } from "vitest"
import { workerBounds } from "../../../src/layers/workers/WorkerBounds.ts"
import { newRegion } from "./Regions.ts"

/** The clock of the machine begins a new round then, ms. */
const ROUND_MS = 2 ** 31

describe("The limit of failed logins", () => {
  it.each([1, 2, 3])(
    "counts the attempts at workers that started before and after round %i of the clock",
    async (round) => {
      const { region } = await newRegion(2)
      let machineMs = round * ROUND_MS - 60_000
      let startedMs = machineMs
      vi.spyOn(process, "hrtime").mockImplementation(() => [
        Math.floor(machineMs / 1_000),
        (machineMs % 1_000) * 1_000_000
      ])
      vi.spyOn(performance, "now").mockImplementation(() => machineMs - startedMs)
      onTestFinished(() => void vi.restoreAllMocks())
      const first = workerBounds(region, 0)
      const startedFirstMs = startedMs
      machineMs += 120_000
      startedMs = machineMs
      const second = workerBounds(region, 1)
      const at = (bounds: typeof first): ReturnType<typeof first.failures> => {
        startedMs = bounds === first ? startedFirstMs : machineMs
        return bounds.failures("an address")
      }
      const SIZE = 4
      const waits = Array.from({ length: 12 }, (_, i) => at(i % 2 === 0 ? first : second).take(SIZE))
      expect(waits.filter((wait) => wait === 0)).toHaveLength(SIZE)
    }
  )
})
