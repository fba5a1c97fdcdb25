import { existsSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { beforeAll, describe, expect, it } from "vitest"
import { converse } from "../../../src/layers/commands/ControlClient.ts"
import { WholeServer } from "../../../src/layers/workers/WholeServer.ts"
import type { WorkerLink } from "../../../src/layers/workers/WorkerLink.ts"
import { newFolder } from "../../Folders.ts"
import { post } from "../support/HttpClient.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"
import { clientOfEach, startWorkers, until, type WorkerServer } from "../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

/** Runs a command on a graph. Returns the lines of its answer. */
const tool = async ({ socket }: WorkerServer, request: unknown): Promise<ReadonlyArray<Record<string, unknown>>> => {
  const lines: Array<Record<string, unknown>> = []
  await Effect.runPromise(converse(socket, `tool ${JSON.stringify(request)}`, (line) => lines.push(JSON.parse(line))))
  return lines
}

/** A CSV file with vertices. */
const vertices = ({ folder }: WorkerServer, count: number): string => {
  const file = join(folder, "people.csv")
  const rows = Array.from({ length: count }, (_, i) => `p${i},person,name ${i}`)
  writeFileSync(file, ["~id,~label,name:String", ...rows, ""].join("\n"))
  return file
}

/** A worker in a state, which answers every question with its number. `asked` collects the questions. */
const workerIn = (number: number, state: WorkerLink["state"], asked: Array<string>) => {
  const questions = new Map<string, (body: unknown) => unknown>()
  const channel = {
    onNotice: () => undefined,
    onQuestion: (name: string, answer: (body: unknown) => unknown) => questions.set(name, answer),
    ask: (_: string, { name }: { readonly name: string }) => {
      asked.push(`${number} ${name}`)
      return state === "starting" ? Promise.reject(new Error("this worker is starting")) : Promise.resolve(number)
    }
  }
  let end: () => void = () => undefined
  const ended = new Promise((resolve) => {
    end = () => resolve({ code: null, signal: "SIGKILL", isExpected: false })
  })
  const ready = new Promise<never>(() => undefined)
  return { link: { number, state, channel, ready, ended } as unknown as WorkerLink, questions, end }
}

describe("A question to the other workers", () => {
  it("about dynamic graphs also reaches a worker that starts, whose answer is not needed", async () => {
    const asked: Array<string> = []
    const workers = [workerIn(1, "serving", asked), workerIn(2, "serving", asked), workerIn(3, "starting", asked)]
    const server = new WholeServer(() => workers.map(({ link }) => link), undefined)
    for (const { link } of workers) server.attend(link)
    const others = workers[0]!.questions.get("others")!
    for (const name of ["graphsChanged", "releaseGraph", "running"]) {
      expect(await others({ name, body: { worker: 1 }, answerMs: 100 })).toEqual([{ worker: 2, answer: 2 }])
    }
    expect(asked.sort()).toEqual([
      "2 graphsChanged",
      "2 releaseGraph",
      "2 running",
      "3 graphsChanged",
      "3 releaseGraph"
    ])
    server.close()
  })
})

describe("A connection of the control socket", () => {
  it.each([
    [false, "given"],
    [true, "error: no worker took the command; try again later\n"]
  ])("is offered to many workers (each got it: %s), and then %j", async (wasSent, outcome) => {
    let failures = 20
    const end = new Promise((resolve) => {
      const channel = {
        hand: (_: unknown, onFailure: (wasSent: boolean) => void) => {
          if (failures-- > 0) setImmediate(() => onFailure(wasSent))
          else resolve("given")
        }
      }
      const link = { state: "serving", answers: true, connections: 0, isBlocked: false, channel }
      const server = new WholeServer(() => [link as unknown as WorkerLink], undefined)
      server.forward({ end: resolve } as unknown as Socket, "status")
    })
    expect(await end).toBe(outcome)
  })
})

describe("The drops of dynamic graphs that a starting worker learns", () => {
  it("are those that run in other workers, of which none is asked", async () => {
    const asked: Array<string> = []
    const workers = [workerIn(1, "serving", asked), workerIn(2, "serving", asked), workerIn(3, "starting", asked)]
    const server = new WholeServer(() => workers.map(({ link }) => link), undefined)
    for (const { link } of workers) server.attend(link)
    const [one, two, three] = workers
    const change = (from: typeof one, name: string, body: unknown) =>
      from!.questions.get("others")!({ name, body, answerMs: 100 })
    const drops = () => three!.questions.get("graphDrops")!(null)
    for (const name of ["a", "b"]) await change(one, "releaseGraph", { name, worker: 1 })
    await change(two, "releaseGraph", { name: "c", worker: 2 })
    await change(two, "graphsChanged", { worker: 2 })
    asked.splice(0)
    const third = { worker: 2, name: "c" }
    expect(drops()).toEqual([{ worker: 1, name: "a" }, { worker: 1, name: "b" }, third])
    expect(one!.questions.get("graphDrops")!(null)).toEqual([third])
    expect(asked).toEqual([])
    await change(one, "graphsChanged", { dropped: "a", worker: 1 })
    expect(drops()).toEqual([{ worker: 1, name: "b" }, third])
    one!.end()
    await eventually(() => JSON.stringify(drops()) === JSON.stringify([third]))
    server.close()
  })
})

describe.each([2, 4])("Commands on a running server with %i workers", (count) => {
  it("import, export, stats, verify and backup work on the graph of all workers", async () => {
    const server = await startWorkers(bundle, count)
    const imported = await tool(server, { tool: "import", files: [vertices(server, 2_000)], format: "csv" })
    expect(imported.at(-1)?.result).toContain("Imported 2,000 vertices")
    expect(imported.some(({ progress }) => progress !== undefined)).toBe(true)
    for (let i = 0; i < count; i++) {
      expect((await post(server.authority, "g.V().count()")).json.result.data).toEqual([2_000])
    }
    const exported = join(server.folder, "out")
    expect((await tool(server, { tool: "export", target: exported, format: "csv" })).at(-1)).toHaveProperty("result")
    expect(String((await tool(server, { tool: "stats", json: false })).at(-1)?.result)).toContain("2,000")
    const verified = await tool(server, { tool: "verify", repair: false, removeExpired: true })
    expect(verified.at(-1)?.result).toContain(
      "Removed what has expired: 0 vertices, 0 edges and 0 values.\nNothing is wrong."
    )
    const backup = join(server.folder, "backup")
    expect((await tool(server, { tool: "backup", target: backup })).at(-1)).toHaveProperty("result")
    expect([existsSync(exported), existsSync(backup)]).toEqual([true, true])
    await stop(server)
  })

  it("end when the client closes the connection", async () => {
    const server = await startWorkers(bundle, count)
    const file = vertices(server, 100_000)
    const client = connect(server.socket)
    client.write(`tool ${JSON.stringify({ tool: "import", files: [file], format: "csv" })}\n`)
    await new Promise((resolve) => client.once("data", resolve))
    client.destroy()
    const counted = async () => (await post(server.authority, "g.V().count()")).json.result.data[0] as number
    // Nothing is added any more: two counts in a row are equal, and not all vertices are there.
    let before = -1
    const kept = await until(counted, (now) => {
      const isSame = now === before
      before = now
      return isSame
    })
    expect(kept).toBeLessThan(100_000)
    await stop(server)
  })
})

describe("Commands on a running server with workers", () => {
  it("add users that all workers know", async () => {
    const folder = newFolder()
    writeFileSync(
      join(folder, "credentials.properties"),
      "gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=users\n"
    )
    const settings = [
      "authentication: {authenticator: SimpleAuthenticator, config: {credentialsDb: credentials.properties}}"
    ]
    const server = await startWorkers(bundle, 2, settings, folder)
    const request = { action: "add", user: "ada", password: "a long password" }
    expect(await server.control(`credentials ${JSON.stringify(request)}`)).toContain("ada")
    const authorization = `Basic ${Buffer.from("ada:a long password").toString("base64")}`
    for (let i = 0; i < 4; i++) {
      const answer = await fetch(`http://${server.authority}/?gremlin=g.inject(1)`, {
        headers: { authorization, connection: "close" }
      })
      expect(answer.status).toBe(200)
    }
    expect(await server.control('credentials {"action":"list"}')).toContain("ada")
    await stop(server)
  })
})

describe("Sessions of a server with workers", () => {
  it("belong to the worker of their connection: another worker refuses their names", async () => {
    const server = await startWorkers(bundle, 2)
    const [first, second] = await clientOfEach(server, 2)
    expect((await first!.eval("x = 1", { session: "shared" })).result.data).toEqual([1])
    const refused = await second!.eval("x", { session: "shared" })
    expect([refused.status.code, refused.status.message]).toEqual([
      500,
      expect.stringContaining("Session shared is not bound")
    ])
    expect((await first!.eval("x", { session: "shared" })).result.data).toEqual([1])
    await stop(server)
  })
})

describe("A worker that gets SIGTERM itself", () => {
  it("answers its requests, while new connections reach other workers", async () => {
    const server = await startWorkers(bundle, 2)
    const [client] = await clientOfEach(server, 2)
    const [first = 0] = await server.pids()
    let isAnswered = false
    const slow = client!.eval("x = 0L; for (i in 0..600000) { x = x + i }; x").finally(() => {
      isAnswered = true
    })
    await until(
      () => server.control("dump text"),
      (dump) => isAnswered || dump.includes("0..600000")
    )
    process.kill(first, "SIGTERM")
    await until(server.pids, (now) => !now.includes(first))
    for (let i = 0; i < 6; i++) {
      const answer = await fetch(`http://${server.authority}/?gremlin=g.inject(1)`, {
        headers: { connection: "close" }
      })
      expect(answer.status).toBe(200)
    }
    expect((await slow).result.data).toEqual([180_000_300_000])
    await until(server.pids, (now) => now.length === 2)
    await stop(server)
    expect(server.log.join("\n")).toContain(
      `(process ${first}) ends without an order of the primary process; a new one starts`
    )
  })
})
