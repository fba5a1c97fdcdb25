import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { PROCESSES_MS } from "../../Limits.ts"
import { http, post, UNTYPED } from "../support/HttpClient.ts"
import { isPacked, sourcesOnly } from "../support/Packed.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually } from "../support/TestServers.ts"
import { startWorkers, type WorkerServer } from "../support/WorkerServer.ts"

sourcesOnly("it changes a constant of the program")

const WRITERS = 4
const RELOADS = 2
/** Commits that each writer has answered between two reloads. */
const BETWEEN = 5

let bundle = ""
/** A program whose workers share transactions on every disk. */
beforeAll(async () => {
  if (isPacked) return
  bundle = await bundled({ main: "src/main.ts" })
  let found = 0
  for (const name of readdirSync(bundle)) {
    const file = join(bundle, name)
    const text = readFileSync(file, "utf8")
    const changed = text.replace(/\b(SLOW_SYNC_MS = )\d+\b/, "$10")
    if (changed === text) continue
    writeFileSync(file, changed)
    found++
  }
  expect(found).toBe(1)
})

/** A client that commits one vertex after another, each with a number of its own. */
class Writer {
  readonly answered: Array<number> = []
  /** Numbers of requests that reached the server after it had closed the connection. */
  readonly refused: Array<number> = []
  isOver = false
  readonly #first: number

  constructor(index: number) {
    this.#first = index * 1_000_000
  }

  get sent(): number {
    return this.answered.length + this.refused.length
  }

  #next(): { readonly number: number; readonly gremlin: string } {
    const number = this.#first + this.sent
    return { number, gremlin: `g.addV('written').property('number', ${number}).iterate()` }
  }

  /** Writes by WebSocket. Connects again when a worker that ends closes the connection. */
  async overWebSocket({ authority }: WorkerServer): Promise<void> {
    let client = await SocketClient.connect(authority)
    while (!this.isOver) {
      const { gremlin, number } = this.#next()
      const outcome = await client.eval(gremlin).then(
        ({ status }) => status.code,
        () => "closed" as const
      )
      if (outcome === "closed") {
        expect((await client.closed).code).toBe(1012)
        this.refused.push(number)
        client = await SocketClient.connect(authority)
      } else {
        expect(outcome).toBe(204)
        this.answered.push(number)
      }
    }
    client.close()
  }

  /** Writes by HTTP, over a connection that is kept until an answer says that it is closed. */
  async overHttp({ authority }: WorkerServer): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!this.isOver) {
      const { gremlin, number } = this.#next()
      const { status } = await http(authority, { agent, headers: { accept: UNTYPED } }, JSON.stringify({ gremlin }))
      expect(status).toBe(200)
      this.answered.push(number)
    }
    agent.destroy()
  }
}

it.each([2, 4])(
  "A reload of %i workers that share transactions answers each request that has begun, and applies each commit once",
  async (workers) => {
    const server = await startWorkers(bundle, workers)
    await post(server.authority, "graph.createIndex('number', Vertex.class); null")
    const writers = Array.from({ length: 2 * WRITERS }, (_, index) => new Writer(index + 1))
    const work = writers.map((writer, i) => (i < WRITERS ? writer.overWebSocket(server) : writer.overHttp(server)))
    const failed = Promise.all(work)
    const progress = async (): Promise<void> => {
      const before = writers.map(({ answered }) => answered.length)
      const goOn = eventually(() => writers.every(({ answered }, i) => answered.length >= before[i]! + BETWEEN))
      await Promise.race([goOn, failed])
    }
    await progress()
    for (let i = 0; i < RELOADS; i++) {
      const before = await server.pids()
      await Promise.race([server.reload(), failed])
      await progress()
      // Each worker hands commits over, in a file of its own.
      expect(readdirSync(join(server.folder, "db")).some((name) => name.startsWith("server.handed."))).toBe(true)
      expect((await server.pids()).filter((pid) => before.includes(pid))).toEqual([])
    }
    for (const writer of writers) writer.isOver = true
    await failed
    const found = await post(server.authority, "g.V().hasLabel('written').values('number').order().fold()")
    expect(found.json.result.data[0]).toEqual(writers.flatMap(({ answered }) => answered).sort((a, b) => a - b))
    await stop(server)
  },
  PROCESSES_MS
)
