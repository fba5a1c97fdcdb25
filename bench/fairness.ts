import { randomUUID } from "node:crypto"
import { WebSocket } from "ws"
import { ENDLESS, expectRunning } from "./Endless.ts"
import { connectHttp, load } from "./Load.ts"
import { buildServer, startServer } from "./ServerProcess.ts"

/**
 * npm run bench -- fairness [seconds]: point reads over HTTP, one in flight on each of four connections, while 16 requests run
 * that never end. Three cases: no such requests, all in the pool, all in sessions. Prints latencies. The limit for the 99th
 * percentile is 25 ms with enginePool 32.
 */
const seconds = Number(process.argv[2] ?? 5)
const RUNAWAYS = 16
const READERS = 4
const READ = JSON.stringify({ gremlin: "g.V().has('person', 'uid', x).values('name')", bindings: { x: 7 } })

/** Opens a connection and starts 16 requests on it, which end when it closes. */
const runaways = (port: number, processor: "" | "session"): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/gremlin`, { perMessageDeflate: false })
    socket.on("error", reject)
    socket.on("open", () => {
      for (let i = 0; i < RUNAWAYS; i++) {
        const args = {
          gremlin: ENDLESS,
          evaluationTimeout: 0,
          ...(processor === "" ? {} : { session: `runaway ${i}` })
        }
        socket.send(JSON.stringify({ requestId: randomUUID(), op: "eval", processor, args }))
      }
      resolve(socket)
    })
  })

buildServer()
const server = await startServer({ yaml: "enginePool: 32\n" })
const setUp = connectHttp(server.port)
await setUp.call(JSON.stringify({ gremlin: "graph.createIndex('uid', Vertex.class)" }))
await setUp.call(JSON.stringify({ gremlin: "g.addV('person').property('uid', 7).property('name', 'seven').iterate()" }))
setUp.close()
for (const [name, processor] of [
  ["alone", null],
  ["beside 16 in the pool", ""],
  ["beside 16 in sessions", "session"]
] as const) {
  const beside = processor === null ? null : await runaways(server.port, processor)
  const running = processor === null ? 0 : RUNAWAYS
  await expectRunning(server.port, running)
  const readers = Array.from({ length: READERS }, () => connectHttp(server.port))
  await load(readers, 1, () => READ)
  const { p50, p99, requests, seconds: elapsed } = await load(readers, seconds, () => READ)
  console.log(
    `${name.padEnd(24)} ${(requests / elapsed).toFixed(0).padStart(7)} /s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms`
  )
  await expectRunning(server.port, running)
  for (const reader of readers) reader.close()
  beside?.terminate()
}
await server.stop()
