// biome-ignore-all lint/suspicious/noExplicitAny: these drivers come without types
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { defaultSettings } from "../../src/services/DefaultSettings.ts"
import { certify } from "../layers/support/Certificates.ts"
import { modern, startServer } from "../layers/support/TestServers.ts"
import { asking, givingTokens, password, user } from "../layers/support/Users.ts"
import { install, python, VERSION } from "./PythonDriver.ts"
import { run } from "./support.ts"

const require = createRequire(import.meta.url)

const folder = mkdtempSync(join(tmpdir(), "engine-server-clients-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const identity = certify("localhost")
const certificate = join(folder, "server.crt")
writeFileSync(certificate, identity.certificate)
writeFileSync(join(folder, "server.key"), identity.key)
const encrypted = {
  ssl: { ...defaultSettings().ssl, enabled: true, keyCertChainFile: certificate, keyFile: join(folder, "server.key") }
}

for (const { module, version } of [
  { module: "gremlin", version: "3.8.2" },
  { module: "gremlin37", version: "3.7.4" },
  { module: "gremlin36", version: "3.6.4" }
]) {
  const { driver, process } = require(module)
  const open = async (url: string, name: string, secret: string, options = {}) => {
    const authenticator = new driver.auth.PlainTextSaslAuthenticator(name, secret)
    const connection = new driver.DriverRemoteConnection(url, { authenticator, traversalSource: "g", ...options })
    const g = process.AnonymousTraversalSource.traversal().withRemote(connection)
    return g
      .V()
      .count()
      .next()
      .then(({ value }: any) => Number(value))
      .finally(() => connection.close())
  }

  describe(`npm gremlin ${version} with PlainTextSaslAuthenticator`, () => {
    it("is let in with the right password, and told when it is wrong", async () => {
      for (const settings of [asking(), givingTokens()]) {
        const { authority } = await startServer({ ...modern, ...settings })
        const url = `ws://${authority}/gremlin`
        expect(await open(url, user, password)).toBe(6)
        await expect(open(url, user, "wrong")).rejects.toThrow("401")
        await expect(open(url, "nobody", password)).rejects.toThrow("401")
      }
    })

    it("is let in through TLS", async () => {
      const { authority } = await startServer({ ...modern, ...asking(), ...encrypted })
      expect(await open(`wss://${authority}/gremlin`, user, password, { ca: identity.certificate })).toBe(6)
    })
  })
}

const missing = await install()

describe(`gremlinpython ${VERSION} with user name and password`, () => {
  const seen = { right: [6], traversal: 6, wrong: 401, nobody: 401 }
  const script = new URL("python/authentication.py", import.meta.url).pathname
  const ask = async (url: string, env: NodeJS.ProcessEnv = {}) =>
    JSON.parse(await run(python, [script, url, user], { env: { ...process.env, PASSWORD: password, ...env } }))

  it.skipIf(missing !== undefined)(missing ?? "is let in, and told when they are wrong", async () => {
    const { authority } = await startServer({ ...modern, ...asking() })
    expect(await ask(`ws://${authority}/gremlin`)).toEqual(seen)
  })

  it.skipIf(missing !== undefined)(missing ?? "is let in through TLS", async () => {
    const { port } = await startServer({ ...modern, ...asking(), ...encrypted })
    expect(await ask(`wss://localhost:${port}/gremlin`, { CERTIFICATE: certificate })).toEqual(seen)
  })
})
