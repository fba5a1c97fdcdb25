import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { emptyTinkerGraph, type ServerSettings } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { flushed, flushesOf } from "../support/FlushedGraph.ts"
import { http, post } from "../support/HttpClient.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, startServer } from "../support/TestServers.ts"

sourcesOnly("the flush is a function of the test, in a module that the test and the graph share")

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const add = "g.addV('person').property('name', 'x').iterate()"
const count = async (authority: string) => (await post(authority, "g.V().count()")).json.result.data[0]

describe("A commit", () => {
  it("is answered after its flush, over HTTP, WebSocket and in a session", async () => {
    const folder = newFolder()
    const flushes = flushesOf(folder)
    const server = await startServer({ ...flushed(folder), enginePool: 8 })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    flushes.flush = () => held
    const client = await SocketClient.connect(server.authority)
    await client.eval("x = 1", { session: "s" })
    const answered: Array<string> = []
    const note = (name: string) => () => answered.push(name)
    const writes = [
      post(server.authority, add).then(note("HTTP")),
      client.eval(add).then(note("WebSocket")),
      client.eval(`${add}; g.tx().commit()`, { session: "s" }).then(note("session"))
    ]
    await pause(150)
    expect(answered).toEqual([])
    // Reads do not wait for a flush.
    expect((await post(server.authority, "1 + 1")).status).toBe(200)
    await count(server.authority)
    release()
    await Promise.all(writes)
    expect(answered.toSorted()).toEqual(["HTTP", "WebSocket", "session"])
    expect(await count(server.authority)).toBe(3)
  })

  it("shares its flush with concurrent commits", async () => {
    const folder = newFolder()
    const flushes = flushesOf(folder)
    const server = await startServer({ ...flushed(folder), enginePool: 64 })
    await post(server.authority, add)
    flushes.count = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    flushes.flush = () => held
    const answers = Array.from({ length: 60 }, () => post(server.authority, add))
    // All of them run while the first flush does, however slowly they arrive.
    await eventually(
      async () => (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 60
    )
    release()
    await Promise.all(answers)
    expect(await count(server.authority)).toBe(61)
    expect(flushes.count).toBeLessThan(30)
  })

  it("whose flush fails is answered with an error, and leaves the graph read-only until the next start", async () => {
    const folder = newFolder()
    const flushes = flushesOf(folder)
    const server = await startServer(flushed(folder))
    await post(server.authority, add)
    flushes.flush = () => Promise.reject(new Error("the disk is gone"))
    const failed = await post(server.authority, add)
    const { commitOutcome, "Exception-Class": kind, message } = failed.json
    expect([failed.status, kind, commitOutcome]).toEqual([500, "CommitOutcomeUnknown", "unknown"])
    expect(message).toContain("the disk is gone")
    expect(message).toContain("may have been applied")
    flushes.flush = () => Promise.resolve()
    const refused = await post(server.authority, add)
    expect([refused.status, refused.json.message]).toEqual([500, expect.stringContaining("takes no more writes")])
    expect((await post(server.authority, "g.V().limit(1).values('name')")).json.result.data).toEqual(["x"])
    await server.end()
    const next = await startServer(flushed(folder))
    expect((await post(next.authority, add)).status).toBe(200)
  })
})

const VERTICES = 10_000
const numbers = Array.from({ length: VERTICES }, (_, i) => i)
const many = "g.inject(x).unfold().as('n').addV('many').property('n', __.select('n')).count()"

describe("A server that is stopped during a long commit", () => {
  it("waits until the commit is on disk, answers it, and then closes the graph", async () => {
    const folder = newFolder()
    const flushes = flushesOf(folder)
    const factory = fileURLToPath(new URL("../support/FlushedGraph.ts", import.meta.url))
    const settings: Partial<ServerSettings> = {
      graphs: new Map([
        ["graph", { ...emptyTinkerGraph, name: "graph", file: folder, factory: { kind: "module", module: factory } }]
      ]),
      shutdownTimeout: 30_000
    }
    const server = await startServer(settings)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    flushes.count = 0
    flushes.flush = () => held
    const events: Array<string> = []
    const answer = post(server.authority, many, {
      bindings: { x: numbers },
      evaluationTimeout: 60_000 * patience
    }).finally(() => events.push("answered"))
    await eventually(() => flushes.count > 0)
    const ended = server.end().then(() => events.push("ended"))
    await eventually(async () => (await http(server.authority, { path: "/health/ready" })).status === 503)
    // Longer than the time that clients have to disconnect.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(events).toEqual([])
    release()
    expect((await answer).status).toBe(200)
    await ended
    expect(events).toEqual(["answered", "ended"])
    const next = await startServer(settings)
    expect(await count(next.authority)).toBe(VERTICES)
  })
})
