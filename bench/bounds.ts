import { OwnBounds } from "../src/layers/requests/OwnBounds.ts"
import { makeRegion } from "../src/layers/workers/SharedRegion.ts"
import { workerBounds } from "../src/layers/workers/WorkerBounds.ts"
import { workerRecords } from "../src/layers/workers/WorkerRecords.ts"
import { Bytecode, Instruction } from "../src/process/language/Bytecode.ts"
import { P } from "../src/process/language/Predicate.ts"
import type { EvaluationRequest } from "../src/services/Evaluator.ts"

/**
 * CPU time, ns, of what a worker of a server with eight (or the given number) does for each request or connection in the shared memory:
 * `npx esbuild bench/bounds.ts --bundle --platform=node --format=esm --external:koffi --outfile=.cache/bounds.mjs && node .cache/bounds.mjs 16`
 */

const WORKERS = Number(process.argv[2] ?? 8)
/** Every worker has a share. */
const LANES = Math.max(32, WORKERS)
const WARMUP = 50_000
const ROUNDS = 300_000
const RUNS = 5

const { region } = await makeRegion(WORKERS)
const records = workerRecords(region, 1)
const bounds = workerBounds(region, 1)
const pool = bounds.pool(LANES, 8_192)
const own = new OwnBounds({ size: LANES, queue: 8_192 })

const request = (gremlin: string | Bytecode, bindings: ReadonlyMap<string, unknown> | null): EvaluationRequest => ({
  requestId: "41d2e28a-20a4-4ab0-b379-d810dede3786",
  gremlin,
  bindings,
  aliases: null,
  language: undefined,
  evaluationTimeout: undefined,
  manageTransaction: false,
  transport: "websocket",
  user: { name: "marko" },
  heldBytes: 0
})

const step = (operator: string, ...args: ReadonlyArray<unknown>): Instruction => new Instruction(operator, args)

const script = "g.V().has('person', 'name', name).out('knows').has('age', gt(age)).values('name')"

const requests: Readonly<Record<string, EvaluationRequest>> = {
  "a script of 22 characters": request("g.V(4711).values('uid')", null),
  "a script of 80 characters with two bindings": request(
    script,
    new Map<string, unknown>([
      ["name", "josh"],
      ["age", 29]
    ])
  ),
  "a script of 1,000 characters": request(`g.V()${".out('ab')".repeat(100)}`, null),
  "bytecode of a point read": request(new Bytecode([], [step("V", 4_711n), step("values", "name")]), null),
  "bytecode of five steps": request(
    new Bytecode(
      [],
      [
        step("V"),
        step("has", "person", "name", "josh"),
        step("out", "knows"),
        step("has", "age", new P("gt", 29)),
        step("values", "name")
      ]
    ),
    null
  )
}

/** The smallest CPU time of several runs, because other work on the machine only adds to it. */
const measure = (name: string, work: (round: number) => void): void => {
  for (let i = 0; i < WARMUP; i++) work(i)
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    for (let i = 0; i < ROUNDS; i++) work(i)
    const { system, user } = process.cpuUsage(before)
    least = Math.min(least, ((system + user) * 1_000) / ROUNDS)
  }
  console.log(`${name.padEnd(60)} ${least.toFixed(0).padStart(5)} ns`)
}

for (const [name, one] of Object.entries(requests)) {
  measure(`records ${name}`, (round) => {
    // Each request of a client has an id of its own.
    const requestId = `41d2e28a-20a4-4ab0-b379-d8${1_000 + (round % 9_000)}de3786`
    const outer = records.current()
    records.end(records.enter({ ...one, requestId }, 0))
    records.leave(outer)
  })
}
measure("takes and releases a lane of the server", () => {
  if (pool.hasLane()) pool.releaseLane(pool.takeLane())
})
measure("takes and releases a lane of a server in one process", () => {
  if (own.hasLane()) own.releaseLane(own.takeLane())
})
measure("counts a connection and its end", () => {
  bounds.connections.take(16_384)
  bounds.connections.release()
})
measure("compares the version of the users", () => {
  bounds.users.current()
})
region.close()
