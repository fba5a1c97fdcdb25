import { connectWebSocket } from "./Load.ts"
import { evalMessage, final } from "./Messages.ts"
import { startPeer } from "./Peer.ts"
import { buildServer, type ServerProcess, startServer } from "./ServerProcess.ts"

/** Number of persons in the graph of `oltp` and `olap`, and of outgoing knows edges of each person. */
export const PERSONS = 10_000
const DEGREE = 10

/** Loads the graph over the protocol: an index on uid, the persons, and their edges. */
const loadGraph = async (server: ServerProcess): Promise<void> => {
  const connection = await connectWebSocket(server.port, final)
  await connection.call(evalMessage("graph.createIndex('uid', Vertex.class)", {}, "gremlin-groovy"))
  for (let at = 0; at < PERSONS; at += 100) {
    const adds = Array.from(
      { length: 100 },
      (_, i) => `addV('person').property('uid', ${at + i}).property('name', 'person-${at + i}')`
    )
    await connection.call(evalMessage(`g.${adds.join(".")}.iterate()`))
  }
  for (let at = 0; at < PERSONS; at++) {
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

/**
 * Measures a server that holds the graph, and Gremlin Server with the same graph if `withPeer` is true. Prints their resident
 * memory before and after. BENCH_NODE_OPTIONS are Node.js options for the server.
 */
export const withServers = async (
  withPeer: boolean,
  measure: (server: ServerProcess, peer: ServerProcess | undefined) => Promise<void>
): Promise<void> => {
  buildServer()
  const options = (process.env.BENCH_NODE_OPTIONS ?? "").split(" ").filter((option) => option !== "")
  const server = await startServer("", options)
  await loadGraph(server)
  console.log(`loaded ${PERSONS} persons with ${DEGREE} edges each; ${server.memory().toFixed(0)} MB`)
  const peer = withPeer ? await startPeer() : undefined
  if (peer !== undefined) {
    await loadGraph(peer)
    console.log(`the same on Gremlin Server 3.8.1; ${peer.memory().toFixed(0)} MB`)
  }
  await measure(server, peer)
  console.log(`RSS afterwards ${server.memory().toFixed(0)} MB`)
  await server.stop()
  if (peer === undefined) return
  console.log(`RSS of Gremlin Server afterwards ${peer.memory().toFixed(0)} MB`)
  await peer.stop()
}
