import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { bundled, type ServerProcess, startProcess } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"

let bundle: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "engine-server-small-heap-"))
  bundle = await bundled({ main: "src/main.ts" })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const started = async (name: string): Promise<ServerProcess & { readonly authority: string }> => {
  const server = await startProcess(bundle, join(folder, name), {
    properties: ["storage.backend=inmemory", "storage.memory.schema=false"],
    before: ["env", "NODE_OPTIONS=--max-old-space-size=128"]
  })
  return { ...server, authority: `127.0.0.1:${server.port}` }
}

const BINDING_CHARS = 2_000_000

describe("A server with a small heap and a graph in memory without storage.memory.max-bytes", () => {
  it("refuses changes that would fill the heap, also with old states for an open transaction, and continues", async () => {
    const { authority, child } = await started("full")
    const write = (gremlin: string, i: number) =>
      post(authority, gremlin, { bindings: { x: `${i}`.padEnd(BINDING_CHARS, "x") } })
    const filled = async (gremlin: string) => {
      for (let i = 0; i < 150; i++) {
        const { json, status } = await write(gremlin, i)
        if (status !== 200) return { i, message: String(json?.message) }
      }
      return undefined
    }
    const refusal = expect.stringContaining("cannot grow: graphs in memory fill the server's heap")
    expect(await filled("g.addV('v').property('text', x).iterate()")).toEqual({
      i: expect.any(Number),
      message: refusal
    })
    expect((await post(authority, "g.V().drop()")).status).toBe(200)
    expect((await write("g.addV('v').property('text', x).iterate()", 0)).status).toBe(200)
    const session = await SocketClient.connect(authority)
    const old = await session.eval("g.V().count()", { session: "s" })
    expect(old.status.code).toBe(200)
    expect(await filled("g.V().property(single, 'text', x).iterate()")).toEqual({
      i: expect.any(Number),
      message: refusal
    })
    expect(child.exitCode).toBe(null)
    session.close()
    child.kill("SIGKILL")
  })

  it("caches few enough plans: 400 different long scripts do not end it", async () => {
    const { authority, child } = await started("plans")
    const has = (script: number) => Array.from({ length: 300 }, (_, i) => `.has('k${script}_${i}', 1)`).join("")
    for (let script = 0; script < 400; script++) {
      const { json, status } = await post(authority, `g.V()${has(script)}.count()`)
      expect([status, json?.result?.data]).toEqual([200, [0]])
    }
    expect(child.exitCode).toBe(null)
    child.kill("SIGKILL")
  })
})
