import { describe, expect, it } from "vitest"
import { SocketClient } from "../support/SocketClient.ts"
import { modern, startServer } from "../support/TestServers.ts"

describe("A traverser that a closure keeps", () => {
  it("is refused after the call of the closure has ended", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const uses = ["kept[0].get()", "kept[3].path()", "kept*.get()", "g.inject(1).map { kept[0].get() }.next()"]
    for (const use of uses) {
      const answer = await client.eval(`def kept = []; g.V().sideEffect { kept << it }.iterate(); ${use}`)
      expect(answer.status.message, use).toContain("The traverser is valid only during the call of its closure")
    }
  })
})

describe("A function that runs a traversal whose closure calls the function", () => {
  it("ends with an error of the script, and the session goes on", async () => {
    const { authority, log } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const scripts = [
      "def f(n) { g.inject(1).map { f(n + 1) }.next() }; f(0)",
      "def f(n) { g.inject(1).filter { f(n + 1) }.toList() }; f(0)",
      "def c; c = { g.V().sideEffect { c(1) }.iterate() }; c(1)"
    ]
    for (const script of scripts) {
      const answer = await client.eval(script, { session: "deep" })
      expect(answer.status.code, script).toBe(597)
      expect(answer.status.message, script).toMatch(/levels deep|nest too deep/)
      const next = await client.eval("g.V().count().next()", { session: "deep" })
      expect(next.result.data, script).toEqual([6])
    }
    expect(log.filter((line) => /Maximum call stack/.test(line))).toEqual([])
  })
})
