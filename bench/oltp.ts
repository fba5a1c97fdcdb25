import { randomUUID } from "node:crypto"
import { type Connection, connectHttp, connectWebSocket, load } from "./Load.ts"
import { bytecodeMessage, evalMessage, final, framed, int32 } from "./Messages.ts"
import { best, PERSONS, withServers } from "./Persons.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/**
 * npm run bench -- oltp [seconds] [part of a row's name] [--peer]: 10,000 persons with 10 knows edges each and an index on
 * uid, loaded over the protocol. Then 32 connections send every form of request, one in flight on each. Prints requests/s,
 * latencies and the server's CPU time per request. Compare the CPU time: it does not depend on the speed of the client. With
 * --peer, Gremlin Server 3.8.1 gets the same load in alternate turns, so that other work on the machine affects both.
 */
const CONNECTIONS = 32
const withPeer = process.argv.includes("--peer")
const [, , time = "3", only = ""] = process.argv.filter((word) => word !== "--peer")
const seconds = Number(time)
/** Turns of a row with two servers, and warm-up time of the JVM in each, seconds. */
const TURNS = 3
const WARM = 8

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

const measure = async ({ connect, message }: Row, server: ServerProcess, warm: number): Promise<Figures> => {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(server.port)))
  await load(connections, warm, message)
  const before = server.cpu()
  const result = await load(connections, seconds, message)
  const cpu = (server.cpu() - before) / result.requests
  for (const connection of connections) connection.close()
  return { perSecond: result.requests / result.seconds, p50: result.p50, p99: result.p99, cpu }
}

const print = (name: string, { cpu, p50, p99, perSecond }: Figures): void =>
  console.log(
    `${name.padEnd(32)} ${perSecond.toFixed(0).padStart(7)} /s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms   CPU ${cpu.toFixed(1)} us`
  )

const compare = async (row: Row, server: ServerProcess, peer: ServerProcess): Promise<void> => {
  const own: Array<Figures> = []
  const others: Array<Figures> = []
  for (let turn = 0; turn < TURNS; turn++) {
    others.push(await measure(row, peer, turn === 0 ? WARM : 1))
    own.push(await measure(row, server, 1))
  }
  const [ours, theirs] = [best(own), best(others)]
  print(row.name, ours)
  print("  Gremlin Server 3.8.1", theirs)
  console.log(`  CPU of Gremlin Server / ours: ${(theirs.cpu / ours.cpu).toFixed(1)}`)
}

await withServers(withPeer, async (server, peer) => {
  for (const row of rows.filter(({ name }) => name.includes(only))) {
    if (peer === undefined) print(row.name, await measure(row, server, 1))
    else await compare(row, server, peer)
  }
})
