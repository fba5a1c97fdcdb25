import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, modern, startServer } from "../support/TestServers.ts"

const valuesOf = async (authority: string, script: string): Promise<unknown> => {
  const { json } = await post(authority, script)
  return json.result?.data ?? json.message
}

describe("A program on a server", () => {
  it("runs traversals in loops, functions and closures", async () => {
    const { authority } = await startServer(modern)
    const script = `
      def friends(v) { g.V(v).out('knows').toList() }
      def names = []
      for (v in g.V().hasLabel('person').toList()) {
        if (v.value('age') > 28) friends(v).each { names << "\${it.value('name')} of \${v.value('name')}" }
      }
      names.sort()`
    expect(await valuesOf(authority, script)).toEqual(["josh of marko", "vadas of marko"])
    expect(await valuesOf(authority, "def n = 0; g.V().each { n += it.id() }; n")).toEqual([21])
  })

  it("catches the errors of traversals, and goes on", async () => {
    const { authority } = await startServer(modern)
    expect(await valuesOf(authority, "try { g.V().values('name').sum().next() } catch (e) { 'caught' }")).toEqual([
      "caught"
    ])
    expect(await valuesOf(authority, "try { g.V(99).next() } catch (NoSuchElementException e) { 'none' }")).toEqual([
      "none"
    ])
  })

  it("keeps functions and assigned variables for later requests of a session", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const session = { session: "programs" }
    const ask = async (gremlin: string) =>
      (await client.answer(client.send("eval", "session", { gremlin, ...session }))).status
    expect((await ask("def twice(x) { x * 2 }; def hidden = 1; shown = 2")).code).toBe(200)
    expect((await ask("assert twice(shown) == 4")).code).toBe(200)
    expect((await ask("hidden")).message).toContain("there is no variable hidden")
    expect((await ask("twise(1)")).message).toContain("there is no step, predicate or function twise()")
  })

  it("ends an endless loop at its time limit, and serves others meanwhile", async () => {
    const { authority } = await startServer(modern)
    for (const script of [
      "while (true) { }",
      "for (;;) { try { throw new Exception('x') } catch (e) { } }",
      "def f; f = { while (true) { it } }; f(1)",
      "n = 2000000000; for (i in 1..n) { i }",
      "2000000000.times { }"
    ]) {
      const endless = post(authority, script, { evaluationTimeout: 300 })
      expect(await valuesOf(authority, "1 + 1")).toEqual([2])
      const { json, status } = await endless
      expect(status, script).toBe(500)
      expect(json.message, script).toContain("evaluationTimeout")
    }
  })

  it("logs what it prints in one escaped line", async () => {
    const server = await startServer(modern)
    await post(server.authority, "println 'a\\u001b[31m'; [1, 2].each { println it }; 5")
    await eventually(() => server.log.some((line) => line.includes("A script printed")))
    const line = server.log.find((one) => one.includes("A script printed"))!
    expect(JSON.parse(line.slice(line.indexOf("{"))).text).toBe("a\\u001b[31m\\n1\\n2")
    await post(server.authority, "10000.times { print 'xxxxxxxxxx' }")
    await eventually(() => server.log.some((one) => one.includes("xxx...")))
    expect(Math.max(...server.log.map((one) => one.length))).toBeLessThan(6_000)
  })
})
