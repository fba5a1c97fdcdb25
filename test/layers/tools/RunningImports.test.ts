import { mkdirSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { expect, it } from "vitest"
import { takeFiles } from "../../../src/layers/tools/RunningImports.ts"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { newFolder } from "../../Folders.ts"
import { PROCESSES_MS } from "../../Limits.ts"
import { http, UNTYPED } from "../support/HttpClient.ts"
import { bundled, stop } from "../support/ServerProcess.ts"
import { startWorkers, until } from "../support/WorkerServer.ts"
import { boundsOf } from "../workers/Regions.ts"

it("Two workers that are asked to import one file at once import it once", { timeout: PROCESSES_MS }, async () => {
  const bundle = await bundled({ main: "src/main.ts" })
  const folder = newFolder()
  mkdirSync(join(folder, "data"))
  const rows = Array.from({ length: 40_000 }, (_, at) => `p${at},person\n`).join("")
  writeFileSync(join(folder, "data", "v.csv"), `~id,~label\n${rows}`)
  const server = await startWorkers(bundle, 2, ["ioDirectory: data"], folder)
  const calls = [0, 1].map(() => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    return async (method: string, path: string, body?: unknown) => {
      const headers = { accept: UNTYPED }
      const { json } = await http(
        server.authority,
        { agent, method, path, headers },
        body === undefined ? undefined : JSON.stringify(body)
      )
      return json
    }
  })
  for (const call of calls) await call("GET", "/health/live")
  const begun = await Promise.all(calls.map((call) => call("POST", "/loader", { source: "v.csv", format: "csv" })))
  const ends: Array<{ status: string; message: string }> = []
  for (const { payload } of begun) {
    const { payload: ended } = await until(
      () => calls[0]!("GET", `/loader?loadId=${payload.loadId}`),
      ({ payload: { overallStatus } }) => overallStatus.status !== "LOAD_IN_PROGRESS"
    )
    ends.push(ended.overallStatus)
  }
  expect(ends.map(({ status }) => status).sort()).toEqual(["LOAD_COMPLETED", "LOAD_FAILED"])
  expect(ends.find(({ status }) => status === "LOAD_FAILED")!.message).toContain("Another command is importing")
  expect((await calls[0]!("POST", "/", { gremlin: "g.V().count()" })).result.data).toEqual([40_000])
  await stop(server)
})

it("An import of one server keeps no file from a graph of the same name in another server of the process", () => {
  const [first, second] = [toyGraph("modern", "graph"), toyGraph("modern", "graph")]
  const giveBack = takeFiles(first, ["/a.csv"], undefined)
  takeFiles(second, ["/a.csv"], undefined)()
  expect(() => takeFiles(first, ["/a.csv"], undefined)).toThrow("Another command is importing /a.csv")
  giveBack()
  takeFiles(first, ["/a.csv"], undefined)()
})

it("An import that another worker runs keeps no other file of the command", async () => {
  const [first, second] = await boundsOf(2)
  const graph = toyGraph("modern", "graph")
  first!.imports.take("graph /b.csv")
  expect(() => takeFiles(graph, ["/a.csv", "/b.csv"], second!.imports)).toThrow(
    "Another command is importing /b.csv into this graph: wait for its end, or leave the file out."
  )
  expect(first!.imports.take("graph /a.csv")).toBe("taken")
  takeFiles(graph, ["/c.csv", "/c.csv"], second!.imports)()
  expect(first!.imports.take("graph /c.csv")).toBe("taken")
})
