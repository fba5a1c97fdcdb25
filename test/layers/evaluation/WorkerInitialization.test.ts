import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { newFolder } from "../../Folders.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { clientOfEach, startWorkers, until } from "../support/WorkerServer.ts"

let bundle = ""
beforeAll(async () => {
  bundle = await bundled({ main: "src/main.ts" })
})

const script = `
println "the script runs"
def twice(x) { x * 2 }
graph.addVertex("scripted")
def globals = [:]
globals << [answer : 42]
globals << [hook : [
  onStartUp: { ctx -> ctx.logger.info("the hook starts"); graph.addVertex("started") },
  onShutDown: { ctx -> ctx.logger.info("the hook ends") }
] as LifeCycleHook]
globals
`

const settings = [
  "scriptEngines: {gremlin-groovy: {plugins: {org.apache.tinkerpop.gremlin.jsr223.ScriptFileGremlinPlugin: {files: [init.groovy]}}}}",
  "dataScripts: data"
]

/** Prints the log file to standard output, also after it was renamed, until the server ends. */
const shown = ["sh", "-c", 'touch server.log; tail --pid=$$ -F server.log & exec "$@"', "sh"]

const withScripts = (): string => {
  const folder = newFolder()
  writeFileSync(join(folder, "init.groovy"), script)
  mkdirSync(join(folder, "data"))
  writeFileSync(join(folder, "data", "data.groovy"), "g.addV('data').iterate()")
  return folder
}

describe.each([2, 4])("The initialisation of a server with %i workers", (count) => {
  it("runs definitions in every worker, and fills graphs and runs hooks once", async () => {
    const folder = withScripts()
    const server = await startWorkers(bundle, count, settings, folder)
    const lines = (part: string) => server.log.filter((line) => line.includes(part))
    const check = async () => {
      const clients = await clientOfEach(server, count)
      for (const client of clients) {
        expect((await client.eval("twice(answer)")).result.data).toEqual([84])
        for (const label of ["scripted", "started", "data"])
          expect((await client.eval(`g.V().hasLabel('${label}').count()`)).result.data).toEqual([1])
        client.ws.close()
      }
    }
    await check()
    const pids = await server.pids()
    process.kill(pids[0]!, "SIGKILL")
    await until(server.pids, (now) => now.length === count && !now.includes(pids[0]!))
    await server.reload()
    await until(server.pids, (now) => now.length === count && !now.some((pid) => pids.includes(pid)))
    await check()
    expect(lines("the script runs")).toHaveLength(1)
    expect(lines("the hook starts")).toHaveLength(1)
    expect(lines("the hook ends")).toHaveLength(0)
    await stop(server)
    expect(lines("the hook ends")).toHaveLength(1)
  })

  it("logs notes about the configuration once, lines of workers with their number, and reopens the log of all at SIGHUP", async () => {
    const folder = withScripts()
    const more = ["logging: {file: server.log}", "enableAuditLog: true", "slowQueryThreshold: 1", "graphManager: x.Y"]
    const server = await startWorkers(bundle, count, [...settings, ...more], folder, { before: shown })
    const file = join(folder, "server.log")
    const read = (path: string) => readFileSync(path, "utf8")
    const matching = (text: string, part: string) => text.split("\n").filter((line) => line.includes(part))
    expect(matching(read(file), "graphManager")).toHaveLength(1)
    const askAll = async () => {
      for (const client of await clientOfEach(server, count)) {
        await client.eval("println 'printed'; x = 0; for (i in 0..20000) { x = x + i }; x")
        client.ws.close()
      }
    }
    await askAll()
    await until(
      async () => matching(read(file), "Slow request").length,
      (length) => length === count
    )
    const numbers = Array.from({ length: count }, (_, i) => String(i + 1))
    for (const part of [" Audit ", "Slow request", "A script printed"]) {
      const found = matching(read(file), part).map((line) => /worker=(\d+)/.exec(line)?.[1])
      expect([part, found.sort()]).toEqual([part, numbers])
    }
    renameSync(file, `${file}.1`)
    server.child.kill("SIGHUP")
    await until(
      async () => {
        await askAll()
        return existsSync(file) ? matching(read(file), " Audit ").map((line) => /worker=(\d+)/.exec(line)?.[1]) : []
      },
      (found) => numbers.every((number) => found.includes(number))
    )
    await stop(server)
    expect(matching(read(file), "Server stopped")).toHaveLength(1)
  })
})
