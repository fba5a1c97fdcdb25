import { expect, it } from "vitest"
import { takeWork } from "../../../../src/storage/janusgraph/management/SharedWork.ts"
import { cellGraph } from "../Graphs.ts"
import { MemoryCellStore } from "../MemoryCellStore.ts"

/** Timers that keep this process running. */
const runningTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length

it("A process that waits for the work of another process keeps running until it has the work", async () => {
  let isTaken = true
  const take = () => (isTaken ? undefined : () => undefined)
  const graph = await cellGraph(Object.assign(new MemoryCellStore(), { work: { take, failure: () => undefined } }))
  const before = runningTimers()
  const taking = takeWork(graph.core, "index-1")
  expect(runningTimers()).toBe(before + 1)
  isTaken = false
  expect((await taking)?.hasWaited).toBe(true)
  await graph.close()
})
