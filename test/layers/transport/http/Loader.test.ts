import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { ServerSettings } from "../../../../src/index.ts"
import { newFolder } from "../../../Folders.ts"
import { openFilesIn } from "../../../storage/lmdb/Stores.ts"
import { http, post } from "../../support/HttpClient.ts"
import { onLmdb } from "../../support/LmdbGraphs.ts"
import { eventually, startInside, startServer } from "../../support/TestServers.ts"
import { asking, basic, change, usersOf } from "../../support/Users.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-loader-"))
const ioDirectory = join(folder, "io")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

mkdirSync(ioDirectory)
writeFileSync(join(ioDirectory, "people.csv"), "~id,~label,name\n1,person,marko\n2,person,josh\n")
writeFileSync(join(ioDirectory, "knows.csv"), "~id,~from,~to,~label\ne1,1,2,knows\n")
writeFileSync(join(ioDirectory, "wrong.csv"), "~id,age:Int\n1,old\n")
writeFileSync(join(folder, "secret.csv"), "~id\nsecret\n")
symlinkSync(join(folder, "secret.csv"), join(ioDirectory, "link.csv"))

const withFolder: Partial<ServerSettings> = { ioDirectory }

const load = (authority: string, source: string, more: object = {}, headers: Record<string, string> = {}) =>
  http(authority, { method: "POST", path: "/loader", headers }, JSON.stringify({ source, format: "csv", ...more }))

describe("/loader", () => {
  it("imports a file below ioDirectory, and shows its state", async () => {
    const { authority } = await startServer(withFolder)
    const begun = await load(authority, "people.csv", { region: "us-east-1", failOnError: "TRUE", parallelism: "HIGH" })
    expect([begun.status, begun.json.status]).toEqual([200, "200 OK"])
    const { loadId } = begun.json.payload
    const state = async (id = loadId) =>
      (await http(authority, { path: `/loader?loadId=${id}&details=true` })).json.payload
    await eventually(async () => (await state()).overallStatus.status === "LOAD_COMPLETED")
    expect(await state()).toMatchObject({
      feedCount: [{ LOAD_COMPLETED: 1 }],
      overallStatus: { fullUri: "people.csv", totalRecords: 2, parsingErrors: 0 }
    })
    expect((await post(authority, "g.V().values('name').order()")).json.result.data).toEqual(["josh", "marko"])
    expect((await http(authority, { path: "/loader" })).json.payload.loadIds).toEqual([loadId])
    const again = (await load(authority, "people.csv")).json.payload.loadId
    await eventually(async () => (await state(again)).overallStatus.status === "LOAD_FAILED")
    expect((await state(again)).overallStatus.message).toMatch(
      /^people\.csv is already in the graph.* leave the file out, or import anyway with the command engine-server import --again\.$/
    )
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([2])
    const wrong = (await load(authority, "wrong.csv")).json.payload.loadId
    await eventually(async () => (await state(wrong)).overallStatus.status === "LOAD_FAILED")
    expect((await state(wrong)).overallStatus.message).toBe("wrong.csv: line 2, column 2 (age:Int): 'old' is no Int")
    expect((await http(authority, { method: "DELETE", path: `/loader?loadId=${wrong}` })).status).toBe(200)
  })

  it("does what %load of graph-notebook asks for, and attaches the edges of a later file by idProperty", async () => {
    const { authority } = await startServer({ ...onLmdb(newFolder()), ...withFolder })
    // The body of graph-notebook 5.3.
    const notebook = {
      region: "us-east-1",
      failOnError: "TRUE",
      mode: "AUTO",
      parallelism: "HIGH",
      updateSingleCardinalityProperties: "TRUE",
      queueRequest: "FALSE",
      parserConfiguration: {},
      edgeOnlyLoad: "FALSE",
      dependencies: []
    }
    const loaded = async (source: string, more: object = {}) => {
      const { json, status } = await load(authority, source, { ...notebook, ...more })
      expect([source, status, json.status]).toEqual([source, 200, "200 OK"])
      const path = `/loader?loadId=${json.payload.loadId}&details=False&errors=False&page=1&errorsPerPage=10`
      const state = async () => (await http(authority, { path })).json.payload.overallStatus
      await eventually(async () => (await state()).status !== "LOAD_IN_PROGRESS")
      return state()
    }
    expect(await loaded("/people.csv", { idProperty: "uid" })).toMatchObject({
      status: "LOAD_COMPLETED",
      fullUri: "/people.csv"
    })
    expect(await loaded(join(ioDirectory, "knows.csv"))).toMatchObject({
      status: "LOAD_FAILED",
      message: expect.stringContaining("name their key with idProperty")
    })
    expect(await loaded("/knows.csv", { idProperty: "uid" })).toMatchObject({ status: "LOAD_COMPLETED" })
    expect((await post(authority, "g.V().has('uid', '1').out('knows').values('name')")).json.result.data).toEqual([
      "josh"
    ])
    const { json, status } = await load(authority, "people.csv", { idProperty: 5 })
    expect([status, json.detailedMessage]).toEqual([400, expect.stringContaining("idProperty must be the name")])
  })

  it("refuses other files, formats and options, with a code", async () => {
    const { authority } = await startServer(withFolder)
    const refused = async (source: string, more: object = {}) => {
      const { json, status } = await load(authority, source, more)
      return [source, status, json.code, typeof json.detailedMessage]
    }
    for (const source of [
      "../secret.csv",
      "link.csv",
      join(folder, "secret.csv"),
      "none.csv",
      "s3://bucket/x",
      "a\0b",
      ""
    ]) {
      expect(await refused(source)).toEqual([source, 400, "BadRequestException", "string"])
    }
    expect(await refused("people.csv", { format: "ntriples" })).toEqual([
      "people.csv",
      400,
      "BadRequestException",
      "string"
    ])
    expect(await refused("people.csv", { failOnError: "FALSE" })).toEqual([
      "people.csv",
      400,
      "BadRequestException",
      "string"
    ])
    expect((await http(authority, { path: "/loader?loadId=x" })).status).toBe(404)
    expect((await http(authority, { method: "DELETE", path: "/loader?loadId=x" })).status).toBe(404)
    expect((await post(authority, "g.V().count()")).json.result.data).toEqual([0])
  })

  it("names a refused file as the client has sent it", async () => {
    const { authority } = await startServer(withFolder)
    for (const [source, message] of [
      ["/etc/passwd", "/etc/passwd does not exist in the folder that loads may use"],
      ["/../secret.csv", "/../secret.csv is outside the folder that loads may use"],
      ["../secret.csv", "../secret.csv is outside the folder that loads may use"],
      ["none.csv", "none.csv does not exist in the folder that loads may use"],
      [".", ". is outside the folder that loads may use"]
    ]) {
      const { json } = await load(authority, source!)
      expect(json.detailedMessage).toMatch(new RegExp(`^${message!.replaceAll(".", "\\.")}`))
    }
  })

  it("stops with the server, before its graph is closed, and goes on when it is repeated", async ({ skip }) => {
    skip(process.platform !== "linux", "the system does not tell which files are open")
    const directory = newFolder()
    const settings = { ...onLmdb(directory), ...withFolder }
    const rows = Array.from({ length: 200_000 }, (_, at) => `p${at},person\n`).join("")
    writeFileSync(join(ioDirectory, "many.csv"), `~id,~label\n${rows}`)
    const count = async ({ authority }: { readonly authority: string }) =>
      (await post(authority, "g.V().count()")).json.result.data[0]
    const server = await startInside(settings)
    await load(server.authority, "many.csv")
    await eventually(async () => (await count(server)) > 0)
    await server.end()
    expect(openFilesIn(directory)).toEqual([])
    const next = await startInside(settings)
    const before = await count(next)
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(200_000)
    await load(next.authority, "many.csv")
    await eventually(async () => (await count(next)) === 200_000)
  })

  it("is for users who may write, and shows them their own loads only", async () => {
    const roles = { authorization: { authorizer: "RoleAuthorizer" as const, config: {} } }
    const server = await startInside({ ...asking(), ...roles, ...withFolder })
    await change(usersOf(server).add("reader", "secret", "reader"))
    await change(usersOf(server).add("marko", "secret", "editor"))
    await change(usersOf(server).add("josh", "secret", "editor"))
    const as = (name: string) => ({ authorization: basic(name, "secret") })
    expect((await load(server.authority, "people.csv")).status).toBe(401)
    expect((await load(server.authority, "people.csv", {}, as("reader"))).status).toBe(403)
    const elsewhere = { ...as("marko"), "sec-fetch-site": "cross-site" }
    expect((await load(server.authority, "people.csv", {}, elsewhere)).status).toBe(403)
    const { loadId } = (await load(server.authority, "people.csv", {}, as("marko"))).json.payload
    const seen = async (name: string) =>
      (await http(server.authority, { path: "/loader", headers: as(name) })).json.payload.loadIds
    expect(await seen("marko")).toEqual([loadId])
    expect(await seen("josh")).toEqual([])
    const path = `/loader?loadId=${loadId}`
    expect((await http(server.authority, { method: "DELETE", path, headers: as("josh") })).status).toBe(404)
  })
})
