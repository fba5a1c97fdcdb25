import { randomUUID } from "node:crypto"
import { readdirSync } from "node:fs"
import * as Context from "effect/Context"
import { describe, expect, it } from "vitest"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import type { ServerSettings } from "../../../src/services/Config.ts"
import { Dispatcher } from "../../../src/services/Dispatcher.ts"
import { MemoryBudget } from "../../../src/services/MemoryBudget.ts"
import { RequestPool } from "../../../src/services/RequestPool.ts"
import { Sessions } from "../../../src/services/Sessions.ts"
import { newFolder } from "../../Folders.ts"
import { frame } from "../../fuzz/Frames.ts"
import { Random } from "../../fuzz/Random.ts"
import { httpAnswers, isFinal } from "../../fuzz/Responses.ts"
import { seedOf, withSeed } from "../../fuzz/Seeds.ts"
import { SocketWire, Wire } from "../../fuzz/Wire.ts"
import { patience } from "../../Limits.ts"
import { post, raw } from "../support/HttpClient.ts"
import { leftovers } from "../support/Leftovers.ts"
import { onLmdb } from "../support/LmdbGraphs.ts"
import { testedWorkers } from "../support/Packed.ts"
import {
  endless,
  eventually,
  type InsideServer,
  startInside,
  startServer,
  type TestedServer
} from "../support/TestServers.ts"

/** RACE_SEED repeats the schedules of a failure. RACE_SCHEDULES is their number. */
const SEED = seedOf("RACE_SEED")
const SCHEDULES = Number(process.env.RACE_SCHEDULES ?? 200)

/** Vertices of one write: more than are committed or rolled back in one slice. */
const WRITTEN_VERTICES = 4_200
const numbers = Array.from({ length: WRITTEN_VERTICES }, (_, i) => i)

/** Time limit of a request, ms: enough for a write, on a slow machine too. */
const LIMIT_MS = 120 * patience

/** Time limit of a write that only a cancellation or a full queue keeps from its end, ms. */
const ENOUGH_MS = 20_000 * patience

const limits: Partial<ServerSettings> = { enginePool: 3, maxWorkQueueSize: 4, evaluationTimeout: LIMIT_MS }

/** A request, and its answers. */
interface Asked {
  readonly id: string
  readonly script: string
  readonly timeout: number
  readonly session: string | undefined
  /** Label of the vertices that it writes; undefined when it only reads. */
  readonly writes: string | undefined
  /** Codes of the final answers. */
  readonly answers: Array<number>
}

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

/** Runs schedules against one server, and records the requests. */
class Race {
  readonly server: TestedServer
  readonly asked: Array<Asked> = []
  /** The server is shutting down: connections may close at any time. */
  ending = false
  #stream: number

  constructor(server: TestedServer, stream: number) {
    this.server = server
    this.#stream = stream
  }

  /** Loads what writes need, which takes longer than their time limits on a slow machine. */
  async warm(): Promise<void> {
    const write = { id: randomUUID(), script: "g.inject(x).unfold().addV('warm').iterate()", timeout: ENOUGH_MS }
    const asked: Asked = { ...write, session: undefined, writes: "warm", answers: [] }
    const request = posting(asked).toString().replace("Host: x", "Host: x\r\nConnection: close")
    expect(await raw(this.server.authority, request)).toMatch(/^HTTP\/1.1 200 /)
  }

  /** Runs schedules concurrently until so many are done, or the server ends. */
  async play(count: number): Promise<void> {
    let left = count
    const lane = async (): Promise<void> => {
      while (left-- > 0) {
        const random = new Random(SEED, this.#stream++)
        await (random.chance(0.65) ? this.#webSocket(random) : this.#http(random))
      }
    }
    await Promise.all(Array.from({ length: 8 }, lane))
  }

  #ask(random: Random, session: string | undefined): Asked {
    const id = random.uuid()
    const writes = random.chance(0.25) ? `w${id}` : undefined
    const reads = [
      "1",
      "g.V().limit(5)",
      endless,
      "g.inject('some text').repeat(__.identity()).emit().times(3000)",
      "nonsense("
    ]
    // Its changes are rolled back, however it ends.
    if (session !== undefined) reads.push(`g.tx().begin(); g.inject(x).unfold().addV('never').iterate(); ${endless}`)
    const read = random.one(reads)
    const script = writes === undefined ? read : `g.inject(x).unfold().addV('${writes}').iterate()`
    const asked = {
      id,
      script,
      timeout: random.one([LIMIT_MS, 1 + random.below(20), LIMIT_MS / 2, ...(writes === undefined ? [] : [ENOUGH_MS])]),
      session,
      writes,
      answers: []
    }
    this.asked.push(asked)
    return asked
  }

  async #cancel({ id }: Asked): Promise<void> {
    await raw(this.server.authority, `DELETE /gremlin/status/${id} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  }

  async #webSocket(random: Random): Promise<void> {
    const target = { port: this.server.port, secure: false, credentials: undefined }
    const socket = await SocketWire.open(target).catch((error: unknown) => {
      if (!this.ending) throw error
    })
    if (socket === undefined) return
    const session = random.chance(0.4) ? random.uuid() : undefined
    const asked = Array.from({ length: 1 + random.below(4) }, () => this.#ask(random, session))
    socket.wire.send(Buffer.concat(asked.map(message)))
    const leaves = await this.#interfere(random, asked, {
      destroy: () => socket.wire.end(),
      reset: () => socket.wire.socket.resetAndDestroy(),
      half: () => socket.wire.socket.end(),
      close: () => socket.wire.send(frame(8, Buffer.from([3, 232]))),
      force: () => {
        if (session !== undefined) socket.wire.send(closing(random.uuid(), session, random.chance(0.5)))
      }
    })
    const last: Asked = {
      ...asked[0]!,
      id: random.uuid(),
      script: "1",
      writes: undefined,
      timeout: 5_000 * patience,
      answers: []
    }
    const finals = (id: string): Array<number> =>
      socket.answers.filter(({ code, requestId }) => requestId === id && isFinal(code)).map(({ code }) => code)
    if (!leaves) {
      await socket.until(() => asked.every(({ id }) => finals(id).length > 0), "an answer to each")
      socket.wire.send(message({ ...last, session: undefined }))
      await socket.until(() => finals(last.id).length > 0, "the last answer")
    } else await socket.until(() => false, "the end of the connection")
    for (const one of asked) one.answers.push(...finals(one.id))
    if (!leaves && !this.ending) {
      expect(socket.open, `closed with ${socket.closeCode}`).toBe(true)
      for (const { answers } of asked) expect(answers).toHaveLength(1)
    }
    for (const { answers } of asked) expect(answers.length).toBeLessThan(2)
    socket.wire.end()
  }

  async #http(random: Random): Promise<void> {
    const wire = new Wire({ port: this.server.port, secure: false, credentials: undefined })
    const asked = Array.from({ length: 1 + random.below(3) }, () => this.#ask(random, undefined))
    wire.send(Buffer.concat(asked.map(posting)))
    const leaves = await this.#interfere(random, asked, {
      destroy: () => wire.end(),
      reset: () => wire.socket.resetAndDestroy(),
      half: () => wire.socket.end(),
      close: () => wire.send("RUBBISH\r\n\r\n"),
      force: () => {}
    })
    const answers = () => httpAnswers(wire.received, false, wire.closed).answers
    await wire.until(() => !leaves && answers().length >= asked.length, "an answer to each")
    if (!leaves) {
      wire.send("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n")
      await wire.until(() => false, "the end")
      if (!this.ending) expect(answers()).toHaveLength(asked.length + 1)
    }
    // An answer that was cut has no outcome, and neither have the answers after it.
    for (const [i, one] of asked.entries()) {
      const status = answers()[i]?.status
      if (status !== undefined) one.answers.push(status)
    }
    wire.end()
  }

  /** Disturbs the requests at a random moment. True when the connection is closed, or is about to be. */
  async #interfere(random: Random, asked: ReadonlyArray<Asked>, leave: Record<Leaving, () => void>): Promise<boolean> {
    const moment = random.chance(0.3) ? 0 : random.below(25)
    if (moment > 0) await sleep(moment)
    const what = random.below(9)
    if (what < 4) {
      const victims = asked.filter(() => random.chance(0.7))
      const times = random.chance(0.3) ? 2 : 1
      await Promise.all(victims.flatMap((one) => Array.from({ length: times }, () => this.#cancel(one))))
    } else if (what < 8) {
      const how = random.one(["destroy", "reset", "half", "close", "force"] as const)
      leave[how]()
      return how !== "force"
    }
    return false
  }

  /** Writes that have succeeded, writes that have failed, and requests over WebSockets that have reached their time limits. */
  get outcomes(): { readonly written: number; readonly refused: number; readonly late: number } {
    const codes = (some: ReadonlyArray<Asked>): ReadonlyArray<number> => some.flatMap(({ answers }) => answers)
    const writes = codes(this.asked.filter((one) => one.writes !== undefined))
    const written = writes.filter((code) => code < 300).length
    return { written, refused: writes.length - written, late: codes(this.asked).filter((code) => code === 598).length }
  }

  /** Expects that requests of all kinds have ended in all ways: otherwise nothing has raced. */
  hasRaced(): void {
    expect(Object.entries(this.outcomes).filter(([, count]) => count === 0)).toEqual([])
  }

  /** Expects that no state of the requests is left. */
  async nothingLeft(left: () => Promise<Readonly<Record<string, number>>>): Promise<void> {
    // The last measurement is compared: a further scrape of the metrics may still count the connection of the one before.
    let found: ReadonlyArray<readonly [string, number]> = []
    const isNothingLeft = async (): Promise<boolean> => {
      found = Object.entries(await left()).filter(([, count]) => count !== 0)
      return found.length === 0
    }
    await eventually(isNothingLeft).catch(() => {})
    expect(found).toEqual([])
  }

  /** Expects that each write is applied completely or not at all, as its answer says. */
  async commitsAreTrue(authority = this.server.authority): Promise<void> {
    const { json } = await post(authority, "g.V().groupCount().by(label)", { evaluationTimeout: 30_000 * patience })
    const counts = new Map(Object.entries(Object.assign({}, ...json.result.data) as Record<string, number>))
    expect(counts.has("never")).toBe(false)
    for (const { answers, writes } of this.asked) {
      if (writes === undefined) continue
      const found = counts.get(writes) ?? 0
      expect([0, WRITTEN_VERTICES]).toContain(found)
      if (answers.length > 0)
        expect([writes, answers, found]).toEqual([writes, answers, answers[0]! < 300 ? WRITTEN_VERTICES : 0])
    }
  }
}

/** The state of requests in a server of this process. */
const stateOf = async ({ services }: InsideServer): Promise<Readonly<Record<string, number>>> => ({
  active: Context.get(services, Dispatcher).active(),
  listed: [...Context.get(services, Dispatcher).running()].length,
  pool: Context.get(services, RequestPool).status().running + Context.get(services, RequestPool).status().queued,
  sessions: Context.get(services, Sessions).count(),
  memory: Context.get(services, MemoryBudget).used(),
  connections: Context.get(services, Channelizer).connections()
})

type Leaving = "destroy" | "reset" | "half" | "close" | "force"

const message = ({ id, script, session, timeout, writes }: Asked): Buffer => {
  const bindings = writes === undefined && !script.includes("inject(x)") ? {} : { x: numbers }
  // A successful write of a session is committed, also on a graph with transactions.
  const args = {
    gremlin: script,
    bindings,
    evaluationTimeout: timeout,
    session,
    manageTransaction: writes !== undefined
  }
  return frame(
    1,
    JSON.stringify({ requestId: id, op: "eval", processor: session === undefined ? "" : "session", args })
  )
}

const closing = (requestId: string, session: string, force: boolean): Buffer =>
  frame(1, JSON.stringify({ requestId, op: "close", processor: "session", args: { session, force } }))

const posting = ({ id, script, timeout, writes }: Asked): Buffer => {
  const bindings = writes === undefined ? {} : { x: numbers }
  const body = JSON.stringify({ requestId: id, gremlin: script, bindings, evaluationTimeout: timeout })
  return Buffer.from(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
}

/** Open files and sockets of this process. */
const openDescriptors = (): number => readdirSync("/proc/self/fd").length

const defects = ({ log }: TestedServer) => log.filter((line) => /^(?:ERROR|FATAL)|defect/i.test(line))

describe("Requests that are cancelled, abandoned or late at any moment", () => {
  it.runIf(testedWorkers === 1).each([
    ["WsAndHttpChannelizer", 0],
    ["UnifiedChannelizer", 1_000]
  ] as const)(
    "have one answer or none, leave nothing behind, and commit all or nothing, with %s",
    (channelizer, stream) =>
      withSeed("RACE_SEED", SEED, async () => {
        await startInside({ ...limits, channelizer }).then((server) => server.end())
        const descriptors = openDescriptors()
        const server = await startInside({ ...limits, channelizer })
        const race = new Race(server, stream)
        await race.warm()
        await race.play(SCHEDULES / 2)
        race.hasRaced()
        await race.nothingLeft(() => stateOf(server))
        await race.commitsAreTrue()
        expect(defects(server)).toEqual([])
        await server.end()
        await eventually(() => openDescriptors() <= descriptors + 2)
      })
  )

  it.runIf(testedWorkers > 1)("have one answer or none, and leave nothing behind in any worker", () =>
    withSeed("RACE_SEED", SEED, async () => {
      const server = await startServer(limits)
      const race = new Race(server, 3_000)
      await race.warm()
      await race.play(SCHEDULES)
      race.hasRaced()
      await race.nothingLeft(() => leftovers(server.port))
      await race.commitsAreTrue()
      expect(defects(server)).toEqual([])
    })
  )

  it.runIf(testedWorkers === 1)(
    "have at most one answer when the server shuts down, and answered commits are found at the next start",
    () =>
      withSeed("RACE_SEED", SEED, async () => {
        const seen = { written: 0, inFlight: 0 }
        for (let round = 0; round < 3; round++) {
          const graph = onLmdb(newFolder())
          const server = await startInside({ ...limits, ...graph, shutdownTimeout: 50 })
          const race = new Race(server, 2_000 + 100 * round)
          await race.warm()
          const playing = race.play(24)
          await sleep((100 + 80 * round) * patience)
          race.ending = true
          seen.inFlight += Context.get(server.services, Dispatcher).active()
          await race.server.end()
          await playing
          seen.written += race.outcomes.written
          const next = await startInside(graph)
          await race.commitsAreTrue(next.authority)
          await next.end()
        }
        // Otherwise no shutdown has met a request, or no answer says what must be found.
        expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
      })
  )
})
