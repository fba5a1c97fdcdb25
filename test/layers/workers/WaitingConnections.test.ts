import { Socket } from "node:net"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { WaitingConnections } from "../../../src/layers/workers/WaitingConnections.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

describe("Connections that wait for a worker", () => {
  it("are closed after ten seconds, unless a worker has taken them", () => {
    const waiting = new WaitingConnections()
    const taken = new Socket()
    waiting.add(taken)
    expect(waiting.take()).toEqual([taken])
    const socket = new Socket()
    waiting.add(socket)
    vi.advanceTimersByTime(9_999)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    expect([socket.destroyed, taken.destroyed]).toEqual([true, false])
    expect(waiting.take()).toEqual([])
  })

  it("are not given to a worker once their client has closed them", async () => {
    const waiting = new WaitingConnections()
    const [open, closed] = [new Socket(), new Socket()]
    waiting.add(closed)
    waiting.add(open)
    closed.destroy()
    expect(waiting.take()).toEqual([open])
  })

  it("make room for a new one when they are many: the oldest is closed", () => {
    const waiting = new WaitingConnections()
    const sockets = Array.from({ length: 1_026 }, () => new Socket())
    for (const socket of sockets) waiting.add(socket)
    expect(sockets.map(({ destroyed }) => destroyed).indexOf(false)).toBe(2)
    expect(waiting.take()).toEqual(sockets.slice(2))
  })
})
