import type { ChildProcess } from "node:child_process"
import { Socket } from "node:net"
import { describe, expect, it, vi } from "vitest"
import { WholeServer } from "../../../src/layers/workers/WholeServer.ts"
import { WorkerLink } from "../../../src/layers/workers/WorkerLink.ts"
import { CONDITION_MS } from "../../Limits.ts"
import { FakeProcess } from "../support/FakeProcess.ts"

/** Workers of one server, of which the first `serving` serve. */
const serverOf = (count: number, serving: number) => {
  const processes = Array.from({ length: count }, (_, index) => new FakeProcess(100 + index))
  const links = processes.map((process, index) => new WorkerLink(index + 1, process as unknown as ChildProcess))
  const whole = new WholeServer(() => links, undefined)
  for (const link of links) whole.attend(link)
  for (const process of processes.slice(0, serving)) process.ready()
  const stop = () => links.forEach((link) => void link.stop(60_000))
  return { whole, processes, stop }
}

const LIMIT = { timeout: CONDITION_MS }

const turn = () => new Promise((resolve) => setTimeout(resolve, 10))

describe("The last worker of a server that ends", () => {
  it("is one of two that ask at once, and hears it when the other has ended", async () => {
    const { processes, stop, whole } = serverOf(2, 2)
    stop()
    const [first, second] = processes.map((process) => process.asksLast())
    await vi.waitFor(() => expect(first!()).toBe(false), LIMIT)
    expect(second!()).toBeUndefined()
    processes[0]!.end(0)
    await vi.waitFor(() => expect(second!()).toBe(true), LIMIT)
    processes[1]!.end(0)
    whole.close()
  })

  it("does not wait for a worker that has never served", async () => {
    const { processes, stop, whole } = serverOf(2, 1)
    stop()
    const first = processes[0]!.asksLast()
    await vi.waitFor(() => expect(first()).toBe(true), LIMIT)
    const second = processes[1]!.asksLast()
    await vi.waitFor(() => expect(second()).toBe(false), LIMIT)
    for (const process of processes) process.end(0)
    whole.close()
  })

  it("is the one that waits when another one is killed before it asks", async () => {
    const { processes, stop, whole } = serverOf(2, 2)
    stop()
    const first = processes[0]!.asksLast()
    await turn()
    expect(first()).toBeUndefined()
    processes[1]!.end(null, "SIGKILL")
    await vi.waitFor(() => expect(first()).toBe(true), LIMIT)
    processes[0]!.end(0)
    whole.close()
  })

  it("is not a worker that ends while another one serves", async () => {
    const { processes, whole } = serverOf(2, 2)
    const first = processes[0]!.asksLast()
    await vi.waitFor(() => expect(first()).toBe(false), LIMIT)
    for (const process of processes) process.end(0)
    whole.close()
  })
})

describe("A command for a worker", () => {
  it("is refused when no worker takes its connection", async () => {
    const { processes, whole } = serverOf(1, 1)
    processes[0]!.refuses = true
    const socket = new Socket()
    const ended = vi.spyOn(socket, "end").mockReturnValue(socket)
    whole.forward(socket, "graphs")
    await vi.waitFor(
      () => expect(ended).toHaveBeenCalledWith("error: no worker took the command; try again later\n"),
      LIMIT
    )
    processes[0]!.end(0)
    whole.close()
  })
})
