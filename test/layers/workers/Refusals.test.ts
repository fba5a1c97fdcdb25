import { expect, it, onTestFinished, vi } from "vitest"
import { BlockedRequests, keyOf } from "../../../src/layers/workers/BlockedRequests.ts"
import { refusals } from "../../../src/layers/workers/Refusals.ts"
import { identityOf } from "../../../src/layers/workers/RequestIdentity.ts"
import type { EvaluationRequest } from "../../../src/services/Evaluator.ts"
import type { Peers, RefusedRequest } from "../../../src/services/Peers.ts"

const HOUR_MS = 3_600_000

const request = { user: { name: "ada" }, gremlin: "g.V()", bindings: null } as EvaluationRequest

/** A worker to which the primary process can tell what is refused. */
const worker = () => {
  let tell: (body: never) => unknown = () => undefined
  const peers: Pick<Peers, "onAsk"> = {
    onAsk: (_, answer) => {
      tell = answer
    }
  }
  const refusal = refusals(peers as Peers)
  return {
    refusal,
    tell: (body: ReadonlyArray<RefusedRequest>) => tell(body as never)
  }
}

it.each([HOUR_MS, -HOUR_MS])(
  "A request stays refused for its time when the clock of the machine moves by %d ms",
  (jumpMs) => {
    const { refusal, tell } = worker()
    const blocked = new BlockedRequests()
    const begun = performance.now()
    for (let death = 0; death < 2; death++) blocked.died(identityOf(request, true), begun)
    tell(blocked.blocked(begun))
    const before = Date.now()
    const clock = vi.spyOn(Date, "now").mockReturnValue(before + jumpMs)
    onTestFinished(() => clock.mockRestore())
    expect(refusal(request)?.message).toContain("Two worker processes of the server died")
    expect(blocked.lines(begun)).toEqual([
      expect.stringContaining(`refused until ${new Date(before + jumpMs + 600_000).toISOString()}, because`)
    ])
    const later = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 600_000)
    onTestFinished(() => later.mockRestore())
    expect(refusal(request)).toBeUndefined()
    expect(blocked.blocked(performance.now())).toEqual([])
  }
)

it("A primary process of an earlier version, which names the time of the end, has requests refused too, and a worker of it as well", () => {
  const { refusal, tell } = worker()
  const key = keyOf(identityOf(request, true))
  tell([{ key, until: Date.now() + HOUR_MS }])
  expect(refusal(request)?.message).toContain("Two worker processes of the server died")
  tell([{ key, until: Date.now() - 1 }])
  expect(refusal(request)).toBeUndefined()
  const blocked = new BlockedRequests()
  for (let death = 0; death < 2; death++) blocked.died(identityOf(request, true), performance.now())
  expect(blocked.blocked(performance.now())[0]?.until).toBeGreaterThan(Date.now())
})
