import { connectWebSocket } from "./Load.ts"
import { evalMessage, final } from "./Messages.ts"
import type { ServerProcess } from "./ServerProcess.ts"

/** Persons of the graph of `oltp` and `olap`, and the knows edges that go out of each. */
export const PERSONS = 10_000
export const DEGREE = 10

/** Loads the graph through the wire: an index on uid, the persons, and their edges. */
export const loadGraph = async (server: ServerProcess): Promise<void> => {
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
