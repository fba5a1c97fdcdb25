import { mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { EngineServer } from "../src/layers/EngineServer.ts"
import { defaultSettings } from "../src/services/DefaultSettings.ts"
import { median } from "./Median.ts"
import { buildServer, type ServerProcess, startServer, startShippedServer } from "./ServerProcess.ts"

/**
 * npm run bench -- start: time from spawning the process to listening and to the first answer, and idle memory. Measures the
 * shipped configuration and an empty graph in memory, and start and stop inside a program. Prints medians of 9 runs.
 */
const ROUNDS = 9

const firstAnswer = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const call = request({ port, host: "127.0.0.1", method: "POST" }, (answer) => {
      answer.resume()
      answer.on("end", () => (answer.statusCode === 200 ? resolve() : reject(new Error(`status ${answer.statusCode}`))))
    })
    call.on("error", reject)
    call.end('{"engine":"g.V().count()"}')
  })

const measure = async (name: string, start: () => Promise<ServerProcess>): Promise<void> => {
  const starts: Array<number> = []
  const answers: Array<number> = []
  const memory: Array<number> = []
  const cpu: Array<number> = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start()
    starts.push(server.startedAfter)
    cpu.push(server.cpu() / 1000)
    const begin = performance.now()
    await firstAnswer(server.port)
    answers.push(performance.now() - begin)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    memory.push(server.memory())
    await server.stop()
  }
  console.log(name)
  console.log(`  start to listening   ${median(starts).toFixed(0)} ms (CPU ${median(cpu).toFixed(0)} ms)`)
  console.log(`  first answer after   ${median(answers).toFixed(1)} ms more`)
  console.log(`  RSS idle             ${median(memory).toFixed(0)} MB`)
}

buildServer()
const home = mkdtempSync(join(tmpdir(), "engine-server-start-"))
// The first start makes the folder of the graph.
await (await startShippedServer(home)).stop()
await measure("shipped configuration, graph on disk", () => startShippedServer(home))
rmSync(home, { recursive: true })
await measure("TinkerGraph in memory", () => startServer())

const inside: Array<number> = []
for (let round = 0; round <= ROUNDS; round++) {
  const begin = performance.now()
  await Effect.runPromise(
    Effect.scoped(EngineServer.start(defaultSettings({ port: 0 }))).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
  // The first start compiles code that the others reuse.
  if (round > 0) inside.push(performance.now() - begin)
}
console.log(`in a program: start and stop ${median(inside).toFixed(1)} ms`)
