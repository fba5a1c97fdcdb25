import { describe, expect, it } from "vitest"
import { patience } from "../../Limits.ts"
import { http, post } from "../support/HttpClient.ts"
import { endless, eventually, modern, startServer } from "../support/TestServers.ts"
import { asking, basic, user } from "../support/Users.ts"

describe("A slow request", () => {
  it("is logged with its times, rows and shortened text, and without its bindings", async () => {
    const server = await startServer({
      ...modern,
      ...asking(),
      slowQueryThreshold: 1_000 * patience,
      scriptLogLength: 30
    })
    const ask = (body: Record<string, unknown>) =>
      http(server.authority, { headers: { authorization: basic() } }, JSON.stringify(body))
    // The first script loads the language.
    await ask({ gremlin: "1" })
    const before = server.log.length
    await ask({
      gremlin: `${endless} // a comment that is long`,
      bindings: { secret: "hunter2" },
      evaluationTimeout: 1_200 * patience
    })
    await ask({ gremlin: "1" })
    const slow = () => server.log.slice(before).filter((line) => line.includes("Slow request"))
    await eventually(() => slow().length > 0)
    const lines = slow()
    expect(lines.length).toBe(1)
    expect(JSON.parse(lines[0]!.slice(lines[0]!.indexOf("{")))).toMatchObject({
      status: 500,
      rows: 0,
      total: expect.any(Number),
      evaluate: expect.any(Number),
      user,
      request: `${endless.slice(0, 30)}...`
    })
    expect(lines[0]).not.toContain("hunter2")
  })

  it("was queued, and not prepared, while others filled the pool", async () => {
    const { authority, log } = await startServer({
      ...modern,
      enginePool: 1,
      evaluationTimeout: 0,
      slowQueryThreshold: 200 * patience
    })
    const first = post(authority, endless, { evaluationTimeout: 400 * patience })
    await eventually(async () => (await post(authority, "1", { evaluationTimeout: 1 })).status === 500)
    expect((await post(authority, "2")).json.result.data).toEqual([2])
    await first
    const slow = () => log.filter((line) => line.includes("Slow request") && line.includes('"request":"2"'))
    await eventually(() => slow().length === 1)
    const { prepare, queued, total } = JSON.parse(slow()[0]!.slice(slow()[0]!.indexOf("{")))
    expect(total).toBeGreaterThan(200 * patience)
    expect(queued).toBeGreaterThan(prepare)
  })
})
