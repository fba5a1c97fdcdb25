import { readFileSync, writeFileSync } from "node:fs"
import { request as httpsRequest } from "node:https"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { certify, pkcs12File } from "../layers/support/Certificates.ts"
import { http, post } from "../layers/support/HttpClient.ts"
import { SocketClient } from "../layers/support/SocketClient.ts"
import { eventually } from "../layers/support/TestServers.ts"
import { runCommand } from "./PackedCommands.ts"
import { both, onLmdb, place, start, tinkerGraph, value } from "./Programs.ts"

const gremlin = createRequire(import.meta.url)("gremlin")
const sources = fileURLToPath(new URL("../../src", import.meta.url))

describe("The packed server", () => {
  it("serves HTTP, a WebSocket driver, sessions, regular expressions and files of graphs", async () => {
    const folder = place("requests", both, { graph: tinkerGraph })
    const server = await start(folder)
    const { authority } = server
    await value(
      authority,
      "g.addV('person').property('name','marko').as('a').addE('knows').from('a').to(__.addV('person'))"
    )
    const binary = { accept: "application/vnd.graphbinary-v1.0" }
    expect((await http(authority, { headers: binary }, '{"gremlin":"g.V().count()"}')).bytes[0]).toBe(0x81)
    expect(await value(authority, "g.V().has('name', TextP.regex('^m.*o$')).count()")).toEqual([1])
    // The bundle renames this class.
    expect((await post(authority, "g.inject(Geoshape.point(1, 2)).has('x', 1)")).text).toContain("a Geoshape")
    for (const name of ["graph.xml", "graph.json"]) {
      await value(
        authority,
        `g.io('${name}').write().iterate(); g.V().drop().iterate(); g.io('${name}').read().iterate()`
      )
      expect([name, await value(authority, "g.E().count()")]).toEqual([name, [1]])
    }
    const connection = new gremlin.driver.DriverRemoteConnection(`ws://${authority}/gremlin`)
    const g = gremlin.process.AnonymousTraversalSource.traversal().withRemote(connection)
    expect(await g.V().hasLabel("person").count().next()).toEqual({ value: 2, done: false })
    await connection.close()
    const client = await SocketClient.connect(authority)
    expect((await client.eval("x = 2", { session: "s" })).result.data).toEqual([2])
    expect((await client.eval("x * 21", { session: "s" })).result.data).toEqual([42])
    client.close()
    await server.stop()
    expect(server.log()).not.toMatch(/ERROR|FATAL|WARN/)
  })

  it("answers at every management path", async () => {
    const folder = place("management", both, { graph: tinkerGraph })
    const server = await start(folder)
    const { authority } = server
    const asked = new Set<string>()
    const ask = (path: string, method = "GET") => {
      asked.add(path.replace(/\?.*/, ""))
      return http(authority, { method, path })
    }
    expect((await ask("/health/live")).json).toEqual({ status: "live" })
    expect((await ask("/health/ready")).json).toEqual({ status: "ready" })
    await value(authority, "1")
    const metrics = await ask("/metrics")
    expect(metrics.status).toBe(200)
    expect(metrics.text).toMatch(/^engine_server_answers_total\{transport="http",op="eval",status="200"\} 1$/m)
    expect(metrics.text).toContain("nodejs_eventloop_lag_seconds")
    const cancellations: ReadonlyArray<(requestId: string) => readonly [string, string]> = [
      (requestId) => [`/gremlin/status/${requestId}`, "DELETE"],
      (requestId) => [`/gremlin/status?cancelQuery&queryId=${requestId}`, "POST"]
    ]
    for (const cancellation of cancellations) {
      const endless = post(authority, "g.inject(1).repeat(__.identity()).until(__.is(2))")
      const listed = async () => (await ask("/gremlin/status")).json.queries
      await eventually(async () => (await listed()).length === 1)
      const [{ requestId }] = await listed()
      expect((await ask(...cancellation(requestId))).status).toBe(200)
      expect((await endless).json["Exception-Class"]).toBe("EvaluationCancelled")
      expect((await ask(...cancellation("none"))).status).toBe(404)
    }
    expect((await ask("/status")).json.status).toBe("healthy")
    expect((await ask("/loader")).json.payload).toEqual({ loadIds: [] })
    const { configured, level } = (await ask("/log-level")).json
    expect(level).toBe(configured)
    expect(level).toMatch(/^(info|warn)$/)
    const source = readFileSync(join(sources, "layers", "transport", "http", "ManagementRoutes.ts"), "utf8")
    const served = Array.from(source.matchAll(/^ {2}"(\/[^"]+)": \{/gm), ([, path]) => path!)
    expect(served.length).toBeGreaterThan(3)
    expect([...asked]).toEqual(expect.arrayContaining(served))
    expect((await http(authority, { path: "/gremlin/explain" }, '{"gremlin":"g.addV()"}')).status).toBe(200)
    expect(await value(authority, "g.V().count()")).toEqual([0])
    await server.stop()
    expect(server.log()).not.toMatch(/ERROR|FATAL/)
  })

  it("authenticates users of the command line, tokens and TLS with a key store of an older Java", async () => {
    const { certificate, key } = certify("localhost")
    const folder = place(
      "users",
      `${both}authentication: {authenticator: SaslAndHMACAuthenticator, config: {credentialsDb: users.properties, ` +
        "defaultUsername: stephen, defaultPassword: secret, hmacSecret: sixteen-letters-or-more}}\n" +
        "ssl: {enabled: true, keyStore: old.p12, keyStorePassword: changeit}\n",
      { graph: tinkerGraph, users: onLmdb }
    )
    writeFileSync(join(folder, "old.p12"), pkcs12File({ certificate, key }, "changeit", "3des"))
    const added = await runCommand(
      folder,
      ["credentials", "add", "marko", "--role", "reader", "--config", "server.yaml"],
      "word\n"
    )
    expect(added.status).toBe(0)
    expect(added.out).toMatch(/^The user 'marko' has been added\.\nWARNING: roles have no effect, /)
    const server = await start(folder)
    const ask = (path: string, authorization?: string) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const headers = authorization === undefined ? {} : { authorization }
        const [host, port] = server.authority.split(":")
        const sent = httpsRequest(
          { host, port, path, headers, ca: certificate, servername: "localhost" },
          (response) => {
            let text = ""
            response.on("data", (data) => {
              text += data
            })
            response.on("end", () => resolve({ status: response.statusCode, text }))
          }
        )
        sent.on("error", reject).end()
      })
    const basic = (user: string, password: string): string =>
      `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
    expect((await ask("/?gremlin=1")).status).toBe(401)
    expect((await ask("/?gremlin=1", basic("marko", "wrong"))).status).toBe(401)
    expect((await ask("/?gremlin=1", basic("marko", "word"))).status).toBe(200)
    const { token } = JSON.parse((await ask("/session", basic("stephen", "secret"))).text)
    expect((await ask("/session?gremlin=1", `Token ${token}`)).status).toBe(200)
    const socket = ["--control-socket", "s.sock"]
    expect((await runCommand(folder, ["credentials", "passwd", "marko", ...socket], "other\n")).status).toBe(0)
    expect((await runCommand(folder, ["credentials", "role", "marko", "--role", "admin", ...socket])).status).toBe(0)
    expect((await runCommand(folder, ["credentials", "list", ...socket])).out).toBe("marko\tadmin\nstephen\tadmin\n")
    expect((await ask("/?gremlin=1", basic("marko", "other"))).status).toBe(200)
    expect((await runCommand(folder, ["credentials", "remove", "marko", ...socket])).status).toBe(0)
    expect((await ask("/?gremlin=1", basic("marko", "other"))).status).toBe(401)
    await server.stop()
  })
})
