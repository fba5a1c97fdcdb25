import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { Channel } from "../../../src/layers/workers/Channel.ts"
import { patience } from "../../Limits.ts"
import { bundled } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"

/** File descriptors that the receiving process may have: few, so that it can take all of them. */
const DESCRIPTORS = 64

let program = ""
beforeAll(async () => {
  program = join(await bundled({ ReceivingProcess: "test/layers/workers/ReceivingProcess.ts" }), "ReceivingProcess.mjs")
})

/** A process that answers connections, and the channel to it. */
const receiver = async (): Promise<{ readonly child: ChildProcess; readonly channel: Channel }> => {
  const child = fork(program, [], {
    execPath: "/bin/sh",
    execArgv: ["-c", `ulimit -n ${DESCRIPTORS}; exec "$0" "$@"`, process.execPath]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const channel = new Channel(child)
  await new Promise<void>((resolve) => channel.onNotice("ready", () => resolve()))
  return { child, channel }
}

/** A connection as a server has accepted it, and what its client receives until its end. */
const accepted = async (): Promise<{ readonly socket: Socket; readonly received: Promise<string> }> => {
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = connect((server.address() as { readonly port: number }).port, "127.0.0.1")
  const [socket] = (await once(server, "connection")) as [Socket]
  server.close()
  onTestFinished(() => void socket.destroy())
  return { socket, received: text(client) }
}

describe("A connection that the system drops, because its receiver has no file descriptor left", () => {
  it("is still open for another process, and those after it are answered", async () => {
    const { channel, child } = await receiver()
    channel.tell("retire", null)
    await channel.ask("alive", null)
    const failed: Array<string> = []
    const lost = await accepted()
    channel.hand(lost.socket, () => failed.push("lost"), "connection", null)
    await channel.ask("alive", null)
    channel.tell("stop", null)
    await channel.ask("alive", null)
    const next = await accepted()
    channel.hand(next.socket, () => failed.push("next"), "connection", null)
    expect(await next.received).toBe(String(child.pid))
    await eventually(() => failed.length > 0)
    expect(failed).toEqual(["lost"])
    expect(lost.socket.destroyed).toBe(false)
    await eventually(() => next.socket.destroyed)
    expect(channel.waitingMs).toBe(0)
  })

  it("comes back without a further connection as soon as the receiver runs", async () => {
    const { channel, child } = await receiver()
    channel.tell("retire", null)
    await channel.ask("alive", null)
    const { received, socket } = await accepted()
    await new Promise<void>((resolve) => channel.hand(socket, () => resolve(), "connection", null))
    expect(channel.waitingMs).toBe(0)
    channel.tell("stop", null)
    await channel.ask("alive", null)
    channel.hand(socket, () => undefined, "connection", null)
    expect(await received).toBe(String(child.pid))
  })
})

/** Stops this process for a time, as a signal or a pause of the machine does. */
const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Time for an answer, and a pause that is longer. */
const ANSWER_MS = 1_000 * patience
const PAUSE_MS = 2 * ANSWER_MS

describe("A pause of the process that asks", () => {
  it("is not counted as time of the answer, which has arrived meanwhile", async () => {
    const { channel } = await receiver()
    await channel.ask("alive", null)
    const answer = channel.ask("alive", null, ANSWER_MS)
    pause(PAUSE_MS)
    expect(await answer).toBeNull()
  })

  it("gives a process that was paused at the same time the whole time for its answer", async () => {
    const { channel, child } = await receiver()
    await channel.ask("alive", null)
    child.kill("SIGSTOP")
    const answer = channel.ask("alive", null, ANSWER_MS)
    pause(PAUSE_MS)
    child.kill("SIGCONT")
    expect(await answer).toBeNull()
  })

  it("does not end: a process that does not answer is named afterwards", async () => {
    const { channel, child } = await receiver()
    child.kill("SIGSTOP")
    const answer = channel.ask("alive", null, ANSWER_MS)
    pause(PAUSE_MS)
    await expect(answer).rejects.toThrow(`the process did not answer 'alive' within ${ANSWER_MS} ms`)
  })

  it("does not make a process that takes its connections look blocked", async () => {
    const { channel } = await receiver()
    const { received, socket } = await accepted()
    channel.hand(socket, () => undefined, "connection", null)
    pause(PAUSE_MS)
    // Timers are due before the messages that have arrived are read.
    const waited = new Promise<number>((resolve) => setTimeout(() => resolve(channel.waitingMs), 0))
    expect(await waited).toBeLessThan(PAUSE_MS)
    await received
    await eventually(() => channel.waitingMs === 0)
  })
})
