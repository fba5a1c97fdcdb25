import type * as Fiber from "effect/Fiber"
import { expect, it } from "vitest"
import { FiberSession } from "../../../src/layers/requests/FiberSession.ts"
import { lostTransactions } from "../../../src/layers/requests/LostTransactions.ts"
import { poolFull } from "../../../src/layers/requests/PoolFull.ts"
import { defaultSettings } from "../../../src/services/Config.ts"
import { emptyGraph } from "../../storage/memory/Fixture.ts"
import { heldTask } from "../support/HeldTask.ts"
import { eventually } from "../support/TestServers.ts"

/** A session whose transactions may be open for 50 ms. `fiberEnds`: the fiber of its request has ended. */
const sessionOf = () => {
  const settings = { ...defaultSettings(), maxTransactionLifetime: 50 }
  const record = lostTransactions()("user", "s")
  let fiberEnds = (): void => {}
  const session = new FiberSession({ id: "s", owner: {}, user: { name: "user" } }, record, {
    settings,
    fork: () =>
      ({ addObserver: (observer: () => void) => void (fiberEnds = observer) }) as unknown as Fiber.RuntimeFiber<void>,
    pool: null,
    poolFull: poolFull(settings),
    memory: {
      open: () => ({ set: () => {}, mayHold: () => {}, close: () => {} }),
      used: () => 0,
      relieve: () => false
    },
    metrics: { refused: () => {} },
    ended: () => {}
  })
  return { session, fiberEnds: () => fiberEnds() }
}

it("A transaction that is too old when its request is answered, but the fiber of it not yet ended, fails the next request", async () => {
  const { fiberEnds, session } = sessionOf()
  const graph = emptyGraph()
  session.submit(heldTask("first"))
  session.transactions.open(graph).addVertex("person", undefined)
  session.requestEnds()
  fiberEnds()
  expect(session.inTransaction).toBe(true)
  session.submit(heldTask("second"))
  // Its answer is sent. The end of its fiber waits for a turn of the event loop.
  session.requestEnds()
  await eventually(() => !session.inTransaction)
  fiberEnds()
  session.submit(heldTask("third"))
  expect(session.takeFailure(() => "refuse once")?.message).toContain("maxTransactionLifetime")
  expect(session.takeFailure(() => "refuse once")).toBeUndefined()
  session.end(null)
})
