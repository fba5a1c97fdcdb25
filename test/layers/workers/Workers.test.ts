import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { request } from "../../../src/layers/commands/ControlClient.ts"
import { reload } from "../../../src/layers/commands/ReloadCommand.ts"
import { newFolder } from "../../Folders.ts"
import { http, post } from "../support/HttpClient.ts"
import { bundled, kill, type ServerProcess, startProcess, stop } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { endless, eventually } from "../support/TestServers.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

interface Running extends ServerProcess {
  readonly folder: string
  readonly authority: string
  readonly status: () => Promise<string>
  /** The process ids of the workers that serve. */
  readonly pids: () => Promise<ReadonlyArray<number>>
}

const start = async (workers: number, settings: ReadonlyArray<string> = []): Promise<Running> => {
  const folder = newFolder()
  const socket = join(folder, "control.sock")
  const server = await startProcess(bundle, folder, {
    properties: ["storage.backend=lmdb", "storage.directory=db"],
    settings: [`workers: ${workers}`, `controlSocket: ${socket}`, ...settings]
  })
  const status = () => Effect.runPromise(request(socket, "status"))
  // The control socket is the last part of the start.
  await eventually(() =>
    status().then(
      () => true,
      () => false
    )
  )
  const pids = async () =>
    Array.from((await status()).matchAll(/^worker \d+: process (\d+), serving/gm), ([, pid]) => Number(pid))
  return { ...server, folder, authority: `127.0.0.1:${server.port}`, status, pids }
}

const isRunning = (pid: number): boolean => {
  try {
    // A zombie still has a process id.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

const reloaded = ({ folder }: Running) => Effect.runPromise(Effect.either(reload(join(folder, "control.sock"))))

/** The numbers of connections of the workers, by `status`. */
const connectionsOf = async ({ status }: Running): Promise<ReadonlyArray<number>> =>
  Array.from((await status()).matchAll(/, serving, (\d+) connections$/gm), ([, count]) => Number(count))

describe.each([2, 4])("A server with %i workers", (count) => {
  it("divides connections equally, and each worker sees the commits of the others at once", async () => {
    const server = await start(count)
    const clients: Array<SocketClient> = []
    // One after the other: of many at once, a worker that has not taken its share in time gets fewer.
    const connect = async (added: number): Promise<void> => {
      for (let i = 0; i < added; i++) clients.push(await SocketClient.connect(server.authority))
    }
    await connect(4)
    expect(await connectionsOf(server)).toEqual(Array(count).fill(4 / count))
    for (const [i, client] of clients.entries()) {
      const { status } = await client.eval("g.addV('made').property('by', by).iterate()", { bindings: { by: i } })
      expect(status.code).toBe(204)
      for (const other of clients) {
        const { result } = await other.eval("g.V().hasLabel('made').count()")
        expect(result.data).toEqual([i + 1])
      }
    }
    await connect(60)
    expect(await connectionsOf(server)).toEqual(Array(count).fill(64 / count))
    for (const client of clients) client.ws.close()
    await eventually(async () => (await connectionsOf(server)).every((open) => open === 0))
    await stop(server)
  })

  it("loses no answered commit while workers are killed under load, and goes on", async () => {
    const server = await start(count)
    const answered = new Set<number>()
    let isOver = false
    const write = async (writer: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let number = writer * 1_000_000; !isOver; number++) {
        const body = JSON.stringify({
          gremlin: "g.addV('made').property('number', n).iterate()",
          bindings: { n: number }
        })
        // A killed worker cuts its connections: the outcome of their requests is unknown.
        const sent = await http(server.authority, { agent }, body).catch(() => undefined)
        if (sent?.status === 200) answered.add(number)
      }
      agent.destroy()
    }
    const writers = Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    for (let kills = 0; kills < 4; kills++) {
      const before = answered.size
      await eventually(() => answered.size > before + 20)
      const pids = await server.pids()
      process.kill(pids[kills % pids.length]!, "SIGKILL")
    }
    const before = answered.size
    await eventually(() => answered.size > before + 20)
    isOver = true
    await writers
    const client = await SocketClient.connect(server.authority)
    const { result } = await client.eval("g.V().hasLabel('made').values('number').fold()", { batchSize: 1 })
    const stored = new Set((result.data as ReadonlyArray<ReadonlyArray<number>>)[0])
    expect([...answered].filter((number) => !stored.has(number))).toEqual([])
    expect(server.log.join("\n")).not.toContain("unexpected error")
    await stop(server)
  })

  it("replaces a killed worker at once, while the others serve, and logs how it ended", async () => {
    const server = await start(count)
    const before = await server.pids()
    expect(before).toHaveLength(count)
    const client = await SocketClient.connect(server.authority)
    await client.eval("g.addV('kept').iterate()")
    const [first = 0] = before
    process.kill(first, "SIGKILL")
    // A connection that the primary process has handed to the worker before it knows of its death is closed, as its others are.
    const death = new RegExp(`ERROR Worker \\d \\(process ${first}\\) ended with signal SIGKILL; a new one starts`)
    await eventually(() => death.test(server.log.join("\n")))
    // New connections reach the other workers, or wait for the new one.
    for (let i = 0; i < 20; i++) {
      const { json, status } = await http(
        server.authority,
        { agent: new Agent(), headers: { accept: "application/vnd.gremlin-v3.0+json;types=false" } },
        JSON.stringify({ gremlin: "g.V().hasLabel('kept').count()" })
      )
      expect([status, json.result.data]).toEqual([200, [1]])
      const ready = await http(server.authority, { agent: new Agent(), path: "/health/ready" })
      expect([ready.status, ready.json.status]).toEqual([200, "ready"])
    }
    await eventually(async () => {
      const now = await server.pids()
      return now.length === count && !now.includes(first)
    })
    await stop(server)
  })
})

describe("A primary process", () => {
  it("ends all workers at SIGTERM, after their requests are answered", async () => {
    const server = await start(2)
    const pids = await server.pids()
    let isAnswered = false
    const slow = post(server.authority, "x = 0L; for (i in 0..300000) { x = x + i }; x").finally(() => {
      isAnswered = true
    })
    const accepted = async () => (await http(server.authority, { path: "/gremlin/status" })).json.acceptedQueryCount > 0
    await eventually(async () => isAnswered || (await accepted()))
    await stop(server)
    expect((await slow).json.result.data).toEqual([45_000_150_000])
    expect(pids.filter(isRunning)).toEqual([])
  })

  it("refuses all new requests on new connections with 503 while it ends", async () => {
    const server = await start(2)
    const slow = SocketClient.connect(server.authority).then((client) =>
      client.eval(endless, { evaluationTimeout: 4_000 })
    )
    const path = "/gremlin/status"
    await eventually(async () => (await http(server.authority, { path })).json.acceptedQueryCount > 0)
    const ended = stop(server)
    // The other worker has no request, and ends at once. Before the order to stop arrives, requests are answered.
    let [accepted, refused] = [0, 0]
    while (refused < 30) {
      const { status, text } = await http(server.authority, { agent: new Agent() }, '{"gremlin":"1"}')
      expect([status, text]).toEqual(
        refused === 0 && status === 200 ? [200, text] : [503, expect.stringContaining("ServerStopping")]
      )
      if (status === 503) refused++
      else accepted++
    }
    expect(accepted).toBeLessThan(1_000)
    await slow
    await ended
  })

  it("takes its workers with it when it is killed", async () => {
    const server = await start(2)
    const pids = await server.pids()
    await kill(server)
    await eventually(async () => !pids.some(isRunning))
  })

  it("does not start when a worker cannot start, and reports the reason of the worker once", async () => {
    const folder = newFolder()
    writeFileSync(join(folder, "db"), "a file where a folder should be")
    const started = startProcess(bundle, folder, {
      properties: ["storage.backend=lmdb", "storage.directory=db"],
      settings: ["workers: 2"]
    })
    const { message } = await started.then(
      () => new Error("it started"),
      (error: Error) => error
    )
    expect(message).toMatch(/^the server ended with 1/)
    expect(message.match(/The files of the graph in .*db cannot be opened/g)).toHaveLength(1)
  })

  it("refuses an explicit number of workers with a graph in memory", async () => {
    const started = startProcess(bundle, newFolder(), {
      properties: ["storage.backend=inmemory"],
      settings: ["workers: 2"]
    })
    await expect(started).rejects.toThrow(/'workers: 2' cannot be honoured: the graph 'graph' is in the memory/)
  })
})

describe("A worker without its primary process", () => {
  it("does not become a server of its own", () => {
    const { status, stderr } = spawnSync(process.execPath, [join(bundle, "main.mjs"), "--port", "0"], {
      cwd: newFolder(),
      encoding: "utf8",
      env: { ...process.env, ENGINE_SERVER_WORKER: JSON.stringify({ number: 2, server: "gone", isFirst: false }) }
    })
    expect([status, stderr]).toEqual([
      1,
      "This worker process does not start, because its primary process has ended.\n"
    ])
  })
})

describe("reload", () => {
  it.each([2, 4])("replaces all of %i workers without cutting a request", async (count) => {
    const server = await start(count)
    const before = await server.pids()
    await post(server.authority, "g.addV('kept').iterate()")
    const idle = await SocketClient.connect(server.authority)
    const busy = await SocketClient.connect(server.authority)
    const slow = busy.eval("x = 0L; for (i in 0..300000) { x = x + i }; x")
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = () =>
      http(server.authority, {
        agent: kept,
        path: "/?gremlin=g.V().hasLabel('kept').count()",
        headers: { accept: "application/json" }
      })
    expect((await ask()).headers.connection).toBe("keep-alive")
    let isDone = false
    const done = reloaded(server).then((outcome) => {
      isDone = true
      return outcome
    })
    const connections: Array<string | undefined> = []
    // An agent asks on its kept connection, and opens a new one after `Connection: close`.
    while (!isDone) {
      const { headers, status } = await ask()
      expect(status).toBe(200)
      connections.push(headers.connection)
    }
    expect(await done).toMatchObject({
      right: `${count} workers started with the present program and configuration.\n`
    })
    expect((await idle.closed).code).toBe(1012)
    expect((await slow).result.data).toEqual([45_000_150_000])
    expect((await busy.closed).code).toBe(1012)
    connections.push((await ask()).headers.connection, (await ask()).headers.connection)
    expect(connections).toContain("close")
    const after = await server.pids()
    expect(after).toHaveLength(count)
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
    kept.destroy()
    await eventually(async () => !before.some(isRunning))
    expect((await post(server.authority, "g.V().hasLabel('kept').count()")).json.result.data).toEqual([1])
    await stop(server)
  })

  it("reads the configuration again, changes the number of workers, and says that a new address needs a restart", async () => {
    const server = await start(2)
    const file = join(server.folder, "server.yaml")
    const text = readFileSync(file, "utf8")
    writeFileSync(file, text.replace("port: 0", "port: 1").replace("workers: 2", "workers: 3\nmaxScriptLength: 5"))
    expect(await reloaded(server)).toMatchObject({
      right:
        "3 workers started with the present program and configuration.\nThe configuration names 127.0.0.1:1 now. The server " +
        "still listens on 127.0.0.1:0: restart it to change the address.\n"
    })
    expect(await server.pids()).toHaveLength(3)
    // A connection of its own: a kept one may still be that of an old worker.
    const answer = await http(server.authority, { agent: new Agent() }, JSON.stringify({ gremlin: "g.inject(1)" }))
    expect(answer.text).toContain("maxScriptLength")
    await stop(server)
  })

  it.each([2, 4])("says which other settings the primary process of %i workers keeps", async (count) => {
    const server = await start(count)
    const file = join(server.folder, "server.yaml")
    writeFileSync(
      file,
      `${readFileSync(file, "utf8")}\nscriptLogLength: 7\nshutdownTimeout: 4321\nmaxScriptLength: 70\n`
    )
    expect(await reloaded(server)).toMatchObject({
      right:
        `${count} workers started with the present program and configuration.\nThe primary process keeps its values of these ` +
        "settings until a restart: scriptLogLength, shutdownTimeout.\n"
    })
    await stop(server)
  })

  it("prints and logs the notes about the new configuration, once for all workers", async () => {
    const server = await start(2)
    const file = join(server.folder, "server.yaml")
    const text = "ssl: {enabled: false, needClientAuth: OPTIONAL}\ngraphManager: none\n"
    writeFileSync(file, `${readFileSync(file, "utf8")}\n${text}`)
    const optional = "ssl.needClientAuth: OPTIONAL is taken as REQUIRE, as in Gremlin Server"
    const outcome = await reloaded(server)
    expect(outcome).toMatchObject({ right: expect.stringContaining(`\nWARNING: ${optional}\n`) })
    expect(outcome).toMatchObject({ right: expect.stringContaining("\nSettings without effect here: graphManager") })
    const logged = (what: string) => server.log.filter((line) => line.includes(what))
    await eventually(() => logged("Settings without effect here").length > 0)
    expect(logged(optional)).toEqual([expect.stringContaining("WARN")])
    await stop(server)
  })

  it("is needed for an edited configuration: a worker that replaces a dead one has the settings of the others", async () => {
    const server = await start(2)
    const file = join(server.folder, "server.yaml")
    const text = readFileSync(file, "utf8")
    /** Kills both workers. Returns the status of a script of 11 characters in each new one. */
    const afterDeaths = async (): Promise<ReadonlyArray<number>> => {
      const before = await server.pids()
      for (const pid of before) process.kill(pid, "SIGKILL")
      await eventually(async () => {
        const pids = await server.pids()
        return pids.length === 2 && !pids.some((pid) => before.includes(pid))
      })
      const body = JSON.stringify({ gremlin: "g.inject(1)" })
      const ask = async () => (await http(server.authority, { agent: new Agent() }, body)).status
      return [await ask(), await ask()]
    }
    writeFileSync(file, "graphs: [")
    expect(await afterDeaths()).toEqual([200, 200])
    writeFileSync(file, `${text}\nmaxScriptLength: 5\n`)
    expect(await afterDeaths()).toEqual([200, 200])
    await reloaded(server)
    writeFileSync(file, "graphs: [")
    expect(await afterDeaths()).toEqual([400, 400])
    await stop(server)
  })

  it("keeps the old workers when a new one cannot start, and reports the reason", async () => {
    const server = await start(2)
    const before = await server.pids()
    writeFileSync(
      join(server.folder, "graph.properties"),
      "gremlin.graph=JanusGraphFactory\nstorage.backend=berkeleyje\n"
    )
    const outcome = await reloaded(server)
    expect(outcome).toMatchObject({ left: { message: expect.stringContaining("The old workers stay") } })
    // Each worker would have a graph of its own.
    writeFileSync(join(server.folder, "graph.properties"), "gremlin.graph=TinkerGraph\n")
    const file = join(server.folder, "server.yaml")
    writeFileSync(file, readFileSync(file, "utf8").replace("workers: 2", "workers: auto"))
    const reason = expect.stringContaining("the graph 'graph' is in the memory of one process")
    expect(await reloaded(server)).toMatchObject({ left: { message: reason } })
    expect(await server.pids()).toEqual(before)
    expect((await post(server.authority, "g.inject(1)")).json.result.data).toEqual([1])
    await stop(server)
  })
})
