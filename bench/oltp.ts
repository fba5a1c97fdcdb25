import { randomUUID } from "node:crypto"
import { connectHttp, load } from "./Load.ts"
import { median } from "./Median.ts"
import { bytecodeMessage, evalMessage, final, framed, int32 } from "./Messages.ts"
import { PERSONS, type Peer, peerOf, withServers } from "./Persons.ts"
import type { ServerProcess } from "./ServerProcess.ts"
import { type Connection, connectWebSocket } from "./WebSocketClient.ts"

/**
 * npm run bench -- oltp [seconds] [part of a row's name] [--peer | --against FOLDER]: 10,000 persons with 10 knows edges
 * each and an index on uid, loaded over the protocol. Then 32 connections send every form of request, one in flight on each.
 * Prints requests/s, latencies and the server's CPU time per request. Compare the CPU time: it does not depend on the speed of
 * the client. With --peer, Gremlin Server 3.8.1 gets the same load in alternate turns; with --against, the server of another
 * checkout.
 */
const CONNECTIONS = 32
const { peer, rest } = peerOf(process.argv.slice(2))
const [time = "3", only = ""] = rest
const seconds = Number(time)
/** Length of one turn of a row with two servers. */
const TURN_SECONDS = 0.2

/** GraphBinary: version, nullable request id, then the code. */
const finalBinary = (frame: Buffer): boolean => {
  const code = frame.readInt32BE(frame[1] === 0 ? 18 : 2)
  if (code >= 300) throw new Error(`status ${code}: ${frame.subarray(22, 300).toString()}`)
  return code !== 206
}

/** Bytecode in GraphBinary 1.0, written by hand because no driver exports its request writer. */
const binaryMessage = (steps: ReadonlyArray<ReadonlyArray<string | number>>): Buffer => {
  const parts: Array<Buffer> = []
  const int = (value: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeInt32BE(value)
    return bytes
  }
  const text = (value: string): Buffer => Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)])
  const typed = (value: string | number): Buffer =>
    typeof value === "string"
      ? Buffer.concat([Buffer.from([3, 0]), text(value)])
      : Buffer.concat([Buffer.from([1, 0]), int(value)])
  parts.push(Buffer.from([0x81]), Buffer.from(randomUUID().replaceAll("-", ""), "hex"))
  parts.push(text("bytecode"), text("traversal"), int(2))
  parts.push(typed("gremlin"), Buffer.from([0x15, 0]), int(steps.length))
  for (const [operator, ...args] of steps) {
    parts.push(text(String(operator)), int(args.length), ...args.map(typed))
  }
  parts.push(int(0), typed("aliases"), Buffer.from([0x0a, 0]), int(1), typed("g"), typed("g"))
  return framed("application/vnd.graphbinary-v1.0", Buffer.concat(parts))
}

const person = (): number => Math.floor(Math.random() * PERSONS)

const HOP = "g.V().has('person','uid',x).out('knows').values('name')"

interface Row {
  readonly name: string
  readonly message: () => Buffer | string
  readonly connect: (port: number) => Promise<Connection> | Connection
}

const ws = (port: number): Promise<Connection> => connectWebSocket(port, final)
const wsBinary = (port: number): Promise<Connection> => connectWebSocket(port, finalBinary)

const rows: ReadonlyArray<Row> = [
  { name: "g.inject(1)", message: () => evalMessage("g.inject(1)"), connect: ws },
  { name: "hop, script with binding", message: () => evalMessage(HOP, { x: person() }), connect: ws },
  {
    name: "hop, bytecode in GraphSON 3",
    message: () =>
      bytecodeMessage([["V"], ["has", "person", "uid", int32(person())], ["out", "knows"], ["values", "name"]]),
    connect: ws
  },
  {
    name: "hop, bytecode in GraphBinary",
    message: () => binaryMessage([["V"], ["has", "person", "uid", person()], ["out", "knows"], ["values", "name"]]),
    connect: wsBinary
  },
  {
    name: "hop, HTTP POST",
    message: () => JSON.stringify({ gremlin: HOP, bindings: { x: person() } }),
    connect: connectHttp
  },
  {
    name: "two hops, dedup().count()",
    message: () =>
      evalMessage("g.V().has('person','uid',x).out('knows').out('knows').dedup().count()", { x: person() }),
    connect: ws
  },
  {
    name: "whole vertices",
    message: () => evalMessage("g.V().has('person','uid',x).out('knows')", { x: person() }),
    connect: ws
  },
  {
    name: "addV with one property",
    message: () => evalMessage("g.addV('visit').property('at', x)", { x: person() }),
    connect: ws
  }
]

interface Figures {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** CPU time of the server per request, us. */
  readonly cpu: number
}

const connectAll = ({ connect }: Row, server: ServerProcess): Promise<ReadonlyArray<Connection>> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => connect(server.port)))

/** Measures a row for `time` seconds on connections that are open. */
const turn = async (
  { message }: Row,
  server: ServerProcess,
  connections: ReadonlyArray<Connection>,
  time: number
): Promise<Figures> => {
  const before = server.cpu()
  const { p50, p99, requests, seconds: elapsed } = await load(connections, time, message)
  return { perSecond: requests / elapsed, p50, p99, cpu: (server.cpu() - before) / requests }
}

const measure = async (row: Row, server: ServerProcess): Promise<Figures> => {
  const connections = await connectAll(row, server)
  await load(connections, 1, row.message)
  const figures = await turn(row, server, connections, seconds)
  for (const connection of connections) connection.close()
  return figures
}

/** The median of each figure. */
const middle = (turns: ReadonlyArray<Figures>): Figures => ({
  perSecond: median(turns.map(({ perSecond }) => perSecond)),
  p50: median(turns.map(({ p50 }) => p50)),
  p99: median(turns.map(({ p99 }) => p99)),
  cpu: median(turns.map(({ cpu }) => cpu))
})

const print = (name: string, { cpu, p50, p99, perSecond }: Figures): void =>
  console.log(
    `${name.padEnd(32)} ${perSecond.toFixed(0).padStart(7)} /s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms   CPU ${cpu.toFixed(1)} us`
  )

/**
 * Gives both servers the load in short turns, one after the other, because the speed of a machine that others share changes
 * from second to second. The ratio is the median of the ratios of neighbouring turns.
 */
const compare = async (row: Row, server: ServerProcess, other: ServerProcess, { name, warm }: Peer): Promise<void> => {
  const [ours, theirs] = [await connectAll(row, server), await connectAll(row, other)]
  await load(ours, 1, row.message)
  await load(theirs, warm, row.message)
  const [own, others]: [Array<Figures>, Array<Figures>] = [[], []]
  const ownTurn = async (): Promise<unknown> => own.push(await turn(row, server, ours, TURN_SECONDS))
  const otherTurn = async (): Promise<unknown> => others.push(await turn(row, other, theirs, TURN_SECONDS))
  for (let at = 0; at < seconds / TURN_SECONDS; at++) {
    // The order alternates, because a turn may pay for the garbage of the turn before.
    if (at % 2 === 0) await ownTurn()
    await otherTurn()
    if (at % 2 === 1) await ownTurn()
  }
  for (const connection of [...ours, ...theirs]) connection.close()
  print(row.name, middle(own))
  print(`  ${name}`, middle(others))
  const ratio = median(others.map(({ cpu }, at) => cpu / (own[at]?.cpu ?? Number.NaN)))
  console.log(`  CPU of ${name} / ours: ${ratio.toFixed(2)}`)
}

await withServers(peer, async (server, other) => {
  for (const row of rows.filter(({ name }) => name.includes(only))) {
    if (peer === undefined || other === undefined) print(row.name, await measure(row, server))
    else await compare(row, server, other, peer)
  }
})
