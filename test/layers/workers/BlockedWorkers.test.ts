import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, describe, expect, it } from "vitest"
import { CONDITION_MS } from "../../Limits.ts"
import { http } from "../support/HttpClient.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { clientOfEach, startWorkers } from "../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

describe.each([2, 4])("A connection to a server with %i workers", (count) => {
  it("is given to another worker while one takes no connections", async () => {
    const server = await startWorkers(bundle, count)
    const [stopped = 0] = await server.pids()
    const ask = () => http(server.authority, { agent: new Agent(), path: "/health/live" })
    process.kill(stopped, "SIGSTOP")
    // One of these reaches the worker, and waits for it. Others that it would have got go to another one.
    let answered = 0
    const first = Array.from({ length: 8 * count }, () => ask().then(() => answered++))
    await expect.poll(() => answered, { timeout: CONDITION_MS }).toBe(8 * count - 1)
    await sleep(300)
    // These stay open: soon the worker has the fewest connections.
    for (let i = 0; i < 4 * count; i++) {
      const client = await SocketClient.connect(server.authority)
      expect((await client.eval("1")).status.code).toBe(200)
    }
    expect(answered).toBe(8 * count - 1)
    process.kill(stopped, "SIGCONT")
    await Promise.all(first)
    // It gets connections again.
    const clients = await clientOfEach(server, 4)
    for (const client of clients) expect((await client.eval("1")).status.code).toBe(200)
    await stop(server)
  })
})
