import { expect, it } from "vitest"
import { WaitingTasks } from "../../../src/layers/requests/WaitingTasks.ts"
import { eventually } from "../../Eventually.ts"
import { heldTask } from "../support/HeldTask.ts"
import { liveBytes } from "../support/LiveMemory.ts"

const MB = 1_048_576

/** Lets a task with a megabyte wait. Returns how it is abandoned. */
const push = (waiting: WaitingTasks, requestId: string): (() => void) => {
  const data = Buffer.alloc(MB)
  const task = heldTask(requestId, { onBegin: () => void data.fill(1) })
  waiting.push(task)
  return () => task.waitsIn!.forget()
}

it("Abandoned tasks are not held by the queue, however few they are", async () => {
  const waiting = new WaitingTasks()
  const abandon: Array<() => void> = []
  const before = liveBytes()
  for (let i = 0; i < 64; i++) abandon.push(push(waiting, String(i)))
  push(waiting, "last")
  expect(liveBytes() - before).toBeGreaterThan(60 * MB)
  for (let i = 0; i < 64; i++) abandon[i]!()
  abandon.length = 0
  await eventually(() => liveBytes() - before < 8 * MB)
  expect(waiting.length).toBe(1)
  expect(waiting.shift()?.requestId).toBe("last")
  expect([waiting.length, waiting.shift()]).toEqual([0, undefined])
})
