import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { importScript, schemaScript } from "../BulkImport.ts"
import { startJanusGraph } from "../JanusGraph.ts"
import { bytecodeMessage, evalMessage, final } from "../Messages.ts"
import { configure, type ServerProcess } from "../ServerProcess.ts"
import { connectWebSocket } from "../WebSocketClient.ts"
import type { MeasuredCassandra } from "./Cassandra.ts"
import { DEGREE } from "./Requests.ts"
import { type Comparison, janusGraphProperties, propertiesOf, startOurs } from "./Servers.ts"

const folder = (): string => join(process.cwd(), ".cache", "bench", "cql")

/** Writes the CSV files of a graph with the given number of persons. */
const writeGraph = (persons: number): { readonly vertices: string; readonly edges: string } => {
  mkdirSync(folder(), { recursive: true })
  const files = { vertices: join(folder(), "vertices.csv"), edges: join(folder(), "edges.csv") }
  const vertices = Array.from({ length: persons }, (_, at) => `${at},person,${at},person-${at}\n`)
  writeFileSync(files.vertices, `~id,~label,uid:Int,name:String\n${vertices.join("")}`)
  const edges = Array.from({ length: persons * DEGREE }, (_, at) => {
    const from = Math.floor(at / DEGREE)
    return `${from},${(from * 7 + (at % DEGREE) * 97 + 1) % persons},knows\n`
  })
  writeFileSync(files.edges, `~from,~to,~label\n${edges.join("")}`)
  return files
}

/** Runs a message once, and returns its duration in seconds. */
const secondsOf = async (server: ServerProcess, message: Buffer): Promise<number> => {
  const connection = await connectWebSocket(server.port, final)
  const begin = performance.now()
  await connection.call(message)
  const seconds = (performance.now() - begin) / 1000
  connection.close()
  return seconds
}

/** Scans after the first, which warms up the code. */
const SCANS = 3

const scan = async (name: string, server: ServerProcess, persons: number): Promise<void> => {
  const message = bytecodeMessage([["V"], ["hasLabel", "person"], ["values", "name"], ["count"]])
  await secondsOf(server, message)
  const before = server.cpu()
  let seconds = 0
  for (let at = 0; at < SCANS; at++) seconds += await secondsOf(server, message)
  const vertices = persons * SCANS
  const cpu = (server.cpu() - before) / vertices
  console.log(`${name}: scan, ${(vertices / seconds).toFixed(0)} vertices/s, CPU ${cpu.toFixed(0)} us a vertex`)
}

const importOurs = async (cassandra: MeasuredCassandra, persons: number): Promise<void> => {
  const files = writeGraph(persons)
  const keyspace = "bench_import"
  const empty = await startOurs({ port: cassandra.port, keyspace, pool: 2, workers: 1 })
  await secondsOf(empty, evalMessage(schemaScript, {}, "gremlin-groovy"))
  await empty.stop()
  const begin = performance.now()
  const config = configure("", propertiesOf(cassandra.port, keyspace))
  const command = ["dist/main.js", "import", "--config", config, files.vertices, files.edges]
  const done = spawnSync(process.execPath, command, { encoding: "utf8" })
  if (done.status !== 0) throw new Error(`the import failed: ${done.stderr}`)
  const rate = (persons * (1 + DEGREE)) / ((performance.now() - begin) / 1000)
  console.log(`ours: import, ${rate.toFixed(0)} elements/s`)
  const server = await startOurs({ port: cassandra.port, keyspace, pool: 2, workers: 1 })
  await scan("ours", server, persons)
  await server.stop()
}

const importTheirs = async (cassandra: MeasuredCassandra, { heap, imported }: Comparison): Promise<void> => {
  const files = writeGraph(imported)
  const properties = janusGraphProperties(cassandra.port, "bench_janusgraph_import")
  const loading = await startJanusGraph({
    heap,
    pool: 2,
    properties: `${properties}storage.batch-loading=true\nids.block-size=1000000\n`
  })
  await secondsOf(loading, evalMessage(schemaScript, {}, "gremlin-groovy"))
  const bindings = { ...files, progress: join(folder(), "progress"), limit: 3_600_000 }
  const seconds = await secondsOf(loading, evalMessage(importScript, bindings, "gremlin-groovy"))
  console.log(`JanusGraph: import, ${((imported * (1 + DEGREE)) / seconds).toFixed(0)} elements/s`)
  await loading.stop()
  const server = await startJanusGraph({ heap, pool: 2, properties })
  await scan("JanusGraph", server, imported)
  await server.stop()
}

/** Measures the import of a graph from CSV, and scans of all its vertices. */
export const measureLargeWork = async (cassandra: MeasuredCassandra, plan: Comparison): Promise<void> => {
  await importOurs(cassandra, plan.imported)
  if (!plan.noPeer) await importTheirs(cassandra, plan)
}
