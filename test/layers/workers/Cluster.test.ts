import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { beforeAll, describe, expect, it } from "vitest"
import { EngineServer } from "../../../src/layers/EngineServer.ts"
import { startCluster } from "../../../src/layers/workers/Cluster.ts"
import { defaultSettings } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { http } from "../support/HttpClient.ts"
import { bundled } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"

let program = ""
let module = ""
beforeAll(async () => {
  const folder = await bundled({ main: "src/main.ts", graph: "test/layers/workers/GraphOfModule.ts" })
  program = join(folder, "main.mjs")
  module = join(folder, "graph.mjs")
})

/** A server whose graph is that of a module in memory, and the file of its calls. */
const ofModule = (workers: number) => {
  const calls = join(newFolder(), "calls")
  const graph = defaultSettings().graphs.get("graph")!
  const graphs = new Map([
    ["graph", { ...graph, factory: { kind: "module" as const, module }, options: new Map([["calls", calls]]) }]
  ])
  const logging = { format: "text" as const, level: "off" as const, file: undefined }
  return { calls, settings: defaultSettings({ port: 0, channelizer: "HttpChannelizer", logging, graphs, workers }) }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("EngineServer.cluster", () => {
  it("serves with the settings of the program, secrets included, in another process, until the scope closes", async () => {
    const users = { ...defaultSettings().graphs.get("graph")!, name: "credentialsDb" }
    const settings = defaultSettings({
      port: 0,
      channelizer: "HttpChannelizer",
      logging: { format: "text", level: "off", file: undefined },
      authentication: {
        ...defaultSettings().authentication,
        authenticator: "SimpleAuthenticator",
        credentialsDb: users,
        defaultUsername: "ada",
        defaultPassword: Redacted.make("lovelace")
      }
    })
    const pids = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const cluster = yield* startCluster(settings, program)
          expect(cluster.port).toBeGreaterThan(0)
          const ask = (password: string) =>
            Effect.promise(() =>
              http(`127.0.0.1:${cluster.port}`, { auth: `ada:${password}` }, JSON.stringify({ gremlin: "g.inject(7)" }))
            )
          expect((yield* ask("wrong")).status).toBe(401)
          expect((yield* ask("lovelace")).status).toBe(200)
          const [before] = cluster.workers()
          yield* cluster.reload
          const [after] = cluster.workers()
          expect([before?.pid, after?.pid]).not.toContain(process.pid)
          expect(after?.pid).not.toBe(before?.pid)
          expect((yield* ask("lovelace")).status).toBe(200)
          return [before?.pid ?? 0, after?.pid ?? 0]
        })
      )
    )
    await eventually(async () => !pids.some(isRunning))
  })

  it("reloads one worker with the graph of a module in memory, beside which the new one runs", async () => {
    const { settings } = ofModule(1)
    const answer = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const cluster = yield* startCluster(settings, program)
          yield* cluster.reload
          return yield* Effect.promise(() => http(`127.0.0.1:${cluster.port}`, {}, '{"gremlin":"g.V().count()"}'))
        })
      )
    )
    expect(answer.status).toBe(200)
  })

  it("refuses the graph of a module in memory in the first of two workers, before its start scripts run", async () => {
    const { calls, settings } = ofModule(2)
    const { message } = await Effect.runPromise(Effect.scoped(Effect.flip(startCluster(settings, program))))
    expect(message).toContain("is in the memory of one process, and workers cannot share it. Set workers to 1")
    expect(readFileSync(calls, "utf8")).toBe("opened\n")
  })

  it("refuses workers with a graph in memory, a channelizer of a module, a pool that they cannot share, and no program", async () => {
    const start = (settings: Parameters<typeof defaultSettings>[0], file: string) =>
      Effect.runPromise(Effect.scoped(Effect.flip(startCluster(defaultSettings({ port: 0, ...settings }), file))))
    expect((await start({ workers: 2 }, program)).message).toContain(
      "the graph 'graph' is in the memory of one process"
    )
    const tooLarge = await start({ enginePool: 5_000, workers: 1 }, program)
    expect([tooLarge._tag, tooLarge.message]).toEqual([
      "IllegalStateException",
      "enginePool is 5000, and worker processes share at most 4096 lanes. Lower it, or set 'workers: 1'."
    ])
    const own = await start({ channelizer: { module: "/x/lines.js" } }, program)
    expect(own.message).toContain("a channelizer of a module listens itself. Use EngineServer.start")
    const nowhere = join(newFolder(), "main.js")
    expect((await start({}, nowhere)).message).toContain(`the server program ${nowhere} is missing`)
  })
})

describe("EngineServer.start", () => {
  it("refuses the setting workers, and names EngineServer.cluster", async () => {
    const { message } = await Effect.runPromise(
      Effect.scoped(Effect.flip(EngineServer.start(defaultSettings({ port: 0, workers: 2 }))))
    )
    expect(message).toContain("EngineServer.cluster starts workers")
  })
})
