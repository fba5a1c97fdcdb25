import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { WebSocket } from "ws"
import { buildServer, type ServerProcess, startServer } from "./ServerProcess.ts"

/**
 * npm run bench -- overload [part]: the server beyond its capacity. Parts: goodput (0.5, 1 and 2 times the capacity), idle
 * (memory of 5,000 idle connections), leak (200,000 requests), fairness (point reads while queries run that never end).
 */
const only = process.argv[2] ?? ""
const part = async (name: string, run: () => Promise<void>): Promise<void> => {
  if (name.includes(only)) await run()
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const percentile = (values: Array<number>, share: number): string => {
  values.sort((a, b) => a - b)
  return (values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN).toFixed(1)
}

const MIME = "application/vnd.gremlin-v3.0+json;types=false"

const message = (requestId: string, gremlin: string, session?: string): Buffer => {
  const args = session === undefined ? { gremlin } : { gremlin, session }
  const body = JSON.stringify({ requestId, op: "eval", processor: session === undefined ? "" : "session", args })
  return Buffer.concat([Buffer.from([MIME.length]), Buffer.from(MIME), Buffer.from(body)])
}

/** One WebSocket with any number of requests in flight. */
class Client {
  readonly #waiting = new Map<string, (code: number) => void>()
  readonly ws: WebSocket

  private constructor(ws: WebSocket) {
    this.ws = ws
    ws.on("message", (data: Buffer) => {
      const head = data.toString("latin1", 0, 150)
      const id = /"requestId":"([^"]+)"/.exec(head)?.[1]
      const code = Number(/"code":(\d+)/.exec(data.toString("latin1"))?.[1])
      if (id === undefined || code === 206) return
      this.#waiting.get(id)?.(code)
      this.#waiting.delete(id)
    })
    ws.on("error", () => {})
  }

  static connect(port: number): Promise<Client> {
    const ws = new WebSocket(`ws://127.0.0.1:${port}/gremlin`, { perMessageDeflate: false })
    return new Promise((resolve, reject) => {
      ws.once("open", () => resolve(new Client(ws)))
      ws.once("error", reject)
    })
  }

  get waiting(): number {
    return this.#waiting.size
  }

  call(gremlin: string, session?: string): Promise<number> {
    const id = randomUUID()
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.ws.send(message(id, gremlin, session))
    })
  }

  end(): void {
    this.ws.terminate()
  }
}

// ---- goodput

/** About 1 ms of work, so that the server saturates before the client. */
const WORK = "g.inject(1).repeat(__.map(__.identity())).times(400).count()"
const CLIENTS = 32

interface Offered {
  readonly goodput: number
  readonly sent: number
  readonly refused: number
  readonly lost: number
  readonly refusals: Array<number>
  readonly answers: Array<number>
}

/** Sends requests at a fixed rate per second, without waiting for answers. */
const offer = async (clients: ReadonlyArray<Client>, rate: number, seconds: number): Promise<Offered> => {
  const refusals: Array<number> = []
  const answers: Array<number> = []
  const begin = performance.now()
  let sent = 0
  let inTime = 0
  while (performance.now() - begin < seconds * 1_000) {
    const due = Math.floor(((performance.now() - begin) / 1_000) * rate)
    for (; sent < due; sent++) {
      const at = performance.now()
      void clients[sent % clients.length]!.call(WORK).then((code) => {
        const now = performance.now()
        if (code === 200) {
          answers.push(now - at)
          if (now - begin < seconds * 1_000) inTime++
        } else refusals.push(now - at)
      })
    }
    await pause(1)
  }
  await pause(1_500)
  const lost = clients.reduce((sum, client) => sum + client.waiting, 0)
  return { goodput: inTime / seconds, sent, refused: refusals.length, lost, refusals, answers }
}

/** Answers per second, and per second of the server's CPU time, when each client waits for its answer. */
const capacity = async (server: ServerProcess, clients: ReadonlyArray<Client>, seconds: number) => {
  const until = performance.now() + seconds * 1_000
  const cpu = server.cpu()
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) if ((await client.call(WORK)) === 200) done++
    })
  )
  return { rate: done / seconds, perCpu: done / ((server.cpu() - cpu) / 1e6) }
}

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(0)} %`

const goodput = async (): Promise<void> => {
  const server = await startServer({ yaml: "enginePool: 4\nmaxWorkQueueSize: 64\nslowQueryThreshold: 0\n" })
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => Client.connect(server.port)))
  await capacity(server, clients, 2)
  console.log(`enginePool 4, maxWorkQueueSize 64, ${CLIENTS} connections; the capacity is measured before each line`)
  for (const factor of [0.5, 1, 2, 4]) {
    // The capacity varies with other work on the machine.
    const peak = await capacity(server, clients, 3)
    const cpu = server.cpu()
    const found = await offer(clients, peak.rate * factor, 5)
    const perCpu = found.answers.length / ((server.cpu() - cpu) / 1e6)
    console.log(
      `offered ${factor} x ${peak.rate.toFixed(0)} /s: answered ${found.goodput.toFixed(0)} /s ` +
        `(${percent(found.goodput, peak.rate)}; for each second of the server's CPU ${percent(perCpu, peak.perCpu)}), ` +
        `${found.refused} of ${found.sent} refused, ${found.lost} never answered; answers p50 ` +
        `${percentile(found.answers, 0.5)} p99 ${percentile(found.answers, 0.99)} ms, refusals p50 ` +
        `${percentile(found.refusals, 0.5)} p99 ${percentile(found.refusals, 0.99)} ms`
    )
  }
  for (const client of clients) client.end()
  await server.stop()
}

// ---- idle connections

const IDLE = 5_000

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => resolve(socket))
    socket.once("error", reject)
  })

const handshake =
  "GET /gremlin HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

const request = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{"gremlin":"1"}'

const firstBytes = (socket: Socket, bytes: string): Promise<void> =>
  new Promise((resolve) => {
    socket.once("data", () => resolve())
    socket.write(bytes)
  })

const idle = async (): Promise<void> => {
  const kinds: ReadonlyArray<readonly [string, string]> = [
    ["WebSocket", handshake],
    ["HTTP, after a request", request]
  ]
  for (const [name, bytes] of kinds) {
    const server = await startServer()
    // Excludes one-time allocations and the first growth of the heap.
    for (let i = 0; i < 200; i++) {
      const socket = await opened(server.port)
      await firstBytes(socket, bytes)
      socket.destroy()
    }
    await pause(2_000)
    const before = server.memory()
    const sockets: Array<Socket> = []
    while (sockets.length < IDLE) {
      const batch = await Promise.all(Array.from({ length: 50 }, () => opened(server.port)))
      await Promise.all(batch.map((socket) => firstBytes(socket, bytes)))
      sockets.push(...batch)
    }
    const open = server.memory()
    await pause(15_000)
    const settled = server.memory()
    const cost = (memory: number): string => (((memory - before) * 1_024) / IDLE).toFixed(1)
    console.log(
      `${IDLE} idle connections, ${name}: ${cost(settled)} kB each (${cost(open)} kB just after they were opened; ` +
        `${before.toFixed(0)} MB before)`
    )
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
}

// ---- leaks

const descriptors = (server: ServerProcess): number => readdirSync(`/proc/${server.pid}/fd`).length

const leak = async (): Promise<void> => {
  const server = await startServer({ nodeOptions: ["--max-old-space-size=256"] })
  const scripts = ["1", "g.V().count()", "g.addV('a').property('k',1).drop()", "nope(", "g.inject(1,2,3).fold()"]
  const round = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1_000) {
      const clients = await Promise.all(Array.from({ length: 10 }, () => Client.connect(server.port)))
      await Promise.all(
        clients.flatMap((client, c) =>
          Array.from({ length: 100 }, (_, i) =>
            client.call(scripts[(c + i) % scripts.length]!, i % 10 === 0 ? "s" : undefined)
          )
        )
      )
      for (const client of clients) client.end()
    }
    await pause(2_000)
  }
  await round(50_000)
  const before = { memory: server.memory(), descriptors: descriptors(server) }
  await round(200_000)
  const after = { memory: server.memory(), descriptors: descriptors(server) }
  console.log(
    `200,000 requests on 2,000 connections: resident ${before.memory.toFixed(0)} -> ${after.memory.toFixed(0)} MB, ` +
      `descriptors ${before.descriptors} -> ${after.descriptors}`
  )
  await server.stop()
}

// ---- fairness

const RUNAWAY = "g.inject(1).repeat(__.identity()).until(__.is(2))"

const fairness = async (): Promise<void> => {
  for (const where of ["the pool", "sessions"]) {
    const server = await startServer({ yaml: "enginePool: 32\nevaluationTimeout: 60000\n" })
    const runaways = await Client.connect(server.port)
    const reader = await Client.connect(server.port)
    const reads = async (seconds: number): Promise<Array<number>> => {
      const times: Array<number> = []
      for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
        const at = performance.now()
        await reader.call("g.V().hasId(1)")
        times.push(performance.now() - at)
        await pause(2)
      }
      return times
    }
    await reads(1)
    const alone = await reads(2)
    for (let i = 0; i < 16; i++) void runaways.call(RUNAWAY, where === "sessions" ? `s${i}` : undefined)
    await pause(300)
    const beside = await reads(5)
    console.log(
      `point reads alone p50 ${percentile(alone, 0.5)} p99 ${percentile(alone, 0.99)} ms; beside 16 runaway queries in ` +
        `${where} p50 ${percentile(beside, 0.5)} p99 ${percentile(beside, 0.99)} ms`
    )
    const cpu = server.cpu()
    runaways.end()
    await pause(100)
    const stopped = server.cpu()
    await pause(1_000)
    console.log(
      `their client vanishes: ${((stopped - cpu) / 1_000).toFixed(0)} ms of CPU in the 100 ms after it, ` +
        `${((server.cpu() - stopped) / 1_000).toFixed(0)} ms in the second that follows`
    )
    reader.end()
    await server.stop()
  }
}

buildServer()
console.log(`${readFileSync("/proc/loadavg", "utf8").split(" ")[0]} is the load average of the machine`)
await part("goodput", goodput)
await part("idle", idle)
await part("leak", leak)
await part("fairness", fairness)
