import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const limits = { requestMemoryLimit: 20_000_000, evaluationTimeout: 60_000 }
/** A text of a megabyte that shares nothing with others. */
const text = (number: string): string => `('x' * 1000000 + ${number}).toUpperCase()`

describe("The memory of a request", () => {
  it.each([
    ["a variable of the script", `def kept = []; for (i in 1..2000) kept << ${text("i")}; kept.size()`],
    ["an undeclared variable", `kept = []; for (i in 1..2000) kept << ${text("i")}; kept.size()`],
    ["a variable of a function", `def f(n) { def kept = []; while (true) kept << ${text("n")} }; f(1)`],
    ["a variable that a closure uses", `def kept = []; 2000.times { kept << ${text("it")} }; kept.size()`],
    [
      "a variable of a closure of a step",
      `g.inject(1).map { def kept = []; for (i in 1..2000) kept << ${text("i")}; 1 }`
    ]
  ])("counts the values in %s", async (_, script) => {
    const { authority } = await startServer(limits)
    const { json, status } = await post(authority, script)
    expect(json.message).toContain("requestMemoryLimit")
    expect([status, json["Exception-Class"]]).toEqual([500, "LimitExceeded"])
    expect((await post(authority, "1 + 1")).json.result.data).toEqual([2])
  })

  it("does not count what a script no longer holds", async () => {
    const { authority } = await startServer(limits)
    const script = `def last = ''; for (i in 1..60) last = ${text("i")}; last.size()`
    expect((await post(authority, script)).json.result.data).toEqual([1_000_002])
  })

  it("cannot be used up by a script that catches its errors", async () => {
    const { authority } = await startServer(limits)
    const script = `def kept = []; while (true) { try { kept << ${text("kept.size()")} } catch (Throwable e) { } finally { kept << 1 } }`
    expect((await post(authority, script)).json["Exception-Class"]).toBe("LimitExceeded")
  })

  it("counts a list once that each call of a recursion has", async () => {
    const { authority } = await startServer(limits)
    const script =
      "def f(l, n) { if (n > 0) return f(l, n - 1)\n def i = 0; while (i < 300000) i++\n l.size() }\nf((1..50000).toList(), 300)"
    expect((await post(authority, script)).json.result.data).toEqual([50_000])
  })

  it("counts the results of traversals that variables keep", async () => {
    const { authority } = await startServer(limits)
    const results = "g.inject(0).repeat(union(identity(), identity())).times(15).toList()"
    expect((await post(authority, `def v = ${results}; v.size()`)).json.result.data).toEqual([32_768])
    const script = `${Array.from({ length: 60 }, (_, at) => `def v${at} = ${results}`).join("; ")}; 1`
    expect((await post(authority, script)).json["Exception-Class"]).toBe("LimitExceeded")
  })

  it("counts only what a request of a session adds to its variables", async () => {
    const { authority } = await startServer(limits)
    const client = await SocketClient.connect(authority)
    const answer = await client.eval(`kept = (1..8).collect { ${text("it")} }; kept.size()`, { session: "memory" })
    expect(answer.result.data).toEqual([8])
    const loop = "def n = 0; for (i in 1..300000) n += i % 7; kept.size()"
    expect((await client.eval(loop, { session: "memory" })).result.data).toEqual([8])
    const more = await client.eval(`for (i in 1..2000) kept << ${text("i")}`, { session: "memory" })
    expect(more.status.message).toContain("requestMemoryLimit")
  })
})
