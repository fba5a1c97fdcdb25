import { describe, expect, it } from "vitest"
import type { ServerSettings } from "../../../../src/services/Config.ts"
import { evaluated, withDynamicGraphs } from "../../support/DynamicGraphs.ts"
import { http } from "../../support/HttpClient.ts"
import { startInside } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

const lmdb = JSON.stringify({ "storage.backend": "lmdb" })

const asked = async (
  { authority }: { readonly authority: string },
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {}
) => {
  const { json, status } = await http(authority, { method, path, headers }, body)
  return { status, json }
}

describe("/graphs", () => {
  it("creates, lists, shows, changes and drops graphs", async () => {
    const server = await startInside(withDynamicGraphs())
    const made = await asked(server, "PUT", "/graphs/a", lmdb)
    expect(made).toMatchObject({ status: 201, json: { name: "a", state: "open" } })
    expect(await evaluated(server, "a_traversal.V().count()")).toEqual([0])
    expect((await asked(server, "GET", "/graphs")).json).toEqual({ graphs: [{ name: "a", state: "open" }] })
    const changed = await asked(server, "PUT", "/graphs/a", JSON.stringify({ "storage.password": "x" }))
    expect(changed.status).toBe(200)
    const { json } = await asked(server, "GET", "/graphs/a")
    expect(json.configuration).toMatchObject({ "storage.backend": "lmdb", "storage.password": "****" })
    expect(await asked(server, "DELETE", "/graphs/a")).toEqual({ status: 200, json: { name: "a", dropped: true } })
    expect((await asked(server, "GET", "/graphs/a")).status).toBe(404)
    expect((await asked(server, "DELETE", "/graphs/a")).status).toBe(404)
  })

  it("uses the template without a body, and opens a graph that exists", async () => {
    const server = await startInside(withDynamicGraphs())
    expect((await asked(server, "PUT", "/graphs/a")).status).toBe(404)
    await evaluated(server, "ConfiguredGraphFactory.createTemplateConfiguration(['storage.backend': 'inmemory'])")
    expect((await asked(server, "PUT", "/graphs/a")).status).toBe(201)
    expect((await asked(server, "PUT", "/graphs/a")).status).toBe(200)
  })

  it("refuses names, bodies, methods and spellings", async () => {
    const server = await startInside(withDynamicGraphs())
    const refused: ReadonlyArray<readonly [string, string, string | undefined, number]> = [
      ["PUT", "/graphs/..%2fx", lmdb, 400],
      ["PUT", "/graphs/%zz", lmdb, 400],
      ["PUT", `/graphs/${"a".repeat(60)}`, lmdb, 400],
      ["PUT", "/graphs/gr%C3%B6%C3%9Fe", lmdb, 400],
      ["PUT", "/graphs/graph", lmdb, 409],
      ["PUT", "/graphs/a", "[]", 400],
      ["PUT", "/graphs/a", "{", 400],
      ["PUT", "/graphs/a", JSON.stringify({ "storage.backend": "lmdb", "graph.graphname": "b" }), 400],
      ["PUT", "/graphs/a", JSON.stringify({ "storage.backend": "lmdb", "storage.directory": "/etc" }), 400],
      ["POST", "/graphs/a", lmdb, 405],
      ["DELETE", "/graphs", undefined, 405],
      ["GET", "/GRAPHS", undefined, 404],
      ["GET", "/graphs/", undefined, 404]
    ]
    for (const [method, path, body, status] of refused) {
      expect([method, path, (await asked(server, method, path, body)).status]).toEqual([method, path, status])
    }
    expect((await asked(server, "GET", "/graphs")).json).toEqual({ graphs: [] })
  })

  it("needs the role admin", async () => {
    const roles: Partial<ServerSettings> = { authorization: { authorizer: "RoleAuthorizer", config: {} } }
    const server = await startInside({ ...withDynamicGraphs(), ...asking(), ...roles })
    await change(usersOf(server).add("admin", "secret", "admin"))
    await change(usersOf(server).add("editor", "secret", "editor"))
    const as = (name: string) => ({ authorization: basic(name, "secret") })
    expect((await asked(server, "GET", "/graphs")).status).toBe(401)
    for (const [method, path] of [
      ["GET", "/graphs"],
      ["GET", "/graphs/a"],
      ["PUT", "/graphs/a"],
      ["DELETE", "/graphs/a"]
    ]) {
      expect((await asked(server, method!, path!, method === "PUT" ? lmdb : undefined, as("editor"))).status).toBe(403)
    }
    expect((await asked(server, "PUT", "/graphs/a", lmdb, as("admin"))).status).toBe(201)
    await change(usersOf(server).setRole("admin", { role: "editor", graph: "a" }))
    for (const method of ["PUT", "DELETE"]) {
      const { json, status } = await asked(server, method, "/graphs/%61", method === "PUT" ? lmdb : "", as("admin"))
      expect([method, status, json.message]).toEqual([method, 403, expect.stringContaining("the role is editor")])
    }
    expect((await asked(server, "GET", "/graphs/a", undefined, as("admin"))).status).toBe(200)
    expect((await asked(server, "PUT", "/graphs/b", lmdb, as("admin"))).status).toBe(201)
  })

  it("is closed with authentication and without authorization", async () => {
    const server = await startInside({ ...withDynamicGraphs(), ...asking() })
    const { json, status } = await asked(server, "GET", "/graphs", undefined, { authorization: basic() })
    expect([status, json.message]).toEqual([403, expect.stringContaining("dynamicGraphs.allowed")])
  })

  it("passes the checks of origins and sites", async () => {
    const server = await startInside(withDynamicGraphs())
    const origin = { origin: "https://evil.example" }
    const site = { "sec-fetch-site": "cross-site" }
    for (const headers of [origin, site]) {
      expect((await asked(server, "PUT", "/graphs/a", lmdb, headers)).status).toBe(403)
      expect((await asked(server, "DELETE", "/graphs/a", undefined, headers)).status).toBe(403)
    }
    expect((await asked(server, "GET", "/graphs", undefined, origin)).status).toBe(403)
    expect(
      (await asked(server, "GET", "/graphs", undefined, { host: "evil.example", "accept-language": "en" })).status
    ).toBe(403)
  })

  it("says what to configure without a configuration graph", async () => {
    const server = await startInside()
    const { json, status } = await asked(server, "GET", "/graphs")
    expect([status, json.message]).toEqual([404, expect.stringContaining("ConfigurationManagementGraph")])
  })
})
