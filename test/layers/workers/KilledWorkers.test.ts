import { Agent } from "node:http"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { beforeAll, expect, it } from "vitest"
import { Random } from "../../fuzz/Random.ts"
import { seedOf, withSeed } from "../../fuzz/Seeds.ts"
import {
  type Client,
  check,
  checkCounts,
  connect,
  LongWriter,
  prepare,
  verified,
  Writer
} from "../support/CrashWriters.ts"
import { http } from "../support/HttpClient.ts"
import { leftovers } from "../support/Leftovers.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { eventually } from "../support/TestServers.ts"
import { startWorkers, until, type WorkerServer } from "../support/WorkerServer.ts"

/** CRASH_SEED repeats the times and the workers of a failure. After five deaths in a minute, new workers start with delays. */
const SEED = seedOf("CRASH_SEED")
const ROUNDS = Math.ceil(Number(process.env.CRASH_ROUNDS ?? 20) / 3)
const WRITERS = 4
/** Answers that a writer with another worker gets after the death. */
const FURTHER = 2

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

/** One round of writes, in which a worker is killed. */
class Round {
  readonly server: WorkerServer
  readonly writers: ReadonlyArray<Writer>
  readonly long: LongWriter

  constructor(server: WorkerServer, writers: ReadonlyArray<Writer>, long: LongWriter) {
    this.server = server
    this.writers = writers
    this.long = long
  }

  /** Writes with connections to all workers, kills one of them, and returns when all commits have an outcome. */
  async run(random: Random, hasLong: boolean): Promise<void> {
    const { long, server, writers } = this
    const clients: Array<Client> = []
    for (const _ of [...writers, long]) clients.push(await connect(server))
    const work = writers.map((writer, index) => writer.run(clients[index]!))
    if (hasLong) work.push(long.run(clients.at(-1)!))
    await sleep(random.next() ** 2 * 400)
    await this.#kill(random.one(await server.pids()))
    for (const each of [...writers, long]) each.isOver = true
    await Promise.all(work)
    await Promise.allSettled(clients.map((client) => client.close()))
    // Only then are new connections divided equally.
    await until(
      () => leftovers(server.port),
      ({ connections }) => connections === 0
    )
  }

  /** Kills a worker. The clients of the others are answered before and after another one has replaced it. */
  async #kill(victim: number): Promise<void> {
    const { server, writers } = this
    const count = (await server.pids()).length
    process.kill(victim, "SIGKILL")
    const before = writers.map(({ acknowledged }) => acknowledged)
    const goesOn = ({ acknowledged, isCut }: Writer, i: number) => isCut || acknowledged >= before[i]! + FURTHER
    await eventually(() => writers.every(goesOn))
    expect(writers.some(({ isCut }) => !isCut)).toBe(true)
    await eventually(async () => {
      // A connection that is sent to the killed worker before the primary process knows of its death is cut.
      const ready = await http(server.authority, { agent: new Agent(), path: "/health/ready" }).catch(() => undefined)
      if (ready !== undefined) expect(ready.status).toBe(200)
      return ready !== undefined
    })
    await eventually(async () => {
      const now = await server.pids()
      return now.length === count && !now.includes(victim)
    })
  }
}

/** A writer has no commit without an answer, unless its worker was killed. Returns the numbers of both. */
const outcomesOf = ({ isCut, numbers }: Writer) => {
  const outcomes = [...numbers.values()]
  const unknown = outcomes.filter((isAnswered) => !isAnswered).length
  expect(unknown).toBe(isCut ? 1 : 0)
  return { acknowledged: outcomes.length - unknown, unknown }
}

it.each([2, 4])(
  "Of %i workers, random ones are killed: answered commits exist, others completely or not at all, and the rest goes on",
  (workers) =>
    withSeed("CRASH_SEED", SEED, async () => {
      const random = new Random(SEED, workers)
      const server = await startWorkers(bundle, workers)
      const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(index + 1))
      const long = new LongWriter()
      const round = new Round(server, writers, long)
      const preparing = await connect(server)
      await prepare(preparing, writers)
      await preparing.close()
      const total = { acknowledged: 0, unknown: 0 }
      for (let i = 0; i < ROUNDS; i++) {
        await round.run(random, i % 2 === 1)
        for (const writer of writers) {
          const { acknowledged, unknown } = outcomesOf(writer)
          total.acknowledged += acknowledged
          total.unknown += unknown
        }
        const client = await connect(server)
        await long.check(client)
        for (const writer of writers) await check(client, writer)
        await client.close()
      }
      expect(total.acknowledged).toBeGreaterThan(ROUNDS)
      expect(total.unknown).toBeGreaterThan(0)
      const client = await connect(server)
      const edges = await checkCounts(client)
      expect(edges).toBeGreaterThanOrEqual(2 * total.acknowledged)
      await client.close()
      await stop(server)
      const found = await verified(join(server.folder, "db"))
      expect(found.findings).toEqual([])
      expect(found.edges).toBe(edges)
    }),
  60_000 + ROUNDS * 40_000
)
