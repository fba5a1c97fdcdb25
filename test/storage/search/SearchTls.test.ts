import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { openEngines } from "../../../src/layers/graphs/SearchEngines.ts"
import type { SearchEngineSettings } from "../../../src/services/GraphSettings.ts"
import { certify, type Identity, pkcs12File } from "../../layers/support/Certificates.ts"
import { StandIn, searchOptions } from "./StandIn.ts"

const login = { username: "ann", password: "secret" }
const basic = `Basic ${Buffer.from("ann:secret").toString("base64")}`
const noTls = {
  trustStore: undefined,
  trustStorePassword: undefined,
  keyStore: undefined,
  keyStorePassword: undefined,
  keyPassword: undefined,
  hostnameValidation: true,
  selfSigned: false
}

describe("A search engine with TLS and a login", () => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-search-tls-"))
  const file = (name: string): string => join(folder, name)
  let authority: Identity
  let server: Identity

  beforeAll(() => {
    authority = certify("authority")
    server = certify("localhost", authority)
    const client = certify("client", authority)
    writeFileSync(file("trusted.pem"), authority.certificate)
    writeFileSync(file("trusted.p12"), pkcs12File({ certificate: authority.certificate }, "trust"))
    writeFileSync(file("other.pem"), certify("other").certificate)
    writeFileSync(file("client.p12"), pkcs12File(client, "shown"))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Starts an engine that asks for the login, and asks it once. Returns the names that it finds. */
  const ask = async (
    tls: Partial<NonNullable<SearchEngineSettings["tls"]>>,
    {
      host = "127.0.0.1",
      user = login,
      wantsClient = false
    }: Partial<{ host: string; user: typeof login; wantsClient: boolean }> = {}
  ): Promise<ReadonlyArray<string>> => {
    const clients = wantsClient ? { ca: authority.certificate, requestCert: true, rejectUnauthorized: true } : {}
    const engine = await StandIn.start(0, { host, tls: { cert: server.certificate, key: server.key, ...clients } })
    onTestFinished(() => engine.stop())
    engine.make("janusgraph_people").put("janusgraph_people", "a", {})
    engine.fault = ({ authorization }) => (authorization === basic ? undefined : { status: 401, body: "who are you" })
    const settings = { ...searchOptions(engine.port), hosts: [host], login: user, tls: { ...noTls, ...tls } }
    const engines = await openEngines([settings])
    const client = engines.get("search")!
    onTestFinished(() => client.close())
    return (await client.search("people", '{"match_all":{}}')).ids
  }

  it.each(["trusted.pem", "trusted.p12"])("answers if %s is the trust store", async (trusted) => {
    const trustStorePassword = trusted.endsWith("p12") ? "trust" : undefined
    expect(await ask({ trustStore: file(trusted), trustStorePassword })).toEqual(["a"])
  })

  it("is refused if the trust store does not have its authority", async () => {
    await expect(ask({ trustStore: file("other.pem") })).rejects.toThrow("does not answer: unable to")
    await expect(ask({})).rejects.toThrow("does not answer: ")
  })

  it("is accepted without an authority with allow-self-signed-certificates", async () => {
    expect(await ask({ selfSigned: true })).toEqual(["a"])
  })

  it("is refused under a name that its certificate does not have, unless disable-hostname-verification is set", async () => {
    const trustStore = file("trusted.pem")
    await expect(ask({ trustStore }, { host: "127.0.0.2" })).rejects.toThrow("does not match certificate's altnames")
    expect(await ask({ trustStore, hostnameValidation: false }, { host: "127.0.0.2" })).toEqual(["a"])
  })

  it("gets the certificate of the key store, if it asks for one", async () => {
    const trustStore = file("trusted.pem")
    const keyStore = file("client.p12")
    expect(await ask({ trustStore, keyStore, keyStorePassword: "shown" }, { wantsClient: true })).toEqual(["a"])
    await expect(ask({ trustStore }, { wantsClient: true })).rejects.toThrow("does not answer")
  })

  it("refuses another login, and the error says so", async () => {
    const wrong = ask({ trustStore: file("trusted.pem") }, { user: { ...login, password: "guess" } })
    await expect(wrong).rejects.toThrow("with the status 401: who are you")
  })
})
