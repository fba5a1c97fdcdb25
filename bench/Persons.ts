import { evalMessage, final } from "./Messages.ts"
import { startPeer } from "./Peer.ts"
import { buildServer, type ServerProcess, startServer } from "./ServerProcess.ts"
import { connectWebSocket } from "./WebSocketClient.ts"

/** Number of persons in the graph of `oltp` and `olap`, and of outgoing knows edges of each person. */
export const PERSONS = 10_000
const DEGREE = 10

/** Adds the edges of persons in one script. */
const EDGES =
  "for (uid in from..<to) { person = g.V().has('person', 'uid', uid).next(); for (i in 0..<degree) " +
  "g.V(person).addE('knows').to(__.V().has('person', 'uid', (uid * 7 + i * 977 + 1) % persons)).iterate() }; null"

/**
 * Loads the graph over the protocol: an index on uid, the persons, and their edges. The edges of how many persons are one request: with
 * one, the server has run 10,000 requests afterwards; with many, the loading takes less time beside other work.
 */
export const loadGraph = async (server: ServerProcess, personsPerRequest = 1): Promise<void> => {
  const connection = await connectWebSocket(server.port, final)
  await connection.call(evalMessage("graph.createIndex('uid', Vertex.class)", {}, "gremlin-groovy"))
  for (let at = 0; at < PERSONS; at += 100) {
    const adds = Array.from(
      { length: 100 },
      (_, i) => `addV('person').property('uid', ${at + i}).property('name', 'person-${at + i}')`
    )
    await connection.call(evalMessage(`g.${adds.join(".")}.iterate()`))
  }
  for (let at = 0; personsPerRequest > 1 && at < PERSONS; at += personsPerRequest) {
    const bindings = { from: at, to: Math.min(at + personsPerRequest, PERSONS), degree: DEGREE, persons: PERSONS }
    await connection.call(evalMessage(EDGES, bindings, "gremlin-groovy"))
  }
  for (let at = 0; personsPerRequest === 1 && at < PERSONS; at++) {
    const edges = Array.from(
      { length: DEGREE },
      (_, i) => `.addE('knows').from('a').to(__.V().has('person', 'uid', ${(at * 7 + i * 977 + 1) % PERSONS}))`
    )
    await connection.call(evalMessage(`g.V().has('person', 'uid', x).as('a')${edges.join("")}.iterate()`, { x: at }))
  }
  connection.close()
}

/** The cost of one turn on one server. */
interface Turn {
  /** CPU time of the server. */
  readonly cpu: number
}

/** The turn with the least CPU time, which other work on the machine disturbed least. */
export const best = <T extends Turn>(turns: ReadonlyArray<T>): T => turns.reduce((a, b) => (b.cpu < a.cpu ? b : a))

/** A second server that gets the same load in alternate turns, so that other work on the machine affects both. */
export interface Peer {
  readonly name: string
  readonly start: () => Promise<ServerProcess>
  /** Time until its code is compiled, in the first turn of each row, seconds. */
  readonly warm: number
}

const nodeOptions = (process.env.BENCH_NODE_OPTIONS ?? "").split(" ").filter((option) => option !== "")

/**
 * The peer that the command line names, and the words that are left. `--peer` is Gremlin Server. `--against FOLDER` is the
 * engine-server of another checkout with its dependencies installed: the state before a change, for example.
 */
export const peerOf = (
  words: ReadonlyArray<string>
): { readonly peer: Peer | undefined; readonly rest: ReadonlyArray<string> } => {
  const against = words.indexOf("--against")
  if (against >= 0) {
    const checkout = words[against + 1]
    if (checkout === undefined) throw new Error("--against needs the folder of a checkout")
    const start = (): Promise<ServerProcess> => {
      buildServer(checkout)
      return startServer({ nodeOptions, checkout })
    }
    return {
      peer: { name: checkout, start, warm: 1 },
      rest: words.filter((_, i) => i !== against && i !== against + 1)
    }
  }
  if (!words.includes("--peer")) return { peer: undefined, rest: words }
  const rest = words.filter((word) => word !== "--peer")
  return { peer: { name: "Gremlin Server 3.8.1", start: startPeer, warm: 8 }, rest }
}

/**
 * Milliseconds without requests before two servers are compared. The server that is loaded first is idle meanwhile, reduces its
 * heap, and then collects garbage more often than the other: 6 % more CPU per request. Both must be idle.
 */
const IDLE_MS = 20_000

/**
 * Measures a server that holds the graph, and the peer with the same graph. Prints their resident memory before and after.
 * BENCH_NODE_OPTIONS are Node.js options for engine-server.
 */
export const withServers = async (
  peer: Peer | undefined,
  measure: (server: ServerProcess, other: ServerProcess | undefined) => Promise<void>
): Promise<void> => {
  buildServer()
  const server = await startServer({ nodeOptions })
  await loadGraph(server)
  console.log(`loaded ${PERSONS} persons with ${DEGREE} edges each; ${server.memory().toFixed(0)} MB`)
  const other = await peer?.start()
  if (other !== undefined) {
    await loadGraph(other)
    console.log(`the same on ${peer?.name}; ${other.memory().toFixed(0)} MB`)
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  }
  await measure(server, other)
  console.log(`RSS afterwards ${server.memory().toFixed(0)} MB`)
  await server.stop()
  if (other === undefined) return
  console.log(`RSS of ${peer?.name} afterwards ${other.memory().toFixed(0)} MB`)
  await other.stop()
}
