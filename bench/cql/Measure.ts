import { schemaScript } from "../BulkImport.ts"
import { load } from "../Load.ts"
import { evalMessage, final } from "../Messages.ts"
import type { ServerProcess } from "../ServerProcess.ts"
import { type Connection, connectWebSocket } from "../WebSocketClient.ts"
import { DEGREE, loadMessages, PERSONS, type Request } from "./Requests.ts"

/** What a cluster has done so far. */
export interface ClusterWork {
  /** Statements and batches. */
  readonly statements: number
  /** Rows read, and rows written. */
  readonly rows: number
  readonly written: number
  /** CPU time, microseconds; undefined for a simulated cluster. */
  readonly cpu: number | undefined
}

/** Reads what the cluster has done. */
export type CountWork = () => Promise<ClusterWork>

/** The figures of one row: rates per second, times in milliseconds, the rest for each request. */
export interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU time of the server, microseconds. */
  readonly cpu: number
  /** Cores that the server used. */
  readonly cores: number
  readonly statements: number
  readonly rows: number
  readonly written: number
  readonly clusterCpu: number | undefined
}

/** Opens WebSocket connections to a server, one after another. */
export const connect = async (server: ServerProcess, count: number): Promise<ReadonlyArray<Connection>> => {
  const connections: Array<Connection> = []
  for (let i = 0; i < count; i++) connections.push(await connectWebSocket(server.port, final))
  return connections
}

/** Connections that load the graph. */
const LOADERS = 8

/** Makes the schema and the graph through the protocol. Returns the elements per second. */
export const loadGraph = async (server: ServerProcess): Promise<number> => {
  const connections = await connect(server, LOADERS)
  await connections[0]!.call(evalMessage(schemaScript, {}, "gremlin-groovy"))
  const begin = performance.now()
  for (const messages of loadMessages()) {
    const left = messages.values()
    await Promise.all(
      connections.map(async (connection) => {
        for (const message of left) await connection.call(message)
      })
    )
  }
  const seconds = (performance.now() - begin) / 1000
  for (const connection of connections) connection.close()
  return (PERSONS + PERSONS * DEGREE) / seconds
}

/** Sends one kind of request for some seconds, with the given number in flight, and measures server and cluster. */
export const measure = async (
  server: ServerProcess,
  count: CountWork,
  request: Request,
  { inFlight, seconds }: { readonly inFlight: number; readonly seconds: number }
): Promise<Figures> => {
  const connections = await connect(server, inFlight)
  const [before, cpuBefore] = [await count(), server.cpu()]
  const { p50, p99, requests, seconds: elapsed } = await load(connections, seconds, request.message)
  const [after, cpu] = [await count(), server.cpu() - cpuBefore]
  for (const connection of connections) connection.close()
  return {
    perSecond: requests / elapsed,
    p50,
    p99,
    cpu: cpu / requests,
    cores: cpu / 1e6 / elapsed,
    statements: (after.statements - before.statements) / requests,
    rows: (after.rows - before.rows) / requests,
    written: (after.written - before.written) / requests,
    clusterCpu: after.cpu === undefined || before.cpu === undefined ? undefined : (after.cpu - before.cpu) / requests
  }
}

const columns = [
  "requests/s",
  "p50 ms",
  "p99 ms",
  "CPU us",
  "cores",
  "statements",
  "rows read",
  "written",
  "cluster CPU us"
]

/** The first line of the table. */
export const heading = (): string => `${"".padEnd(44)}${columns.map((name) => name.padStart(name.length + 3)).join("")}`

const shown = (value: number, digits: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** A line of the table. */
export const line = (name: string, figures: Figures): string => {
  const { clusterCpu, cores, cpu, p50, p99, perSecond, rows, statements, written } = figures
  const texts = [
    shown(perSecond, 0),
    shown(p50, 1),
    shown(p99, 1),
    shown(cpu, 0),
    shown(cores, 2),
    shown(statements, 1),
    shown(rows, 1),
    shown(written, 1),
    clusterCpu === undefined ? "" : shown(clusterCpu, 0)
  ]
  return `${name.padEnd(44)}${texts.map((text, at) => text.padStart(columns[at]!.length + 3)).join("")}`.trimEnd()
}
