import { expect, it } from "vitest"
import { HeldInWorkers } from "../../../src/layers/evaluation/HeldInWorkers.ts"
import { sharedHeld } from "../../../src/layers/workers/SharedCounts.ts"
import { assign } from "../../../src/layers/workers/Slots.ts"
import { newRegion } from "./Regions.ts"

const MB = 1_048_576

/** Two of three workers hold too much together, and the third one has the largest request. It does not run. */
const held = async (ofStopped: number, ofFirst: number, ofSecond: number) => {
  const { region } = await newRegion(3)
  const clock = { ms: 10_000 }
  const [stopped, first, second] = [0, 1, 2].map((slot) => {
    assign(region, slot, 100 + slot)
    return new HeldInWorkers(
      sharedHeld(region, slot, () => clock.ms),
      100 * MB
    )
  })
  stopped!.mustFree(ofStopped * MB, ofStopped * MB)
  /** Which of the two workers have to free memory, for each look. */
  const looks = (count: number): ReadonlyArray<string> =>
    Array.from({ length: count }, () => {
      clock.ms += 100
      const parts = [first!.mustFree(ofFirst * MB, ofFirst * MB), second!.mustFree(ofSecond * MB, ofSecond * MB)]
      return parts.map((must) => (must ? "free" : "keep")).join(" ")
    })
  return { clock, looks }
}

it("The memory of a worker that does not run is left out after a time, and the largest other request ends", async () => {
  const { looks } = await held(90, 60, 70)
  const found = looks(15)
  expect(found.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "keep keep"))
  expect(found.at(-1)).toBe("keep free")
})

it("Requests that are below the limit without a worker that does not run are kept", async () => {
  const { looks } = await held(120, 30, 40)
  expect(new Set(looks(30))).toEqual(new Set(["keep keep"]))
})

it("A worker gets its time again when there is too much once more", async () => {
  const { clock, looks } = await held(90, 60, 70)
  looks(5)
  clock.ms += 60_000
  expect(new Set(looks(9))).toEqual(new Set(["keep keep"]))
})
