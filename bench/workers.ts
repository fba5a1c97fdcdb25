import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connectHttp, connectWebSocket, load } from "./Load.ts"
import { medianBy } from "./Median.ts"
import { evalMessage, final } from "./Messages.ts"
import { loadGraph, PERSONS } from "./Persons.ts"
import { buildServer, type ServerProcess, startServer } from "./ServerProcess.ts"
import { treeMemory } from "./workers/Memory.ts"
import { type SpentCpu, spent, type TreeCpu, treeCpu } from "./workers/ProcessTree.ts"

/**
 * npm run bench -- workers [seconds] [--clients N]: a graph on disk, served by 1, 2 and 4 workers, side by side in alternate
 * turns of a second. Prints the CPU time of a request (all processes of the server, without the client), the share of the busiest worker,
 * the CPU time of the primary process, requests per second, and commits per second. Reads are also sent to 2 and 4 separate servers:
 * the difference from as many workers is what the workers cost, and the rest is what more processes than processors cost. With
 * `--clients` only the throughput with N connections, for machines whose processors are not shared with the client. `--memory` only
 * measures the memory of each process, and two workers over a graph on disk beside two over one on a memory disk.
 */
const words = process.argv.slice(2)
const at = words.indexOf("--clients")
const clients = at < 0 ? undefined : Number(words[at + 1])
const seconds = Number(words.find((word, i) => /^\d+$/.test(word) && i !== at + 1) ?? 1)
const ROUNDS = 3
/** Time in which the code of every worker is compiled, before the first turn. */
const COMPILE_SECONDS = 3
/** With fewer connections, some workers would compile their code in a later turn. */
const COMPILE_CONNECTIONS = 16
/** Time before each turn. */
const WARM_SECONDS = 0.2
const READERS = 64
const WORKERS = [1, 2, 4] as const

const uid = (): number => Math.floor(Math.random() * PERSONS)
const PERSON = "g.V().has('person', 'uid', x)"
const reads = {
  "point read": `${PERSON}.values('name')`,
  hop: `${PERSON}.out('knows').values('name')`,
  "three hops": `${PERSON}.out('knows').out('knows').out('knows').dedup().count()`,
  "four hops, no dedup()": `${PERSON}.repeat(out('knows')).times(4).values('name').count()`
}
const COMMIT = `${PERSON}.property('seen', y).iterate()`

interface Measured {
  readonly perSecond: number
  readonly microseconds: number
  readonly cpu: SpentCpu
  readonly p99: number
}

/** What is measured in one turn. */
interface Contender {
  readonly name: string
  /** One server, or several separate ones to which the connections are divided. */
  readonly servers: ReadonlyArray<ServerProcess>
}

/** The CPU time of servers, as of one with all of their processes. */
const cpuOf = (servers: ReadonlyArray<ServerProcess>): TreeCpu => {
  const [first, ...others] = servers.map(({ pid }) => treeCpu(pid))
  return others.length === 0 ? first! : { primary: 0, workers: [first!, ...others].map(({ primary }) => primary) }
}

/** Opens connections, and sends requests for some time. */
const opened = async ({ servers }: Contender, message: () => Buffer, connections: number, warmSeconds: number) => {
  const portOf = (i: number): number => servers[i % servers.length]!.port
  const open = await Promise.all(Array.from({ length: connections }, (_, i) => connectWebSocket(portOf(i), final)))
  await load(open, warmSeconds, message)
  return open
}

const messageOf = (script: string) => (): Buffer => evalMessage(script, { x: uid(), y: uid() })

/** Lets all workers compile the code of a request. */
const compile = async (contender: Contender, script: string, connections: number): Promise<void> => {
  const count = Math.max(connections, COMPILE_CONNECTIONS)
  for (const connection of await opened(contender, messageOf(script), count, COMPILE_SECONDS)) connection.close()
}

const measure = async (contender: Contender, script: string, connections: number): Promise<Measured> => {
  const { servers } = contender
  const message = messageOf(script)
  const open = await opened(contender, message, connections, WARM_SECONDS)
  const before = cpuOf(servers)
  const { p99, requests, seconds: elapsed } = await load(open, seconds, message)
  const cpu = spent(before, cpuOf(servers))
  for (const connection of open) connection.close()
  return { perSecond: requests / elapsed, microseconds: (cpu.primary + cpu.serving) / requests, cpu, p99 }
}

/** Measures all contenders in alternate turns. Returns the median turn of each. */
const compare = async (
  contenders: ReadonlyArray<Contender>,
  script: string,
  connections: number
): Promise<ReadonlyArray<Measured>> => {
  const turns = contenders.map((): Array<Measured> => [])
  for (const contender of contenders) await compile(contender, script, connections)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, contender] of contenders.entries()) turns[i]!.push(await measure(contender, script, connections))
  }
  return turns.map((all) => medianBy(all, ({ microseconds }) => microseconds)!)
}

const row = async (
  request: string,
  contenders: ReadonlyArray<Contender>,
  script: string,
  connections: number
): Promise<void> => {
  const results = await compare(contenders, script, connections)
  const one = results[0]!
  for (const [i, { cpu, microseconds, p99, perSecond }] of results.entries()) {
    console.log(
      `${(i === 0 ? request : "").padEnd(24)} ${contenders[i]!.name.padStart(9)} ${microseconds.toFixed(0).padStart(9)} us ` +
        `${(microseconds / one.microseconds).toFixed(2).padStart(6)} ${(cpu.busiestShare * 100).toFixed(0).padStart(9)} % ` +
        `${perSecond.toFixed(0).padStart(9)} /s ${(perSecond / one.perSecond).toFixed(2).padStart(6)} ${p99.toFixed(1).padStart(9)} ms`
    )
  }
}

/** Opens and closes HTTP connections, each with one request. Prints the CPU time of the primary process for each. */
const accepting = async (server: ServerProcess, workers: number): Promise<void> => {
  const COUNT = 1_000
  const before = treeCpu(server.pid)
  for (let i = 0; i < COUNT; i++) {
    const connection = connectHttp(server.port)
    await connection.call('{"gremlin":"g.inject(1)"}')
    connection.close()
  }
  const { primary, serving } = spent(before, treeCpu(server.pid))
  console.log(
    `a connection with one request, ${workers} workers: ${(primary / COUNT).toFixed(0)} us of the primary, ` +
      `${(serving / COUNT).toFixed(0)} us of the workers`
  )
}

const ENDLESS = "g.inject(1).repeat(__.identity()).until(__.is(2))"

/** Point reads while one connection runs 16 endless requests: latencies on its worker, and on others. */
const besideEndless = async (server: ServerProcess): Promise<void> => {
  const readers = await Promise.all(Array.from({ length: 3 }, () => connectWebSocket(server.port, final)))
  const busy = await connectWebSocket(server.port, final)
  for (let i = 0; i < 16; i++) void busy.call(evalMessage(ENDLESS)).catch(() => undefined)
  // Connections go to the workers in turn, so with two workers the second reader shares the worker of `busy`.
  for (const [name, i] of [
    ["the other worker", 0],
    ["the same worker", 1]
  ] as const) {
    const { p50, p99 } = await load([readers[i]!], seconds, () => evalMessage(reads["point read"], { x: uid() }))
    console.log(`point reads beside 16 endless requests, ${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
  }
  for (const connection of [...readers, busy]) connection.close()
}

const memory = (name: string, { pid }: ServerProcess): void => {
  const each = treeMemory(pid).map(({ own, proportional }) => `${own.toFixed(0)} (${proportional.toFixed(0)})`)
  console.log(`${name}: own memory of each process (with its part of shared memory), MB: ${each.join(", ")}`)
}

/** Memory of each process while it is idle, and after reads and commits. */
const memories = async (contenders: ReadonlyArray<Contender>): Promise<void> => {
  for (const contender of contenders) {
    const [server] = contender.servers
    memory(`${contender.name} workers, graph loaded`, server!)
    for (const script of [reads["three hops"], COMMIT]) {
      await compile(contender, script, READERS)
      await measure(contender, script, READERS)
    }
    memory(`${contender.name} workers, after ${READERS} clients`, server!)
  }
}

/** Two workers with a graph on disk, and two with one on a memory disk without syncs. */
const disks = async (folder: string): Promise<void> => {
  const memoryDisk = mkdtempSync("/dev/shm/engine-server-bench-")
  const servers = [
    await served(2, join(folder, "disk"), "durable"),
    await served(2, join(memoryDisk, "graph"), "none")
  ] as const
  for (const server of servers) await loadGraph(server)
  const contenders = servers.map((server): Contender => ({ name: "2", servers: [server] }))
  for (const [name, script, connections] of [
    ["point read", reads["point read"], READERS],
    ["commit, 1 client", COMMIT, 1],
    ["commit, 16 clients", COMMIT, 16],
    ["commit, 256 clients", COMMIT, 256]
  ] as const) {
    const [disk, ram] = await compare(contenders, script, connections)
    console.log(
      `${name.padEnd(24)} disk ${disk!.perSecond.toFixed(0)} /s, ${disk!.microseconds.toFixed(0)} us; ` +
        `memory disk ${ram!.perSecond.toFixed(0)} /s, ${ram!.microseconds.toFixed(0)} us`
    )
  }
  for (const server of servers) await server.stop()
  rmSync(memoryDisk, { recursive: true, force: true })
}

/** A server with workers over an empty graph in a folder. */
const served = (workers: number, directory: string, sync: "durable" | "none"): Promise<ServerProcess> =>
  startServer({
    yaml: `enginePool: 256\nworkers: ${workers}\n`,
    properties: `gremlin.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=${directory}\nstorage.lmdb.sync=${sync}\n`
  })

buildServer()
const folder = mkdtempSync(join(tmpdir(), "engine-server-bench-"))
const all: Array<ServerProcess> = []
/** The folder of a graph that is loaded once. Without syncs, so that it takes as long on every disk. */
const graph = join(folder, "loaded")
const loading = await served(1, graph, "none")
await loadGraph(loading, 100)
await loading.stop()

const loaded = async (workers: number): Promise<ServerProcess> => {
  const directory = join(folder, String(all.length))
  cpSync(graph, directory, { recursive: true })
  const server = await served(workers, directory, "durable")
  all.push(server)
  console.log(
    `${workers} workers: started in ${server.startedAfter.toFixed(0)} ms, ${server.memory().toFixed(0)} MB in the first process`
  )
  return server
}
const withWorkers: Array<Contender> = []
for (const workers of WORKERS) withWorkers.push({ name: String(workers), servers: [await loaded(workers)] })
const [one, two] = withWorkers.map(({ servers }) => servers[0]!)

/** The servers with workers, and as many separate ones. */
const withSeparate = async (): Promise<ReadonlyArray<Contender>> => {
  const separate = [one!, await loaded(1), await loaded(1), await loaded(1)]
  const several = WORKERS.slice(1).map((count) => ({ name: `${count} servers`, servers: separate.slice(0, count) }))
  return [...withWorkers, ...several]
}

const HEADING = "request                    workers       CPU a request, ratio   busiest      rate, ratio          p99"
if (words.includes("--memory")) {
  await memories(withWorkers)
  await disks(folder)
} else if (clients !== undefined) {
  console.log(HEADING)
  for (const [name, script] of Object.entries(reads)) await row(name, withWorkers, script, clients)
} else {
  const contenders = await withSeparate()
  console.log(HEADING)
  for (const [name, script] of Object.entries(reads)) await row(name, contenders, script, READERS)
  for (const writers of [1, 16, 256]) await row(`commit, ${writers} clients`, withWorkers, COMMIT, writers)
  for (const { name, servers } of withWorkers.slice(1)) await accepting(servers[0]!, Number(name))
  await besideEndless(two!)
}
for (const server of all) await server.stop()
rmSync(folder, { recursive: true, force: true })
