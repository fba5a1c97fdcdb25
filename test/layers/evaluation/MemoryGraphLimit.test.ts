import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadYaml, tinkerGraph } from "../config/Folder.ts"
import { post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const LIMIT_BYTES = 1_000_000

/** A server whose graph is opened by a properties file with these lines, as with the launcher. */
const started = async (...lines: ReadonlyArray<string>) => {
  const files = { "graph.properties": lines.join("\n") }
  const { settings } = await Effect.runPromise(loadYaml("graphs: {graph: graph.properties}", files))
  return startServer({ ...settings, port: 0, channelizer: "WsAndHttpChannelizer" })
}

const kinds: ReadonlyArray<readonly [string, string]> = [
  ["TinkerGraph", tinkerGraph],
  ["TinkerTransactionGraph", "gremlin.graph=TinkerTransactionGraph"],
  [
    "JanusGraphFactory in memory",
    "gremlin.graph=JanusGraphFactory\nstorage.backend=inmemory\nstorage.memory.schema=false"
  ]
]

describe("storage.memory.max-bytes in a properties file", () => {
  it.each(kinds)(
    "bounds %s: a further write fails with the name of the setting, and deletes make room",
    async (_, kind) => {
      const { authority } = await started(kind, `storage.memory.max-bytes=${LIMIT_BYTES}`)
      const add = () =>
        post(authority, "g.addV('v').property('text', t).iterate()", { bindings: { t: "x".repeat(20_000) } })
      let added = 0
      let answer = await add()
      for (; answer.status === 200 && added < 200; answer = await add()) added++
      expect(added).toBeGreaterThan(10)
      expect(added).toBeLessThan(LIMIT_BYTES / 20_000)
      expect([answer.status, answer.json["Exception-Class"]]).toEqual([500, "MemoryLimitExceeded"])
      expect(answer.json.message).toContain(`${LIMIT_BYTES} bytes (storage.memory.max-bytes)`)
      const count = async () => (await post(authority, "g.V().count()")).json.result.data[0]
      expect(await count()).toBe(added)
      const socket = await SocketClient.connect(authority)
      const refused = await socket.eval("g.inject(1).repeat(__.addV('w').property('text', 'y')).times(20000).count()")
      expect([refused.status.code, refused.status.message.includes("storage.memory.max-bytes")]).toEqual([597, true])
      expect(await count()).toBe(added)
      expect((await post(authority, "g.V().limit(5).drop()")).status).toBe(200)
      for (let i = 0; i < 4; i++) expect((await add()).status).toBe(200)
      expect(await count()).toBe(added - 1)
    }
  )

  it.each(["0", "-1", "1.5", "many"])("of '%s' is refused at the start", async (value) => {
    for (const [, kind] of kinds) {
      await expect(started(kind, `storage.memory.max-bytes=${value}`)).rejects.toThrow(
        `storage.memory.max-bytes must be a whole number of bytes, not '${value}'`
      )
    }
  })
})
