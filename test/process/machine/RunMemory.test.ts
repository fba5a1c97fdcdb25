import { describe, expect, it } from "vitest"
import { openEnvironment, TraversalRun } from "../../../src/process/machine/TraversalRun.ts"
import { prepare, toy } from "../run.ts"

/** Half of the approximate size of a path node: the row that is at work may have one node less than were made. */
const LEAST_BYTES_PER_NODE = 28

describe("The memory that a run holds", () => {
  it("includes the path of the row that a loop tests, between any two calls of steps", () => {
    const endless = "g.inject(0).repeat(__.math('_ + 1')).until(__.is(-1)).path()"
    const run = new TraversalRun(prepare(endless, null), toy().begin(), openEnvironment)
    const sink = { accept: () => true }
    for (let i = 0; i < 2000; i++) run.advance(0, sink)
    for (let i = 0; i < 100; i++) {
      run.advance(0, sink)
      expect(run.pathNodes).toBeGreaterThan(100)
      expect(run.heldBytes).toBeGreaterThan(run.pathNodes * LEAST_BYTES_PER_NODE)
    }
  })
})
