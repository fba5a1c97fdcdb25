import { describe, expect, it } from "vitest"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const connect = async (): Promise<SocketClient> => {
  const { authority } = await startServer({ enginePool: 2 })
  return SocketClient.connect(authority)
}

describe("Thread.sleep()", () => {
  it("waits, while other requests run", async () => {
    const client = await connect()
    const begun = performance.now()
    const slept = client.eval("Thread.sleep(300); 'awake'")
    expect((await client.eval("1 + 1")).result.data).toEqual([2])
    expect((await slept).result.data).toEqual(["awake"])
    expect(performance.now() - begun).toBeGreaterThanOrEqual(299)
  })

  it("ends with the time limit of the request", async () => {
    const client = await connect()
    const answer = await client.eval("Thread.sleep(600000)", { evaluationTimeout: 100 })
    expect(answer.status.code).toBe(598)
    expect((await client.eval("Thread.sleep(0); 1")).result.data).toEqual([1])
  })

  it("refuses a negative time and NaN, other methods and threads", async () => {
    const client = await connect()
    expect((await client.eval("Thread.sleep(-1)")).status.message).toContain("not negative")
    const answer = await client.eval("Thread.sleep(Double.NaN)", { evaluationTimeout: 1_000 })
    expect(answer.status.message).toContain("not negative")
    expect((await client.eval("Thread.currentThread().name")).status.message).toContain("currentThread")
    expect((await client.eval("new Thread({ 1 }).start()")).status.message).toContain("new Thread(...)")
  })
})
