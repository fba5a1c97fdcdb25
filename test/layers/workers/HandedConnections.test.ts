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
    const handed = new HandedConnections({
      send: (_number, _socket, _message, onSent) => onSent(true),
      check: (number, onSent) => {
        asked.push(number)
        onSent()
      }
    })
    for (let i = 0; i < 2; i++) handed.add(socket, {}, () => undefined)
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
    { waitingMs: 0, asked: [1] },
    { waitingMs: 100, asked: [1, 2] }
  ])
})

it("A connection that is given to an ended process fails at once, also while another was under way", async () => {
  const callbacks: Array<(isSent: boolean) => void> = []
  const handed = new HandedConnections({
    send: (_number, _socket, _message, onSent) => callbacks.push(onSent),
    check: () => undefined
  })
  handed.add(socket, {}, () => undefined)
  handed.end()
  callbacks.pop()!(false)
  const failed = new Promise((resolve) => handed.add(socket, {}, resolve))
  expect(callbacks).toHaveLength(1)
  callbacks.pop()!(false)
  expect(await failed).toBe(true)
})
