import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { Service } from "../../../src/services/CallServices.ts"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { modern, startInside, startServer } from "../support/TestServers.ts"

const folder = mkdtempSync(join(tmpdir(), "services-"))
afterAll(() => rmSync(folder, { recursive: true }))

const moduleOf = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const answer = async (authority: string, gremlin: string): Promise<unknown> => {
  const { json, text } = await post(authority, gremlin)
  return json?.result?.data ?? text
}

describe("Services of call()", () => {
  it("come from the modules of the settings, and from the program that starts the server", async () => {
    const later: Service = {
      name: "program.later",
      parameters: {},
      start: () => new Promise((give) => setTimeout(() => give(["later"]), 1))
    }
    const callServices = [resolve("docs/examples/range-service.js")]
    const { authority } = await startInside({ ...modern, callServices }, { callServices: [later] })
    expect(await answer(authority, "g.call()")).toEqual([
      "tinker.search",
      "tinker.degree.centrality",
      "example.range",
      "program.later"
    ])
    expect(await answer(authority, "g.call('example.range').with('to', 3)")).toEqual([1, 2, 3])
    expect(await answer(authority, "g.V(1).call('example.range').with('to', 5)")).toEqual(["name", "age"])
    expect(await answer(authority, "g.call('program.later')")).toEqual(["later"])
  })

  it.each<readonly [string, string, RegExp]>([
    ["nothing.mjs", "export const a = 1", /nothing.mjs cannot be used: its default export must be a service/],
    ["part.mjs", "export default [{ name: 'a', parameters: {}, start() {} }, { name: 'b' }]", /must be a service/],
    ["broken.mjs", "export default ]", /broken.mjs cannot be used/]
  ])("stop the start when a module exports none: %s", async (name, text, message) => {
    await expect(startServer({ callServices: [moduleOf(name, text)] })).rejects.toThrow(message)
  })

  it("fail only the request when they throw", async () => {
    const failing: Service = {
      name: "program.failing",
      parameters: {},
      start: () => {
        throw new Error("no more licences")
      }
    }
    const { authority } = await startInside({}, { callServices: [failing] })
    const { status, text } = await post(authority, "g.call('program.failing')")
    expect(status).toBe(500)
    expect(text).toContain("no more licences")
    expect(await answer(authority, "g.inject(1)")).toEqual([1])
  })
})

describe("explain() and profile()", () => {
  it("are answered as their types", async () => {
    const { authority } = await startServer(modern)
    const explained = (await answer(authority, "g.V().has('name', 'marko').explain()")) as ReadonlyArray<{
      readonly original: ReadonlyArray<string>
      readonly final: ReadonlyArray<string>
    }>
    expect(explained[0]?.original).toEqual(["GraphStep(vertex,[])", "HasStep([name.eq(marko)])"])
    expect(explained[0]?.final[0]).toBe("GraphStep(vertex,[],full scan)")
    const profiled = (await answer(authority, "g.V().has('name', 'marko').profile()")) as ReadonlyArray<{
      readonly metrics: ReadonlyArray<{ readonly name: string; readonly annotations: Record<string, unknown> }>
    }>
    expect(profiled[0]?.metrics.map(({ name }) => name)).toEqual(["GraphStep(vertex,[])", "HasStep([name.eq(marko)])"])
    expect(profiled[0]?.metrics[0]?.annotations.index).toBe("full scan")
  })

  it("explain() may be the last step of bytecode", async () => {
    const { authority } = await startServer(modern)
    const client = await SocketClient.connect(authority)
    const gremlin = { "@type": "g:Bytecode", "@value": { step: [["V"], ["out", "knows"], ["explain"]] } }
    const { result, status } = await client.answer(
      client.send("bytecode", "traversal", { gremlin, aliases: { g: "g" } })
    )
    expect(status.code).toBe(200)
    expect(JSON.stringify(result)).toContain("VertexStep(OUT,[knows],vertex)")
  })

  it("are values of a script", async () => {
    const { authority } = await startServer(modern)
    expect(await answer(authority, "t = g.V().explain(); t.toString()")).toEqual([
      expect.stringContaining("Traversal Explanation")
    ])
  })
})
