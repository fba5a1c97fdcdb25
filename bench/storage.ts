import { spawnSync } from "node:child_process"
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { importScript, schemaScript } from "./BulkImport.ts"
import { berkeleyProperties, installJanusGraph, janusGraphDirectory, startJanusGraph } from "./JanusGraph.ts"
import { load } from "./Load.ts"
import { bytecodeMessage, evalMessage, final, int32 } from "./Messages.ts"
import { buildServer, configure, type ServerProcess, startServer } from "./ServerProcess.ts"
import { type Connection, connectWebSocket } from "./WebSocketClient.ts"

/**
 * npm run bench -- storage [--scale 1] [--seconds 5] [--heap 256] [--peer-heap 512] [--no-peer] [--only part of a row's name]
 * [--keep] [--import-limit 3600] [--against FOLDER]: compares a graph on disk of 1,000,000 vertices and 10,000,000 edges times the scale, imported
 * from CSV, with JanusGraph Server on BerkeleyJE. Both get the same requests, as bytecode in GraphSON 3 over WebSocket, and
 * answer a commit when it is on disk. `--keep` keeps both graphs, and reuses the graphs and import figures of an earlier run
 * of the same scale. The peer stops its import after `--import-limit` seconds; its rate is that of the part it has read.
 * With `--against`, the peer is the engine-server of another checkout, and the rows of both alternate.
 */
const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "1" },
    seconds: { type: "string", default: "5" },
    heap: { type: "string", default: "256" },
    "peer-heap": { type: "string", default: "512" },
    "no-peer": { type: "boolean", default: false },
    only: { type: "string", default: "" },
    keep: { type: "boolean", default: false },
    "import-limit": { type: "string", default: "3600" },
    against: { type: "string" }
  }
})
const scale = Number(values.scale)
const seconds = Number(values.seconds)
const VERTICES = Math.round(1_000_000 * scale)
const EDGES = Math.round(10_000_000 * scale)
/** Number of reading connections, with one request in flight each. */
const READERS = 32

const root = process.cwd()
const folder = join(root, ".cache", "bench", "storage")
const directory = join(folder, "db")
/** The graph of the checkout that --against names. */
const directoryAgainst = join(folder, "db-against")
const files = { vertices: join(folder, `vertices-${VERTICES}.csv`), edges: join(folder, `edges-${EDGES}.csv`) }

const generate = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  let seed = 12345
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
    return Math.floor((seed / 2 ** 32) * below)
  }
  const write = async (file: string, header: string, count: number, row: (at: number) => string): Promise<void> => {
    if (existsSync(file)) return
    const output = createWriteStream(file)
    let text = `${header}\n`
    for (let at = 0; at < count; at++) {
      text += row(at)
      if (text.length < 1 << 18) continue
      if (!output.write(text)) await new Promise<void>((resolve) => output.once("drain", () => resolve()))
      text = ""
    }
    await new Promise<void>((resolve) => output.end(text, () => resolve()))
  }
  await write(files.vertices, "~id,~label,uid:Int,name:String", VERTICES, (at) => `${at},person,${at},person-${at}\n`)
  await write(files.edges, "~from,~to,~label", EDGES, () => `${random(VERTICES)},${random(VERTICES)},knows\n`)
}

const bytesIn = (place: string): number =>
  readdirSync(place).reduce((sum, name) => {
    const found = statSync(join(place, name))
    // A sparse file occupies less than its size.
    return sum + (found.isFile() ? found.blocks * 512 : 0)
  }, 0)

/** Measurements of one server. */
type Figures = Map<string, number>

/** Figures of an import and the scale of its graph, written beside the graph when the import is complete. */
const keptFile = (who: string): string => join(folder, `${who}.json`)

const kept = (who: string, place: string): Figures | undefined => {
  if (!values.keep || !existsSync(keptFile(who)) || !existsSync(place)) return undefined
  const { edges, figures } = JSON.parse(readFileSync(keptFile(who), "utf8"))
  if (edges !== EDGES) return undefined
  console.log(`the graph of ${who} is reused from an earlier run`)
  return new Map(figures)
}

/** Deletes a graph before a new import. */
const forget = (who: string): void => rmSync(keptFile(who), { force: true })

const keep = (who: string, figures: Figures): void =>
  writeFileSync(keptFile(who), JSON.stringify({ edges: EDGES, figures: [...figures] }))

const person = (): number => Math.floor(Math.random() * VERTICES)

const from = (): ReadonlyArray<ReadonlyArray<unknown>> => [["V"], ["has", "person", "uid", int32(person())]]

const rows: ReadonlyArray<{ readonly name: string; readonly clients: number; readonly message: () => Buffer }> = [
  { name: "point reads /s", clients: READERS, message: () => bytecodeMessage([...from(), ["values", "name"]]) },
  {
    name: "1 hop /s",
    clients: READERS,
    message: () => bytecodeMessage([...from(), ["out", "knows"], ["values", "name"]])
  },
  {
    name: "2 hops /s",
    clients: READERS,
    message: () => bytecodeMessage([...from(), ["out", "knows"], ["out", "knows"], ["count"]])
  },
  ...[1, 16, 256].map((clients) => ({
    name: `commits /s, ${clients} ${clients === 1 ? "client" : "clients"}`,
    clients,
    message: () =>
      bytecodeMessage([
        ["addV", "visit"],
        ["property", "at", int32(person())]
      ])
  }))
]

const connect = async (server: ServerProcess, clients: number): Promise<ReadonlyArray<Connection>> => {
  const connections: Array<Connection> = []
  for (let i = 0; i < clients; i++) connections.push(await connectWebSocket(server.port, final))
  return connections
}

/** Sends the requests of one row. The best turn of a row is kept: the one with the least CPU time. */
const measureRow = async (server: ServerProcess, figures: Figures, row: (typeof rows)[number]): Promise<void> => {
  const connections = await connect(server, row.clients)
  const before = server.cpu()
  const result = await load(connections, seconds, row.message)
  const cpu = (server.cpu() - before) / result.requests
  if (cpu < (figures.get(`${row.name}: CPU us`) ?? Number.POSITIVE_INFINITY)) {
    figures.set(row.name, result.requests / result.seconds)
    figures.set(`${row.name}: CPU us`, cpu)
  }
  for (const connection of connections) connection.close()
}

/** Turns of every row: the first warms up the code. */
const TURNS = 3

/** Measures every row; the servers take turns. */
const measure = async (servers: ReadonlyArray<readonly [ServerProcess, Figures]>): Promise<void> => {
  const wanted = rows.filter((row) => row.name.includes(values.only))
  for (let turn = 0; turn < TURNS; turn++) {
    for (const row of wanted) for (const [server, figures] of servers) await measureRow(server, figures, row)
  }
  for (const [server, figures] of servers) figures.set("RSS MB", server.memory())
}

/** Concurrent write requests, enough for commits to share a sync. The peer gets the same number. */
const pool = 64
const yaml = `enginePool: ${pool}\n`

/** An engine-server on LMDB: the checkout it runs from, and the folder of its graph. */
interface Engine {
  readonly name: string
  readonly checkout: string
  readonly directory: string
}

const propertiesOf = (engine: Engine): string =>
  `engine.graph=JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=${engine.directory}\n`

const nodeOptions = [`--max-old-space-size=${values.heap}`]

/** Starts an engine-server over the imported graph. */
const startEngine = async (engine: Engine): Promise<readonly [ServerProcess, Figures]> => {
  buildServer(engine.checkout)
  const figures = kept(engine.name, engine.directory) ?? (await importGraph(engine))
  const more = (process.env.BENCH_NODE_OPTIONS ?? "").split(" ").filter((option) => option !== "")
  const options = { yaml, properties: propertiesOf(engine), checkout: engine.checkout }
  return [await startServer({ ...options, nodeOptions: [...nodeOptions, ...more] }), figures]
}

const importGraph = async (engine: Engine): Promise<Figures> => {
  const { checkout, directory, name } = engine
  const properties = propertiesOf(engine)
  const figures: Figures = new Map()
  forget(name)
  rmSync(directory, { recursive: true, force: true })
  // The index exists before the import, as on the peer.
  const empty = await startServer({ nodeOptions, properties, checkout })
  const connection = await connectWebSocket(empty.port, final)
  await connection.call(evalMessage("g.addV('person').property('uid', 0).property('name', 'x').drop()"))
  await connection.call(evalMessage("graph.createIndex('uid', Vertex.class)"))
  connection.close()
  await empty.stop()
  const begin = performance.now()
  const command = ["dist/main.js", "import", "--config", configure("", properties), files.vertices, files.edges]
  const done = spawnSync("sh", ["-c", '"$0" "$@" && times', process.execPath, ...command], {
    cwd: checkout,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    timeout: 3_600_000
  })
  if (done.status !== 0) throw new Error("the import failed")
  figures.set("import, edges /s", EDGES / ((performance.now() - begin) / 1000))
  // The last line of `times` is the CPU time of child processes, in minutes and seconds.
  const taken = [
    ...done.stdout
      .trimEnd()
      .split("\n")
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g)
  ]
  const cpu = taken.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0)
  figures.set("import: CPU us per edge", (cpu * 1e6) / EDGES)
  figures.set("bytes per edge", bytesIn(directory) / EDGES)
  keep(name, figures)
  return figures
}

const peer = async (): Promise<Figures> => {
  const heap = Number(values["peer-heap"])
  const figures = kept("JanusGraph", janusGraphDirectory) ?? (await importPeer(heap))
  const server = await startJanusGraph({ heap, pool, properties: berkeleyProperties(false) })
  await measure([[server, figures]])
  await server.stop()
  return figures
}

/** Time between two progress lines of the peer's import, ms. */
const TOLD = 30_000

const importPeer = async (heap: number): Promise<Figures> => {
  const figures: Figures = new Map()
  forget("JanusGraph")
  const loading = await startJanusGraph({ heap, pool, properties: berkeleyProperties(true) })
  const connection = await connectWebSocket(loading.port, final)
  const groovy = "gremlin-groovy"
  await connection.call(evalMessage(schemaScript, {}, groovy))
  const begin = performance.now()
  const before = loading.cpu()
  const progress = join(folder, "progress")
  writeFileSync(progress, "0")
  const taken = (): number => Number(readFileSync(progress, "utf8"))
  const telling = setInterval(() => {
    const seconds = Math.round((performance.now() - begin) / 1000)
    console.log(`JanusGraph imports: ${taken()} of ${VERTICES + EDGES} elements after ${seconds} s`)
  }, TOLD)
  const bindings = { ...files, progress, limit: Number(values["import-limit"]) * 1000 }
  await connection.call(evalMessage(importScript, bindings, groovy)).finally(() => clearInterval(telling))
  const edges = taken() - VERTICES
  if (edges < EDGES)
    console.log(`JanusGraph had ${edges} edges at the import limit: its reads use this part of the graph`)
  figures.set("import, edges /s", edges / ((performance.now() - begin) / 1000))
  figures.set("import: CPU us per edge", (loading.cpu() - before) / edges)
  connection.close()
  await loading.stop()
  figures.set("bytes per edge", bytesIn(janusGraphDirectory) / edges)
  keep("JanusGraph", figures)
  return figures
}

await generate()
console.log(`${VERTICES} vertices, ${EDGES} edges; heap ${values.heap} MB, of the peer ${values["peer-heap"]} MB`)
const engines = [await startEngine({ name: "ours", checkout: root, directory })]
if (values.against !== undefined)
  engines.push(await startEngine({ name: "against", checkout: values.against, directory: directoryAgainst }))
await measure(engines)
for (const [server] of engines) await server.stop()
const [mine, before] = engines.map(([, figures]) => figures)
const withJanusGraph = before === undefined && !values["no-peer"] && installJanusGraph()
const theirs = withJanusGraph ? await peer() : before
const peerName = before === undefined ? "JanusGraph" : "against"
console.log(`${"".padEnd(34)}${"ours".padStart(14)}${peerName.padStart(14)}${"ratio".padStart(10)}`)
for (const [name, value] of mine ?? []) {
  const other = theirs?.get(name)
  const shown = (figure: number | undefined): string =>
    figure === undefined ? "" : figure.toFixed(figure < 100 ? 1 : 0)
  const ratio = other === undefined ? undefined : value / other
  console.log(
    `${name.padEnd(34)}${shown(value).padStart(14)}${shown(other).padStart(14)}${(ratio?.toFixed(2) ?? "").padStart(10)}`
  )
}
