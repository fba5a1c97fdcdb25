import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { parse } from "yaml"
import { loadConfig } from "../../src/layers/config/ConfigFile.ts"
import type { ServerSettings } from "../../src/services/Config.ts"
import { certify, pkcs12File } from "../layers/support/Certificates.ts"
import { command, serving } from "../layers/support/Commands.ts"
import { http } from "../layers/support/HttpClient.ts"
import { SocketClient } from "../layers/support/SocketClient.ts"
import { eventually, type InsideServer, startInside, startServer } from "../layers/support/TestServers.ts"
import { asking, basic, change, plain, twoGraphs, usersOf } from "../layers/support/Users.ts"
import { blocksOf, linesOf } from "./Blocks.js"

const root = fileURLToPath(new URL("../../", import.meta.url))
const document = join(root, "docs", "how-to", "secure.md")
const reference = readFileSync(join(root, "docs", "reference", "security.md"), "utf8")
const blocks = blocksOf(document)
const home = mkdtempSync(join(tmpdir(), "engine-server-security-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const authority = certify("authority")
const identity = certify("localhost", authority)
const client = certify("client", authority)

/** Creates the files that the blocks of the page name. */
const prepare = (): void => {
  for (const folder of ["conf/tls", "conf/engine-server", "docs"]) mkdirSync(join(home, folder), { recursive: true })
  writeFileSync(join(home, "conf/tls/server.crt"), identity.certificate)
  writeFileSync(join(home, "conf/tls/server.key"), identity.key)
  writeFileSync(join(home, "conf/tls/server.p12"), pkcs12File(identity, "changeit"))
  writeFileSync(join(home, "conf/tls/clients.crt"), authority.certificate)
  writeFileSync(join(home, "graph.properties"), "engine.graph=TinkerGraph\n")
  cpSync(join(root, "docs", "examples"), join(home, "docs", "examples"), { recursive: true })
  const [users] = blocks.filter(({ language }) => language === "properties")
  writeFileSync(join(home, "conf/engine-server/users.properties"), users!.code)
}
prepare()

/** The settings that a configuration file with this block gives. */
const settingsOf = async (code: string): Promise<ServerSettings> => {
  const file = join(home, "server.yaml")
  writeFileSync(file, `graphs: {graph: graph.properties}\nport: 0\n${code}`)
  rmSync(join(home, "db"), { recursive: true, force: true })
  const folders = { home, cwd: home, library: undefined, installation: home }
  return (await Effect.runPromise(loadConfig({ file, folders, environment: {}, overrides: [] }))).settings
}

const yaml = blocks.filter(({ language }) => language === "yaml").map(({ code }) => code)
const having = (word: string): ReadonlyArray<string> => yaml.filter((code) => code.includes(word))
const body = '{"engine":"g.V().count()"}'
const [name, password] = ["stephen", "change this"]

describe("docs/how-to/secure.md", () => {
  for (const code of having("authenticator:")) {
    const { authentication, channelizer } = parse(code)
    it(`has a configuration that authenticates users: ${authentication.authenticator}, ${channelizer}`, async () => {
      const server = await startServer(await settingsOf(code))
      const status = async (authorization?: string, path = "/metrics") =>
        (await http(server.authority, { path, headers: authorization === undefined ? {} : { authorization } })).status
      expect(await status(undefined, "/health/live")).toBe(200)
      expect(await status()).toBe(401)
      expect(await status(basic(name, "wrong"))).toBe(401)
      expect(await status(basic(name, password))).toBe(200)
      if (channelizer !== "WebSocketChannelizer") {
        expect((await http(server.authority, { path: "/" }, body)).status).toBe(401)
        const authorization = basic(name, password)
        expect((await http(server.authority, { headers: { authorization } }, body)).status).toBe(200)
        const given = await http(server.authority, { path: "/session", headers: { authorization } })
        if (authentication.config.hmacSecret === undefined) expect(given.json.token).toBeUndefined()
        else {
          const token = `Token ${given.json.token}`
          const answer = await http(server.authority, { path: "/session", headers: { authorization: token } }, body)
          expect(answer.status).toBe(200)
        }
      }
      if (channelizer !== "HttpChannelizer") {
        const socket = await SocketClient.connect(server.authority)
        const id = socket.send("eval", "", { gremlin: "1" })
        await socket.count(1)
        expect(socket.frames[0]!.status.code).toBe(407)
        socket.send("authentication", "", { sasl: plain(name, password) })
        expect((await socket.answer(id)).status.code).toBe(200)
      } else await expect(SocketClient.connect(server.authority)).rejects.toThrow("400")
    })
  }

  for (const code of having("ssl:")) {
    it(`has a configuration that encrypts: ${Object.keys(parse(code).ssl).join(", ")}`, async () => {
      const server = await startServer(await settingsOf(code))
      const ask = (certificate: object): Promise<number> =>
        new Promise((resolve, reject) => {
          const options = { port: server.port, host: "127.0.0.1", ca: authority.certificate, agent: false as const }
          request({ ...options, path: "/health/live", ...certificate }, (response) => {
            response.resume()
            resolve(response.statusCode!)
          })
            .on("error", reject)
            .end()
        })
      const certificate = { cert: client.certificate, key: client.key }
      expect(await ask(certificate)).toBe(200)
      if (code.includes("REQUIRE")) await expect(ask({})).rejects.toThrow()
      else expect(await ask({})).toBe(200)
      expect((await http(server.authority, { path: "/" })).status).toBe(400)
    })
  }

  it("has roles that allow what the reference says", async () => {
    const [code] = having("RoleAuthorizer")
    const { authorization } = parse(code!)
    const server = await startInside({
      ...asking(),
      authorization: { authorizer: authorization.authorizer, config: {} }
    })
    const rows = [...reference.matchAll(/^\| (reader|editor|admin) \|/gm)].map(([, role]) => role)
    expect(rows).toEqual(["reader", "editor", "admin"])
    for (const role of rows as ReadonlyArray<"reader" | "editor" | "admin">) {
      await change(usersOf(server).add(role, "secret", role))
    }
    const refused = async (role: string, gremlin: string) =>
      (await http(server.authority, { headers: { authorization: basic(role, "secret") } }, JSON.stringify({ gremlin })))
        .status === 403
    const scripts = ["g.V()", "g.addV()", "g.io('a').read()", "g.call()", "graph.createIndex('a', Vertex.class)"]
    const outcome = async (role: string) => Promise.all(scripts.map((script) => refused(role, script)))
    expect(await outcome("reader")).toEqual([false, true, true, true, true])
    expect(await outcome("editor")).toEqual([false, false, false, false, true])
    expect(await outcome("admin")).toEqual([false, false, false, false, false])
  })

  it("has an example of an authorizer that gives each user a graph", async () => {
    const [code] = having("tenant-authorizer")
    const { authorization } = await settingsOf(code!)
    const server: InsideServer = await startInside({
      ...asking(),
      ...twoGraphs,
      authorization
    })
    for (const each of ["marko", "josh", "peter", "admin"]) await change(usersOf(server).add(each, "secret", undefined))
    const ask = async (who: string, gremlin: string) => {
      const authorization = basic(who, "secret")
      const answer = await http(server.authority, { headers: { authorization } }, JSON.stringify({ gremlin }))
      return answer.status === 200 ? answer.json.result.data["@value"] : answer.json.message
    }
    const one = [{ "@type": "g:Int64", "@value": 1 }]
    const none = [{ "@type": "g:Int64", "@value": 0 }]
    expect(await ask("marko", "g.addV('his').count()")).toEqual(one)
    expect(await ask("peter", "g.V().count()")).toEqual(none)
    expect(await ask("marko", "g.V().count()")).toEqual(one)
    expect(await ask("josh", "g.V().count()")).toEqual(none)
    expect(await ask("josh", "g.addV()")).toBe("Failed to authorize: josh may only read")
    for (const script of [
      "graph.traversal().V()",
      "x = 1; graph.addVertex()",
      "graph.toString()",
      "graph",
      "graph.tx().begin()"
    ]) {
      expect([script, await ask("marko", script)]).toEqual([
        script,
        "Failed to authorize: marko may not use the graph graph"
      ])
    }
    expect(await ask("peter", "g_other.V()")).toBe("Failed to authorize: peter may not use the graph other")
    expect(await ask("peter", `'${"x".repeat(10_000)}'`)).toBe("Failed to authorize: the script is too long")
  })

  it("has a reference of the lines of the audit log", async () => {
    const [code] = having("enableAuditLog")
    const { enableAuditLog, scriptLogLength } = await settingsOf(code!)
    const server = await startServer({ ...asking(), enableAuditLog, scriptLogLength })
    await http(server.authority, { headers: { authorization: basic() } }, body)
    await http(server.authority, {}, body)
    await http(server.authority, { headers: { authorization: basic("nobody", "x") } }, body)
    const lines = server.log.map((line) => line.replace(/^\w+ /, "").replace(/ \{.*/, ""))
    const [, section = ""] = reference.split("## Audit")
    const documented = [...section.matchAll(/^\| `([A-Z][\w: ]+)` \|/gm)].map(([, line]) => line)
    expect(documented).toHaveLength(5)
    for (const line of ["Audit", "Authentication failed"]) {
      expect(lines).toContain(line)
      expect(documented).toContain(line)
    }
  })

  it("names a file for the Gremlin Console that has user name and password", () => {
    const remote = parse(readFileSync(join(root, "conf", "remote.yaml"), "utf8"))
    expect(Object.keys(remote)).toEqual(["hosts", "port", "username", "password", "serializer"])
  })

  it("has commands that manage the users of a running server", async () => {
    const [code] = having("authenticator: SimpleAuthenticator")
    writeFileSync(join(home, "other.properties"), "engine.graph=TinkerGraph\n")
    rmSync(join(home, "db"), { recursive: true, force: true })
    const graphs = "graphs: {graph: graph.properties, other: other.properties}"
    const roles = "authorization: {authorizer: RoleAuthorizer}"
    writeFileSync(join(home, "served.yaml"), [graphs, "port: 0", roles, code].join("\n"))
    // The launcher adds the socket of the running server to the words of the command.
    const socket = ["--control-socket", join(home, "users.sock")]
    const server = serving(home, ["serve", ...socket, "served.yaml"])
    await eventually(async () => (await command(home, ["status", ...socket])).status === 0)
    const answers: Array<string> = []
    for (const line of linesOf(document, "bin/service-server.sh credentials")) {
      const [, ...words] = line.split(" ")
      const { err, out, status } = await command(home, [...words, ...socket], "secret")
      answers.push(`${status} ${out}${err}`)
    }
    await server.end()
    expect(answers).toEqual([
      "0 stephen\tadmin\n",
      "0 The user 'marko' has been added.\n",
      expect.stringMatching(/^0 The user 'marko' has the new password/),
      "0 The user 'marko' has the role editor on the graph 'other'.\n",
      expect.stringMatching(/^0 .*any more/),
      expect.stringMatching(/^0 The user 'marko' has been removed/)
    ])
  })

  it("has two requests with tokens", () => {
    expect(linesOf(document, "curl")).toHaveLength(2)
  })
})

describe("SECURITY.md", () => {
  it("names tests and documents that exist", () => {
    const text = readFileSync(join(root, "SECURITY.md"), "utf8")
    const paths = [...text.matchAll(/`(test\/[\w./]+)`/g)].map(([, path]) => path!)
    const beside = [...text.matchAll(/`(\w+\.test\.ts)`/g)].map(([, file]) => `test/layers/trust/${file}`)
    expect(paths.length).toBeGreaterThan(15)
    for (const path of [...paths, ...beside]) expect([path, existsSync(join(root, path))]).toEqual([path, true])
    for (const [, link] of text.matchAll(/\]\(([\w/.]+)\)/g))
      expect(readFileSync(join(root, link!), "utf8")).not.toBe("")
  })
})
