import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Pending } from "../src/scheduling/Pending.ts"
import { type CellGraph, openCellGraph } from "../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../src/storage/janusgraph/Options.ts"
import { openLmdbStore } from "../src/storage/lmdb/OpenLmdbStore.ts"
import { TransactionConflict } from "../src/structure/errors/StoreErrors.ts"
import { median } from "./Median.ts"

/**
 * npm run bench -- commits [seconds]: processes that share a graph on disk, without HTTP. First the commits per second and their
 * CPU time, by 1, 16 and 256 clients in all, in one process that has the graph alone, in one that may share it, in two that never
 * share a transaction, and in two that do so when syncs are slow. Then
 * the CPU time of reads in one process, while another one makes no commits and 1,000 commits per second. The cases run in
 * alternate turns; the figures are medians.
 */
const ROUNDS = 5
/** Many, so that few of 256 clients change the same one at a time. */
const PERSONS = 20_000
const NEIGHBOURS = 10
const WRITES_PER_SECOND = 1_000

/** What a child is asked to do for so many seconds. */
interface Order {
  readonly work: "commit" | "pace" | "point read" | "hop"
  readonly clients: number
  readonly seconds: number
}

/** What it has done. */
interface Done {
  readonly count: number
  /** CPU time of the process. */
  readonly microseconds: number
}

// ---- A child: one process of a server

const commit = async (graph: CellGraph, id: number, value: number): Promise<void> => {
  const transaction = graph.begin()
  transaction.setVertexProperty(transaction.vertexRef(id), null, "seen", value)
  await Pending.toPromise(transaction.commit() ?? Pending.fromPromise(Promise.resolve()))
}

const fill = async (graph: CellGraph): Promise<void> => {
  const transaction = graph.begin()
  const refs = Array.from({ length: PERSONS }, () => transaction.addVertex("person", undefined))
  for (const [i, ref] of refs.entries()) {
    for (const key of ["uid", "seen"]) transaction.setVertexProperty(ref, null, key, i)
    for (let n = 1; n <= NEIGHBOURS; n++)
      transaction.addEdge(ref, "knows", refs[(i * 7 + n * 31) % PERSONS]!, undefined)
  }
  await Pending.toPromise(transaction.commit() ?? Pending.fromPromise(Promise.resolve()))
}

const works = {
  commit: (graph: CellGraph, id: number, value: number) => commit(graph, id, value),
  pace: (graph: CellGraph, id: number, value: number) => commit(graph, id, value),
  "point read": async (graph: CellGraph, id: number) => {
    const transaction = graph.begin({ readOnly: true })
    transaction.vertexReader("uid").value(transaction.vertexRef(id))
    transaction.rollback()
  },
  hop: async (graph: CellGraph, id: number) => {
    const transaction = graph.begin({ readOnly: true })
    const reader = transaction.vertexReader("uid")
    const refs = transaction.newRefs(1).fill(transaction.vertexRef(id))
    const out = { rows: new Int32Array(NEIGHBOURS), refs: transaction.newRefs(NEIGHBOURS), length: 0 }
    const cursor = { row: 0, offset: 0 }
    const from = { refs, length: 1, direction: "OUT", labels: null } as const
    transaction.expand({ ...from, edges: false, cursor, limit: NEIGHBOURS, out })
    for (let i = 0; i < out.length; i++) reader.value(out.refs[i]!)
    transaction.rollback()
  }
}

const child = async (directory: string, server: string, slowSync: string): Promise<void> => {
  const shared = server === "" ? {} : { server, ...(slowSync === "" ? {} : { slowSync: Number(slowSync) }) }
  const store = await openLmdbStore({ directory, sync: "durable", readOnly: false, ...shared })
  const graph = await openCellGraph(store, { ...defaultCellGraphOptions, name: "bench" }, String(process.pid))
  const probe = graph.begin()
  const isEmpty = probe.counts.vertices(null) === 0
  probe.rollback()
  if (isEmpty) await fill(graph)
  const ids: Array<number> = []
  const reading = graph.begin()
  const out = { refs: reading.newRefs(PERSONS), length: 0 }
  const scan = reading.scanVertices(null)
  while (scan.next(PERSONS, out)) {
    // Until all are found.
  }
  for (let i = 0; i < out.length; i++) ids.push(Number(reading.vertexId(out.refs[i]!)))
  reading.rollback()
  process.on("message", async ({ clients, seconds, work }: Order) => {
    const before = process.cpuUsage()
    const end = performance.now() + seconds * 1000
    let count = 0
    const client = async (): Promise<void> => {
      for (let at = performance.now(); at < end; ) {
        try {
          await works[work](graph, ids[Math.floor(Math.random() * ids.length)]!, count)
          count++
        } catch (error) {
          if (!(error instanceof TransactionConflict)) throw error
        }
        at = performance.now()
        if (work === "pace") await sleep((1000 * clients) / WRITES_PER_SECOND)
        else if (work !== "commit" && count % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
    }
    await Promise.all(Array.from({ length: clients }, client))
    const { system, user } = process.cpuUsage(before)
    process.send!({ count, microseconds: system + user } satisfies Done)
  })
  process.once("disconnect", () => void graph.close().then(() => process.exit(0)))
  process.send!("open")
}

// ---- The measurement

const own = fileURLToPath(import.meta.url)

const start = async (directory: string, server: string, slowSync = ""): Promise<ChildProcess> => {
  const process = fork(own, [directory, server, slowSync])
  await once(process, "message")
  return process
}

const run = async (process: ChildProcess, order: Order): Promise<Done> => {
  process.send(order)
  const [done] = await once(process, "message")
  return done
}

const commits = async (groups: ReadonlyMap<string, ReadonlyArray<ChildProcess>>, seconds: number): Promise<void> => {
  for (const clients of [1, 16, 256]) {
    const rates = new Map(
      [...groups.keys()].map((name) => [name, { each: [] as Array<number>, cpu: [] as Array<number> }])
    )
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, processes] of groups) {
        const used = processes.slice(0, clients)
        const share = clients / used.length
        const done = await Promise.all(used.map((each) => run(each, { work: "commit", clients: share, seconds })))
        const count = done.reduce((sum, each) => sum + each.count, 0)
        const { cpu, each } = rates.get(name)!
        each.push(count / seconds)
        cpu.push(done.reduce((sum, { microseconds }) => sum + microseconds, 0) / count)
      }
    }
    for (const [name, { cpu, each }] of rates) {
      console.log(
        `${clients} clients, ${name}: ${median(each).toFixed(0)} commits/s, ${median(cpu).toFixed(0)} us each`
      )
    }
  }
}

const reads = async ([reader, writer]: ReadonlyArray<ChildProcess>, seconds: number): Promise<void> => {
  for (const work of ["point read", "hop"] as const) {
    const costs = { alone: [] as Array<number>, beside: [] as Array<number> }
    let written = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (const how of ["alone", "beside"] as const) {
        const writing = how === "alone" ? undefined : run(writer!, { work: "pace", clients: 64, seconds })
        const { count, microseconds } = await run(reader!, { work, clients: 1, seconds })
        costs[how].push(microseconds / count)
        written += (await writing)?.count ?? 0
      }
    }
    const [alone, beside] = [median(costs.alone), median(costs.beside)]
    console.log(
      `${work}: ${alone.toFixed(2)} us, beside ${(written / ROUNDS / seconds).toFixed(0)} commits/s of another process ` +
        `${beside.toFixed(2)} us (${(beside / alone).toFixed(2)})`
    )
  }
}

const [directory, server, slowSync] = process.argv.slice(2)
if (process.send !== undefined) await child(directory!, server!, slowSync!)
else {
  const seconds = Number(directory ?? 2)
  const folder = mkdtempSync(join(tmpdir(), "engine-server-bench-"))
  const alone = await start(join(folder, "alone"), "")
  const one = await start(join(folder, "one"), "bench")
  const pair = async (name: string, slowSync = ""): Promise<ReadonlyArray<ChildProcess>> => [
    await start(join(folder, name), "bench", slowSync),
    await start(join(folder, name), "bench", slowSync)
  ]
  const apart = await pair("apart", "Infinity")
  const two = await pair("two")
  const groups = new Map([
    ["one process", [alone]],
    ["one process that may share the graph", [one]],
    ["two processes, each with its own syncs", apart],
    ["two processes", two]
  ])
  await commits(groups, seconds)
  await reads(two, seconds)
  for (const each of [alone, one, ...apart, ...two]) {
    each.disconnect()
    await once(each, "exit")
  }
  rmSync(folder, { recursive: true, force: true })
}
