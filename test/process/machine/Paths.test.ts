import { expect, it } from "vitest"
import { pathOf, pathTask } from "../../../src/process/machine/Paths.ts"
import { PathNode, VALUE } from "../../../src/process/plan/Batch.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { toy } from "../run.ts"

it("A long path becomes a value in slices", () => {
  const transaction = toy().begin()
  let node = new PathNode(VALUE, 0, ["a"], null)
  while (node.length < 10_000) node = new PathNode(VALUE, node.length, null, node)
  const task = pathTask(node, transaction, new TimeSlice())
  let yields = 0
  let next = task.next()
  for (; next.done !== true; next = task.next()) yields++
  expect(yields).toBe(9)
  expect(next.value).toEqual(pathOf(node, transaction))
})
