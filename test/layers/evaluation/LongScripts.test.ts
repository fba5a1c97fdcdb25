import { afterEach, expect, it, vi } from "vitest"
import { reported } from "../../../src/layers/evaluation/LongScripts.ts"

afterEach(() => {
  vi.useRealTimers()
})

it("An initialisation script that does not end is in the log each ten seconds, until it ends", async () => {
  vi.useFakeTimers()
  const lines: Array<string> = []
  let end: (value: number) => void = () => undefined
  const work = reported("init.groovy", new Promise<number>((resolve) => (end = resolve)), (text) => lines.push(text))
  await vi.advanceTimersByTimeAsync(25_000)
  expect(lines.map((line) => line.split(". ")[0])).toEqual([
    "The initialisation script init.groovy has not ended after 10 seconds",
    "The initialisation script init.groovy has not ended after 20 seconds"
  ])
  end(7)
  expect(await work).toBe(7)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(lines).toHaveLength(2)
})
