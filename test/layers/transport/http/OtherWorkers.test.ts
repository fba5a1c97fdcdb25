import { randomUUID } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { newFolder } from "../../../Folders.ts"
import { patience } from "../../../Limits.ts"
import { http, UNTYPED } from "../../support/HttpClient.ts"
import { bundled, stop } from "../../support/ServerProcess.ts"
import { endless } from "../../support/TestServers.ts"
import { clientOfEach, startWorkers, until, type WorkerServer } from "../../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly authorization?: string
}

/** Calls a path on one kept connection, which belongs to one worker. */
const caller = ({ authority }: WorkerServer) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return async (path: string, { authorization, body, method = "GET" }: Call = {}) => {
    const headers = { accept: UNTYPED, ...(authorization === undefined ? {} : { authorization }) }
    const { json, status } = await http(
      authority,
      { agent, method, path, headers },
      body === undefined ? undefined : JSON.stringify(body)
    )
    return { json, status }
  }
}

/** A caller for each worker. */
const callers = async (server: WorkerServer, count: number) => {
  const all = Array.from({ length: count }, () => caller(server))
  for (const call of all) expect((await call("/health/live")).status).toBe(200)
  return all
}

describe.each([2, 4])("Each worker of a server with %i", (count) => {
  it("lists the requests of all workers, and cancels each", async () => {
    const server = await startWorkers(bundle, count, ["enginePool: 16"])
    const clients = await clientOfEach(server, count)
    const calls = await callers(server, count)
    const ids = clients.map((client) => client.send("eval", "", { gremlin: endless }))
    for (const call of calls) {
      const { json } = await until(
        () => call("/gremlin/status"),
        ({ json }) => json.runningQueryCount === count
      )
      const queries: ReadonlyArray<Record<string, unknown>> = json.queries
      expect(queries.map(({ queryId }) => queryId).sort()).toEqual([...ids].sort())
      expect(queries.map(({ worker }) => worker).sort()).toEqual(Array.from({ length: count }, (_, i) => i + 1))
    }
    const [last = calls[0]!] = calls.slice(-1)
    for (const [i, id] of ids.entries()) {
      expect((await last(`/gremlin/status?queryId=${id}`)).json).toMatchObject({ queryId: id, request: endless })
      const cancelled = await last(`/gremlin/status/${id}`, { method: "DELETE" })
      expect(cancelled).toMatchObject({ status: 200, json: { requestId: id, cancelled: 1 } })
      const answer = await clients[i]!.answer(id)
      expect(answer.status.message).toContain("The request was cancelled by an operator.")
    }
    const unknown = randomUUID()
    expect((await last(`/gremlin/status/${unknown}`, { method: "DELETE" })).status).toBe(404)
    await stop(server)
  })

  it("tells the slow requests and the intervals of the last ten minutes of all workers", async () => {
    const server = await startWorkers(bundle, count, ["slowQueryThreshold: 20"])
    const clients = await clientOfEach(server, count)
    const calls = await callers(server, count)
    for (const client of clients) {
      for (let i = 0; i < 3; i++) await client.eval("g.inject(1)")
      await client.eval(endless, { evaluationTimeout: 30 })
    }
    interface Found {
      readonly slow: ReadonlyArray<{ readonly requestId: string; readonly request: string }>
      readonly intervals: ReadonlyArray<{ readonly operations: { readonly eval?: { readonly count: number } } }>
    }
    const evaluated = ({ intervals }: Found): number =>
      intervals.reduce((sum, { operations }) => sum + (operations.eval?.count ?? 0), 0)
    for (const call of calls) {
      // An interval ends each ten seconds.
      const { json } = await until(
        () => call("/console/recent"),
        ({ json }) => evaluated(json) >= 4 * count
      )
      expect(evaluated(json)).toBe(4 * count)
      const slow = (json as Found).slow.filter(({ request }) => request === endless)
      expect(new Set(slow.map(({ requestId }) => requestId)).size).toBe(count)
    }
    await stop(server)
  })

  it("shows and cancels loads of all workers, of which the server runs two at once", async () => {
    const folder = newFolder()
    mkdirSync(join(folder, "files"), { recursive: true })
    // No load ends before it is cancelled, on a machine that delays this process either.
    const rows = Array.from({ length: 400_000 * patience }, (_, i) => `p${i},person`)
    // The server imports a file only once at the same time.
    const sources = ["people.csv", "persons.csv"]
    for (const source of sources) writeFileSync(join(folder, "files", source), ["~id,~label", ...rows, ""].join("\n"))
    const server = await startWorkers(bundle, count, ["ioDirectory: files"], folder)
    const calls = await callers(server, count)
    const startOf = (source: string) => ({ method: "POST", body: { source, format: "csv" } })
    const begin = (call: (typeof calls)[number], source: string) =>
      until(
        () => call("/loader", startOf(source)),
        ({ status }) => status === 200
      )
    const started = [await begin(calls[0]!, sources[0]!), await begin(calls[1]!, sources[1]!)]
    expect(started.map(({ status }) => status)).toEqual([200, 200])
    const ids = started.map(({ json }) => json.payload.loadId as string)
    for (const call of calls) {
      // A worker that imports may be busy for a while.
      const { json } = await until(
        () => call("/loader"),
        ({ json }) => json.unansweredWorkers === undefined
      )
      expect([...json.payload.loadIds].sort()).toEqual([...ids].sort())
      await until(
        () => call("/loader", startOf(sources[0]!)),
        ({ json }) => json.message?.includes("2 loads are running") === true
      )
      for (const [i, id] of ids.entries()) {
        const { json } = await until(
          () => call(`/loader?loadId=${id}`),
          ({ status }) => status === 200
        )
        expect(json.payload.overallStatus).toMatchObject({ fullUri: sources[i], status: "LOAD_IN_PROGRESS" })
      }
    }
    for (const [i, id] of ids.entries()) {
      await until(
        () => calls[1 - i]!(`/loader?loadId=${id}`, { method: "DELETE" }),
        ({ status }) => status === 200
      )
      await until(
        () => calls[1 - i]!(`/loader?loadId=${id}`),
        ({ json }) => json.payload?.overallStatus.status === "LOAD_CANCELLED_BY_USER"
      )
    }
    expect((await calls[0]!("/loader?loadId=none", { method: "DELETE" })).status).toBe(404)
    await stop(server)
  })

  it("is ready while the primary process does not answer", async () => {
    const server = await startWorkers(bundle, count)
    const calls = await callers(server, count)
    server.child.kill("SIGSTOP")
    try {
      const more = { unansweredPrimary: true }
      for (const call of calls) {
        expect(await call("/health/ready")).toMatchObject({ status: 200, json: { status: "ready", ...more } })
        expect(await call("/status")).toMatchObject({ status: 200, json: { status: "healthy", ...more } })
      }
    } finally {
      server.child.kill("SIGCONT")
    }
    for (const call of calls) {
      await until(
        () => call("/health/ready"),
        ({ json }) => Object.keys(json).length === 1 && json.status === "ready"
      )
    }
    await stop(server)
  })

  it("changes the level of the log in all processes, and in those that start later", async () => {
    const server = await startWorkers(bundle, count, [])
    const calls = await callers(server, count)
    const lines = () => server.log.filter((line) => line.includes(" A script printed "))
    for (const call of calls) await call("/?gremlin=println(1)")
    await until(
      async () => lines().length,
      (length) => length === count
    )
    expect(
      lines()
        .map((line) => /worker=(\d+)/.exec(line)?.[1])
        .sort()
    ).toEqual(Array.from({ length: count }, (_, i) => String(i + 1)))
    const changed = await calls[0]!("/log-level", { method: "PUT", body: { level: "error" } })
    expect(changed.json).toMatchObject({ level: "error", configured: "info" })
    for (const call of calls) {
      expect((await call("/log-level")).json.level).toBe("error")
      await call("/?gremlin=println(1)")
    }
    const pids = await server.pids()
    process.kill(pids[count - 1]!, "SIGKILL")
    await until(server.pids, (now) => now.length === count && !now.includes(pids[count - 1]!))
    const after = await callers(server, count)
    for (const call of after) {
      await until(
        () => call("/log-level"),
        ({ json }) => json.level === "error"
      )
      await call("/?gremlin=println(1)")
    }
    expect((await after[1]!("/log-level", { method: "DELETE" })).json.level).toBe("info")
    for (const call of after) expect((await call("/log-level")).json.level).toBe("info")
    await stop(server)
    expect(lines()).toHaveLength(count)
    const changes = server.log.filter((line) => line.includes("The level of the log changes"))
    expect(changes).toHaveLength(2)
  })
})

describe("The paths of a server with workers", () => {
  it("show and cancel only a user's own requests in other workers, and all for operators", async () => {
    const folder = newFolder()
    writeFileSync(
      join(folder, "credentials.properties"),
      "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=users\n"
    )
    const server = await startWorkers(
      bundle,
      2,
      [
        "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: credentials.properties}}",
        "authorization: {authorizer: RoleAuthorizer}"
      ],
      folder
    )
    for (const [user, role] of [
      ["ada", "editor"],
      ["bob", "editor"],
      ["eve", "admin"]
    ]) {
      const request = { action: "add", user, password: "a long password", role }
      expect(await server.control(`credentials ${JSON.stringify(request)}`)).toContain(user)
    }
    const basic = (user: string) => `Basic ${Buffer.from(`${user}:a long password`).toString("base64")}`
    const running = caller(server)
    const requestId = randomUUID()
    const body = { gremlin: endless, requestId }
    const answer = running("/", { method: "POST", body, authorization: basic("ada") })
    const other = caller(server)
    const found = async (user: string) =>
      (await other("/gremlin/status", { authorization: basic(user) })).json.queries as ReadonlyArray<{ user: string }>
    await until(
      () => found("eve"),
      (queries) => queries.length === 1 && queries[0]?.user === "ada"
    )
    expect(await found("ada")).toHaveLength(1)
    expect(await found("bob")).toEqual([])
    const cancel = (user: string) =>
      other(`/gremlin/status/${requestId}`, { method: "DELETE", authorization: basic(user) })
    expect((await cancel("bob")).status).toBe(404)
    expect((await cancel("ada")).status).toBe(200)
    expect((await answer).json.message).toContain("The request was cancelled by the user 'ada'.")
    await stop(server)
  })

  it("name a worker that does not answer, and stay ready", async () => {
    const server = await startWorkers(bundle, 2, ["enableAuditLog: true"])
    const calls = await callers(server, 2)
    const pids = await server.pids()
    const id = randomUUID()
    process.kill(pids[0]!, "SIGSTOP")
    try {
      const answers = await Promise.any(
        calls.map((call) =>
          Promise.all([call("/health/ready"), call("/status"), call("/gremlin/status"), call("/loader")])
        )
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      for (const { json } of answers) expect(json.unansweredWorkers).toEqual([1])
      const cancelled = await Promise.any(calls.map((call) => call(`/gremlin/status/${id}`, { method: "DELETE" })))
      expect(cancelled.status).toBe(504)
      expect(cancelled.json.message).toContain(
        "These workers did not answer in time: 1. They cancel it if they have it."
      )
      expect(server.log.find((line) => line.includes("Audit: cancelled"))).toContain(id)
    } finally {
      process.kill(pids[0]!, "SIGCONT")
    }
    await until(
      () => calls[1]!("/health/ready"),
      ({ json }) => json.unansweredWorkers === undefined
    )
    const [first, second] = await Promise.all(calls.map((call) => call("/status")))
    expect(first!.json.startTime).toBe(second!.json.startTime)
    await stop(server)
  })
})
