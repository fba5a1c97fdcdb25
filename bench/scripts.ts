import { load } from "./Load.ts"
import { median } from "./Median.ts"
import { evalMessage, final } from "./Messages.ts"
import { PERSONS, peerOf, withServers } from "./Persons.ts"
import type { ServerProcess } from "./ServerProcess.ts"
import { type Program, programs } from "./scripts/Programs.ts"
import { type Connection, connectWebSocket } from "./WebSocketClient.ts"

/**
 * npm run bench -- scripts [seconds] [part of a row's name] [--peer | --against FOLDER]: programs in Groovy of about 30 lines on the
 * graph of `oltp`. Most of them run traversals in loops; the last ones only calculate. Prints the server's CPU time per request. With
 * --peer, Gremlin Server 3.8.1 gets the same load in alternate turns; with --against, the server of another checkout. Every program
 * has one text, so that a server that compiles scripts compiles it once.
 */
const CONNECTIONS = 4
const { peer, rest } = peerOf(process.argv.slice(2))
const [time = "6", only = ""] = rest
const seconds = Number(time)
/** Length of one turn of a row with two servers. */
const TURN_SECONDS = 0.5

const person = (): number => Math.floor(Math.random() * PERSONS)
const messageOf = ({ script }: Program, x = person()): Buffer => evalMessage(script.trim(), { x }, "gremlin-groovy")

/** The answer of a server, without what differs from request to request. */
const answerOf = async (server: ServerProcess, program: Program): Promise<string> => {
  let text = ""
  const connection = await connectWebSocket(server.port, (frame) => {
    text += /"result":(.*)\}$/s.exec(frame.toString())?.[1]?.replace(/,"meta":.*/s, "") ?? ""
    return final(frame)
  })
  await connection.call(messageOf(program, 4711))
  connection.close()
  return text
}

interface Figures {
  /** CPU time of the server per request, us. */
  readonly cpu: number
  readonly p50: number
}

const connectAll = (server: ServerProcess): Promise<ReadonlyArray<Connection>> =>
  Promise.all(Array.from({ length: CONNECTIONS }, () => connectWebSocket(server.port, final)))

const turn = async (
  program: Program,
  server: ServerProcess,
  connections: ReadonlyArray<Connection>,
  time: number
): Promise<Figures> => {
  const before = server.cpu()
  const { p50, requests } = await load(connections, time, () => messageOf(program))
  return { cpu: (server.cpu() - before) / requests, p50 }
}

const print = (name: string, turns: ReadonlyArray<Figures>): void => {
  const [cpu, p50] = [median(turns.map((each) => each.cpu)), median(turns.map((each) => each.p50))]
  console.log(`${name.padEnd(32)} CPU ${cpu.toFixed(0).padStart(6)} us   p50 ${p50.toFixed(2)} ms`)
}

await withServers(peer, async (server, other) => {
  for (const program of programs.filter(({ name }) => name.includes(only))) {
    const name = `${program.name}${program.traverses ? "" : " (no traversal)"}`
    const ours = await connectAll(server)
    await load(ours, peer?.warm ?? 2, () => messageOf(program))
    if (peer === undefined || other === undefined) {
      print(name, [await turn(program, server, ours, seconds)])
      for (const connection of ours) connection.close()
      continue
    }
    const [mine, reference] = [await answerOf(server, program), await answerOf(other, program)]
    if (mine !== reference) console.log(`${name}: other results\n  ${mine}\n  ${reference}`)
    const theirs = await connectAll(other)
    await load(theirs, peer.warm, () => messageOf(program))
    const [own, others]: [Array<Figures>, Array<Figures>] = [[], []]
    for (let at = 0; at < seconds / TURN_SECONDS; at++) {
      own.push(await turn(program, server, ours, TURN_SECONDS))
      others.push(await turn(program, other, theirs, TURN_SECONDS))
    }
    for (const connection of [...ours, ...theirs]) connection.close()
    print(name, own)
    print(`  ${peer.name}`, others)
    const ratio = median(others.map(({ cpu }, at) => cpu / (own[at]?.cpu ?? Number.NaN)))
    console.log(`  CPU of ${peer.name} / ours: ${ratio.toFixed(2)}`)
  }
})
