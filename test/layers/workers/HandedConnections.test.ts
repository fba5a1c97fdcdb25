import type { Socket } from "node:net"
import { expect, it, vi } from "vitest"
import { HandedConnections } from "../../../src/layers/workers/HandedConnections.ts"

const socket = { destroy: () => undefined } as unknown as Socket

/** Two sent connections. After a pause of ten seconds a report of the first one is read, and then the timers run. */
const paused = () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  const clock = vi.spyOn(performance, "now").mockReturnValue(0)
  const asked: Array<number> = []
  try {
    const handed = new HandedConnections((number) => asked.push(number))
    for (const number of [1, 2]) {
      handed.add(socket, () => undefined)
      handed.sent(number, true)
    }
    clock.mockReturnValue(10_000)
    handed.reported([1], 1)
    vi.advanceTimersByTime(100)
    const after = { waitingMs: handed.waitingMs, asked: [...asked] }
    clock.mockReturnValue(10_100)
    vi.advanceTimersByTime(100)
    return [after, { waitingMs: handed.waitingMs, asked }]
  } finally {
    vi.useRealTimers()
    clock.mockRestore()
  }
}

it("A pause, after which a report is read before the timers run, hides no later wait", () => {
  expect(paused()).toEqual([
    { waitingMs: 0, asked: [] },
    { waitingMs: 100, asked: [2] }
  ])
})
