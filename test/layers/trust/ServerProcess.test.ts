import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { http } from "../support/HttpClient.ts"
import { bundled, type ServerProcess, startProcess, stop } from "../support/ServerProcess.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { basic, plain } from "../support/Users.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-trust-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const socket = join(folder, "control.sock")
const settings = {
  "authentication.authenticator": "org.janusgraph.graphdb.tinkerpop.gremlin.server.auth.SaslAndHMACAuthenticator",
  "authentication.authenticationHandler":
    "org.janusgraph.graphdb.tinkerpop.gremlin.server.handler.SaslAndHMACAuthenticationHandler",
  "authentication.config.credentialsDb": "users.properties",
  "authentication.config.defaultUsername": "stephen",
  "authentication.config.defaultPassword": "first-password",
  "authentication.config.hmacSecret": "long-secret-of-the-servers",
  "logging.level": "debug",
  enableAuditLog: "true",
  slowQueryThreshold: "1"
}
const options = [
  "--control-socket",
  socket,
  ...Object.entries(settings).flatMap(([setting, value]) => ["--set", `${setting}=${value}`])
]

const start = async (bundle: string): Promise<ServerProcess & { readonly authority: string }> => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, "users.properties"),
    "gremlin.graph=org.janusgraph.core.JanusGraphFactory\nstorage.backend=lmdb\nstorage.directory=db/users\n"
  )
  const server = await startProcess(bundle, folder, {
    properties: ["storage.backend=inmemory", "storage.memory.schema=false"],
    options
  })
  return { ...server, authority: `127.0.0.1:${server.port}` }
}

const credentials = (bundle: string, words: ReadonlyArray<string>, input = ""): string => {
  const command = [join(bundle, "main.mjs"), "credentials", ...words, "--control-socket", socket]
  const { stderr, stdout } = spawnSync(process.execPath, command, { cwd: folder, input, encoding: "utf8" })
  return stdout + stderr
}

describe("A server in a separate process", () => {
  it("forgets a password that another process changes, creates its user once, and logs no secret", async () => {
    const bundle = await bundled({ main: "src/main.ts" })
    const first = await start(bundle)
    const ask = (authorization: string, gremlin = "1", more: object = {}) =>
      http(first.authority, { headers: { authorization } }, JSON.stringify({ gremlin, ...more }))
    // Other users of the machine cannot read the hashes.
    expect(statSync(join(folder, "db", "users")).mode & 0o077).toBe(0)
    const old = basic("stephen", "first-password")
    const { token } = (await http(first.authority, { path: "/session", headers: { authorization: old } })).json
    expect([(await ask(old)).status, (await ask(`Token ${token}`)).status]).toEqual([200, 200])
    const client = await SocketClient.connect(first.authority)
    client.send("authentication", "", { sasl: plain("stephen", "first-password") })
    expect((await client.eval("1")).status.code).toBe(200)

    expect(credentials(bundle, ["passwd", "stephen"], "second-password\n")).toContain("has the new password")
    expect([(await ask(old)).status, (await ask(`Token ${token}`)).status]).toEqual([401, 401])
    const asked = client.send("eval", "", { gremlin: "1" })
    client.send("authentication", "", { sasl: plain("stephen", "first-password") })
    expect((await client.answer(asked)).status.code).toBe(401)
    const renewed = basic("stephen", "second-password")
    expect((await ask(renewed)).status).toBe(200)

    // The secrets that could appear in the log.
    await ask(basic("typed-as-a-name", "typed-as-a-password"))
    await ask(`Token ${Buffer.from(`stephen:1:typed-as-a-mac`).toString("base64")}`)
    for (const gremlin of ["x", "x.nope()", "nonsense(", "g.inject(x).fail()", "g.V(x)", "g.V().has('name', x)"]) {
      await ask(renewed, gremlin, { bindings: { x: "bound-value" } })
    }
    expect(credentials(bundle, ["add", "josh"], "password-of-josh\n")).toContain("has been added")
    expect(credentials(bundle, ["list"])).toBe("josh\t(default role)\nstephen\tadmin\n")
    expect(credentials(bundle, ["remove", "stephen"])).toContain("has been removed")
    expect((await ask(renewed)).status).toBe(401)
    await stop(first)

    const second = await start(bundle)
    expect((await http(second.authority, { headers: { authorization: old } }, '{"gremlin":"1"}')).status).toBe(401)
    expect(credentials(bundle, ["list"])).toBe("josh\t(default role)\n")
    await stop(second)

    const log = [...first.log, ...second.log].join("\n")
    for (const line of ["DEBUG", "Audit", "Authentication failed", "The users were changed"])
      expect(log).toContain(line)
    const secrets = ["first-password", "second-password", "password-of-josh", "long-secret-of", token, "$2a$"]
    for (const secret of [...secrets, "typed-as-a", old.slice(6), "bound-value"]) expect(log).not.toContain(secret)
  })
})
