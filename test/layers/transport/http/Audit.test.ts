import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { ServerSettings } from "../../../../src/services/Config.ts"
import { newFolder } from "../../../Folders.ts"
import { withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { http } from "../../support/HttpClient.ts"
import { eventually, startInside } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

const withRoles: Partial<ServerSettings> = {
  enableAuditLog: true,
  authorization: { authorizer: "RoleAuthorizer", config: {} }
}

/** A server with an admin `ada` and a reader `rob`, and its audit lines that name something. */
const audited = async (settings: Partial<ServerSettings>) => {
  const server = await startInside({ ...withDynamicGraphs(), ...asking(), ...withRoles, ...settings })
  await change(usersOf(server).add("ada", "secret", "admin"))
  await change(usersOf(server).add("rob", "secret", "reader"))
  return {
    call: (user: string, method: string, path: string, body?: unknown) =>
      http(
        server.authority,
        { method, path, headers: { authorization: basic(user, "secret") } },
        body === undefined ? undefined : JSON.stringify(body)
      ),
    lines: (about: string) =>
      server.log
        .filter((line) => line.startsWith("INFO Audit") && line.includes(about))
        .map((line) => [line.slice("INFO ".length, line.indexOf(" {")), JSON.parse(line.slice(line.indexOf("{")))])
  }
}

describe("The audit", () => {
  it("has each change of a graph, and who was refused one", async () => {
    const { call, lines } = await audited({})
    const options = { "storage.backend": "lmdb", "storage.password": "hunter2" }
    expect((await call("ada", "PUT", "/graphs/a", options)).status).toBe(201)
    expect((await call("rob", "DELETE", "/graphs/a")).status).toBe(403)
    expect((await call("ada", "GET", "/graphs/a")).status).toBe(200)
    expect((await call("ada", "DELETE", "/graphs/a")).status).toBe(200)
    await eventually(() => lines("/graphs/a").length === 3)
    const line = (what: string, user: string, request: string) => [what, { user, address: "127.0.0.1", request }]
    expect(lines("/graphs/a")).toEqual([
      line("Audit", "ada", "PUT /graphs/a"),
      line("Audit: not allowed", "rob", "DELETE /graphs/a"),
      line("Audit", "ada", "DELETE /graphs/a")
    ])
    expect(lines("hunter2")).toEqual([])
  })

  it("has each load of a file, with its graph, and each cancelled one", async () => {
    const ioDirectory = join(newFolder(), "io")
    mkdirSync(ioDirectory, { recursive: true })
    writeFileSync(join(ioDirectory, "people.csv"), "~id,~label,name\n1,person,marko\n")
    const { call, lines } = await audited({ ioDirectory })
    const body = { source: "people.csv", format: "csv" }
    expect((await call("rob", "POST", "/loader", body)).status).toBe(403)
    const { loadId } = (await call("ada", "POST", "/loader", body)).json.payload
    expect((await call("ada", "DELETE", `/loader?loadId=${loadId}`)).status).toBe(200)
    expect((await call("ada", "DELETE", "/loader?loadId=none")).status).toBe(404)
    await eventually(() => lines("oad").length === 3)
    const of = (user: string) => ({ user, address: "127.0.0.1" })
    expect(lines("oad")).toEqual([
      ["Audit: not allowed", { ...of("rob"), request: "POST /loader" }],
      ["Audit", { ...of("ada"), request: "POST /loader", graph: "graph", source: "people.csv" }],
      ["Audit: cancelled", { ...of("ada"), loadId }]
    ])
  })

  it("has who was not allowed to change the level of the log", async () => {
    const { call, lines } = await audited({})
    expect((await call("rob", "PUT", "/log-level", { level: "off" })).status).toBe(403)
    await eventually(() => lines("/log-level").length === 1)
    const notes = { user: "rob", address: "127.0.0.1", request: "PUT /log-level" }
    expect(lines("/log-level")).toEqual([["Audit: not allowed", notes]])
  })
})
