import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { Random } from "../fuzz/Random.ts"
import { seedOf, withSeed } from "../fuzz/Seeds.ts"
import { http } from "../layers/support/HttpClient.ts"
import { bundled, stop } from "../layers/support/ServerProcess.ts"
import { startWorkers, until, type WorkerServer } from "../layers/support/WorkerServer.ts"
import { contradictions, type Operation, type Outcome } from "./AppendedLists.ts"
import { freePort, type Node, startNode } from "./Cassandra.ts"
import { newKeyspace } from "./Stores.ts"

/** CRASH_SEED repeats the choices of a failure. */
const SEED = seedOf("CRASH_SEED")
const WORKERS = 2
const CLIENTS = 6
const LISTS = 3
/** Deaths of workers, and pauses of Cassandra. After five deaths in a minute, new workers start with delays. */
const FAULTS = Number(process.env.CRASH_ROUNDS ?? 8)
const REQUEST_TIMEOUT_MS = 2_000
/** Longest pause of Cassandra: requests time out in some of them. */
const PAUSE_MS = 4_000
const BETWEEN_MS = 3_000

const entriesOf = (text: unknown): ReadonlyArray<number> => String(text).split(",").slice(0, -1).map(Number)

/** Says that the outcome of a commit is unknown. */
const UNKNOWN = /Read the changed elements before you send the request again/

describe("The check of appended lists", () => {
  const append = (entry: number, outcome: Outcome, seen?: ReadonlyArray<number>, at = entry): Operation => ({
    list: 0,
    entry,
    outcome,
    seen,
    began: at,
    ended: at + 0.5
  })

  it("finds lost, refused and doubled entries, states that vanish, and reads of an older state", () => {
    const one = append(1, "acknowledged", [1])
    const two = append(2, "acknowledged", [1, 2])
    expect(contradictions([one, two, append(3, "unknown")], [[1, 2]])).toEqual([])
    expect(contradictions([one, two, append(3, "unknown")], [[1, 2, 3]])).toEqual([])
    const wrong: ReadonlyArray<readonly [ReadonlyArray<Operation>, ReadonlyArray<number>]> = [
      [[one, two], [1]],
      [
        [one, append(3, "refused")],
        [1, 3]
      ],
      [
        [one, two],
        [1, 2, 2]
      ],
      [
        [one, append(3, "acknowledged", [1, 2, 3])],
        [1, 3]
      ],
      [
        [one, two, { ...append(4, "acknowledged", [1]), entry: undefined }],
        [1, 2]
      ]
    ]
    for (const [history, last] of wrong) expect(contradictions(history, [last])).not.toEqual([])
  })
})

describe("A server with two workers over Cassandra", () => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
  let node: Node
  let server: WorkerServer

  beforeAll(async () => {
    const port = await freePort()
    node = await startNode(inject("cassandraJars"), { folder, port, storagePort: await freePort() })
    const properties = [
      "storage.backend=cql",
      "storage.hostname=127.0.0.1",
      `storage.port=${port}`,
      `storage.cql.keyspace=${newKeyspace()}`,
      `storage.cql.request-timeout=${REQUEST_TIMEOUT_MS}`,
      "storage.lock.wait-time=400"
    ]
    server = await startWorkers(await bundled({ main: "src/main.ts" }), WORKERS, [], undefined, { properties })
  })
  afterAll(async () => {
    node?.signal("SIGCONT")
    if (server !== undefined) await stop(server)
    await node?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Evaluates a script with a new connection, which goes to any worker. */
  const ask = async (
    gremlin: string
  ): Promise<{ readonly outcome: Outcome; readonly values: ReadonlyArray<unknown> }> => {
    const headers = { accept: "application/vnd.gremlin-v3.0+json;types=false" }
    const answer = await http(server.authority, { headers, agent: false }, JSON.stringify({ gremlin })).catch(
      () => undefined
    )
    if (answer === undefined) return { outcome: "unknown", values: [] }
    if (answer.status === 200) return { outcome: "acknowledged", values: answer.json.result.data }
    return { outcome: UNKNOWN.test(answer.text) ? "unknown" : "refused", values: [answer.text] }
  }

  /** Asks until the server answers. */
  const insist = async (gremlin: string): Promise<ReadonlyArray<unknown>> => {
    for (;;) {
      const { outcome, values } = await ask(gremlin)
      if (outcome === "acknowledged") return values
      await pause(500)
    }
  }

  /** Kills workers and pauses Cassandra, also both at the same time. */
  const faults = async (random: Random): Promise<void> => {
    for (let fault = 0; fault < FAULTS; fault++) {
      await pause(random.below(BETWEEN_MS))
      const victim = random.one(await until(server.pids, (pids) => pids.length > 0))
      const isPause = fault % 2 === 1
      if (isPause) {
        node.signal("SIGSTOP")
        await pause(random.below(PAUSE_MS))
      }
      if (!isPause || random.chance(0.5)) process.kill(victim, "SIGKILL")
      node.signal("SIGCONT")
    }
  }

  it("loses no acknowledged entry and keeps no refused one while workers are killed and Cassandra pauses", () =>
    withSeed("CRASH_SEED", SEED, async () => {
      const ids: Array<unknown> = []
      for (let list = 0; list < LISTS; list++)
        ids.push((await insist("g.addV('list').property('entries', '').id()"))[0])
      const history: Array<Operation> = []
      let entries = 0
      let isOver = false
      const client = async (random: Random): Promise<void> => {
        while (!isOver) {
          const list = random.below(LISTS)
          const entry = random.chance(0.7) ? ++entries : undefined
          const append = entry === undefined ? "" : `.property('entries', __.values('entries').concat('${entry},'))`
          const began = performance.now()
          const { outcome, values } = await ask(`g.V(${ids[list]})${append}.values('entries')`)
          const seen = outcome === "acknowledged" ? entriesOf(values[0]) : undefined
          history.push({ list, entry, outcome, seen, began, ended: performance.now() })
          if (outcome !== "acknowledged") await pause(20)
        }
      }
      const clients = Array.from({ length: CLIENTS }, (_, at) => client(new Random(SEED, at + 1)))
      await faults(new Random(SEED, 0))
      await pause(BETWEEN_MS)
      isOver = true
      await Promise.all(clients)
      // No write may arrive any more.
      await pause(REQUEST_TIMEOUT_MS)
      const last: Array<ReadonlyArray<number>> = []
      for (const id of ids) last.push(entriesOf((await insist(`g.V(${id}).values('entries')`))[0]))
      const count = (outcome: Outcome) => history.filter((each) => each.outcome === outcome).length
      if (process.env.CRASH_SHOWN) console.log(count("acknowledged"), count("refused"), count("unknown"))
      expect(count("acknowledged")).toBeGreaterThan(FAULTS)
      expect(count("unknown")).toBeGreaterThan(0)
      expect(contradictions(history, last)).toEqual([])
    }))
})
