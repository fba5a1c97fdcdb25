import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { http } from "../layers/support/HttpClient.ts"
import { eventually } from "../layers/support/TestServers.ts"
import { runCommand } from "./PackedCommands.ts"
import { both, onLmdb, place, root, start, value } from "./Programs.ts"

it("The packed server answers the requests of visual tools, and loads a file", async () => {
  const io = join(root, "tools", "io")
  const folder = place("tools", `${both}ioDirectory: ${io}\n`, { graph: onLmdb })
  mkdirSync(io)
  writeFileSync(join(io, "people.csv"), "~id,~label,name\n1,person,marko\n2,person,josh\n")
  const server = await start(folder)
  const { authority } = server
  const script = JSON.stringify({ gremlin: "g.V().hasLabel('person')" })
  expect((await http(authority, { path: "/status" })).json).toMatchObject({ status: "healthy", role: "writer" })
  const loadId = (await http(authority, { path: "/loader" }, '{"source":"people.csv","format":"csv"}')).json.payload
    .loadId
  const state = async () => (await http(authority, { path: `/loader?loadId=${loadId}` })).json.payload.overallStatus
  await eventually(async () => (await state()).status !== "LOAD_IN_PROGRESS")
  expect(await state()).toMatchObject({ status: "LOAD_COMPLETED", totalRecords: 2 })
  const summary = (await http(authority, { path: "/pg/statistics/summary" })).json.payload.graphSummary
  expect(summary).toMatchObject({ numNodes: 2, nodeLabels: ["person"] })
  expect((await http(authority, { path: "/gremlin/explain" }, script)).text).toContain("Neptune Gremlin Explain")
  expect((await http(authority, { path: "/gremlin/profile" }, script)).text).toMatch(
    /Neptune Gremlin Profile[\s\S]*Count: 2\n/
  )
  expect((await http(authority, { path: "/gremlin/status" })).json.runningQueryCount).toBe(0)
  const metrics = await http(authority, { path: "/metrics", headers: { "accept-encoding": "gzip" } })
  expect(gunzipSync(metrics.bytes).toString()).toContain("engine_server_request_seconds")
  const csv = join(folder, "more.csv")
  writeFileSync(csv, "pid;years\n1;29\n3;32\n")
  const words = [
    "import",
    csv,
    "--delimiter",
    ";",
    "--map",
    "pid=id",
    "--map",
    "years=age:Int",
    "--vertex-label",
    "person"
  ]
  const imported = await runCommand(folder, [
    ...words,
    "--id-property",
    "uid",
    "--upsert",
    "--control-socket",
    "s.sock"
  ])
  expect(imported).toMatchObject({ status: 0, err: expect.any(String) })
  expect(await value(authority, "g.V().values('age').sum()")).toEqual([61])
  await server.stop()
  expect(server.log()).not.toMatch(/ERROR|FATAL/)
})
