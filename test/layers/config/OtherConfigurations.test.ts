import { readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../../../src/layers/config/ConfigFile.ts"
import { http, post } from "../support/HttpClient.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startServer } from "../support/TestServers.ts"

const fixtures = fileURLToPath(new URL("../../fixtures/configurations", import.meta.url))

/** Loads the configuration as a server does that is started in the folder of these files. */
const read = (release: string, file: string) => {
  const home = join(fixtures, release)
  const folders = { home, cwd: home, library: undefined, installation: home }
  return loadConfig({ file: join(home, "conf", file), folders, environment: {}, overrides: [] })
}

/** Starts a server with it on another address. Returns the result of a script and the notes of the log. */
const start = async (release: string, file: string) => {
  const { notes, settings } = await Effect.runPromise(read(release, file))
  const { authority } = await startServer({ ...settings, host: "127.0.0.1", port: 0 })
  const ask = async (gremlin: string): Promise<unknown> => {
    if (settings.channelizer === "HttpChannelizer") return (await post(authority, gremlin)).json.result.data
    const client = await SocketClient.connect(authority)
    const { result, status } = await client.eval(gremlin)
    return status.code < 300 ? result.data : status.message
  }
  return { ask, authority, notes: notes.map(({ text }) => text), settings }
}

describe("The files of Gremlin Server 3.8.1", () => {
  const counts: Readonly<Record<string, number>> = {
    "gremlin-server.yaml": 0,
    "gremlin-server-classic.yaml": 6,
    "gremlin-server-min.yaml": 0,
    "gremlin-server-modern.yaml": 6,
    "gremlin-server-modern-readonly.yaml": 6,
    "gremlin-server-rest-modern.yaml": 6,
    "gremlin-server-transaction.yaml": 0
  }

  for (const [file, count] of Object.entries(counts)) {
    it(`start a server unchanged: ${file}`, async () => {
      const { ask } = await start("gremlin-server-3.8.1", file)
      expect(await ask("g.V().count()")).toEqual([count])
    })
  }

  it("for a secure server do not start without the missing key", async () => {
    for (const file of ["gremlin-server-secure.yaml", "gremlin-server-rest-secure.yaml"]) {
      const failure = await Effect.runPromise(Effect.flip(read("gremlin-server-3.8.1", file)))
      expect(failure.problems.map(({ setting }) => setting)).toEqual(["ssl.keyStore"])
    }
  })

  it("are all tested", () => {
    const files = readdirSync(join(fixtures, "gremlin-server-3.8.1", "conf")).filter((name) => name.endsWith(".yaml"))
    const secure = ["gremlin-server-secure.yaml", "gremlin-server-rest-secure.yaml"]
    expect(files.toSorted()).toEqual([...Object.keys(counts), ...secure].toSorted())
  })

  it("keep their meaning", async () => {
    const readOnly = await start("gremlin-server-3.8.1", "gremlin-server-modern-readonly.yaml")
    expect(await readOnly.ask("g.addV()")).toContain("is not read only")
    const transactions = await start("gremlin-server-3.8.1", "gremlin-server-transaction.yaml")
    expect(transactions.settings.graphs.get("graph")?.factory.kind).toBe("TinkerTransactionGraph")
    const rest = await start("gremlin-server-3.8.1", "gremlin-server-rest-modern.yaml")
    const upgrade = { connection: "upgrade", upgrade: "websocket" }
    expect((await http(rest.authority, { path: "/gremlin", headers: upgrade })).status).toBe(400)
  })

  it("cause one note for settings without effect", async () => {
    const { notes } = await start("gremlin-server-3.8.1", "gremlin-server.yaml")
    expect(notes.filter((note) => note.startsWith("Settings without effect here: "))).toEqual([
      "Settings without effect here: metrics (GET /metrics serves them), maxChunkSize (bodies are read as they arrive), " +
        "maxAccumulationBufferComponents (bodies are read as they arrive), " +
        "writeBufferLowWaterMark (requests resume when all written data is sent), " +
        "ioRegistries (the types of every graph are built in), GremlinServerGremlinPlugin (the server has no Groovy engine), " +
        "TinkerGraphGremlinPlugin (the server has no Groovy engine)"
    ])
  })
})

describe("The files of older and other servers", () => {
  it("start a server: Gremlin Server 3.6.8", async () => {
    const { ask } = await start("gremlin-server-3.6.8", "gremlin-server.yaml")
    expect(await ask("g.V().count()")).toEqual([0])
  })

  it("start a server: JanusGraph Server 1.1.0, by both names of its file", async () => {
    for (const file of ["janusgraph-server.yaml", join("gremlin-server", "gremlin-server.yaml")]) {
      const { ask, settings } = await start("janusgraph-1.1.0", file)
      expect(settings.graphs.get("graph")?.factory).toMatchObject({
        kind: "JanusGraphFactory",
        storage: { backend: "inmemory" }
      })
      expect(await ask("g.addV('person').count()")).toEqual([1])
      expect(await ask("g.V().count()")).toEqual([1])
    }
  })

  it("keep JanusGraph's explicit commit in sessions", async () => {
    const { ask, authority } = await start("janusgraph-1.1.0", "janusgraph-server.yaml")
    const client = await SocketClient.connect(authority)
    const inSession = async (gremlin: string) => (await client.eval(gremlin, { session: "s" })).result.data
    await inSession("g.addV('person').iterate()")
    expect([await inSession("g.V().count()"), await ask("g.V().count()")]).toEqual([[1], [0]])
    await inSession("g.tx().rollback()")
    expect(await inSession("g.V().count()")).toEqual([0])
    await inSession("g.addV('person').iterate(); g.tx().commit()")
    expect(await ask("g.V().count()")).toEqual([1])
  })
})
