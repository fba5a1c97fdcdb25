import { expect, it } from "vitest"
import { takeWork } from "../../../../src/storage/janusgraph/management/SharedWork.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Timers that keep this process running. */
const runningTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

it("A process that waits for the work of another process keeps running until it has the work", async () => {
  let isTaken = true
  const take = () => (isTaken ? "elsewhere" : { release: () => undefined })
  const graph = await cellGraph(Object.assign(new MemoryCellStore(), { work: { take, failure: () => undefined } }))
  const before = runningTimers()
  const taking = takeWork(graph.core, "index-1")
  expect(runningTimers()).toBe(before + 1)
  isTaken = false
  expect((await taking)?.hasWaited).toBe(true)
  await graph.close()
})

it("A process that gets the work a moment later, because another one replaces a file, has not waited for that work", async () => {
  let attempts = 0
  const take = () => (attempts++ === 0 ? "busy" : { release: () => undefined })
  const graph = await cellGraph(Object.assign(new MemoryCellStore(), { work: { take, failure: () => undefined } }))
  expect((await takeWork(graph.core, "index-1"))?.hasWaited).toBe(false)
  expect(attempts).toBe(2)
  await graph.close()
})
