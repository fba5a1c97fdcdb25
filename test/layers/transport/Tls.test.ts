import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type ConnectionOptions, connect } from "node:tls"
import * as Context from "effect/Context"
import * as Redacted from "effect/Redacted"
import { afterAll, describe, expect, it } from "vitest"
import { type ClientOptions, WebSocket } from "ws"
import { Channelizer } from "../../../src/services/Channelizer.ts"
import { defaultSettings } from "../../../src/services/DefaultSettings.ts"
import type { ServerSettings } from "../../../src/services/Settings.ts"
import type { SslSettings } from "../../../src/services/TrustSettings.ts"
import { patience } from "../../Limits.ts"
import { certify, encryptedKey, pkcs12File } from "../support/Certificates.ts"
import { openSocket, raw } from "../support/HttpClient.ts"
import { testedWorkers } from "../support/Packed.ts"
import { eventually, startInside, startServer, type TestedServer } from "../support/TestServers.ts"
import { asking } from "../support/Users.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-tls-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = (name: string, content: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const authority = certify("authority")
const ours = certify("localhost", authority)
const client = certify("client", authority)
const stranger = certify("stranger", certify("another authority"))
const pems = {
  keyCertChainFile: file("server.crt", ours.certificate),
  keyFile: file("server.key", ours.key)
}

const tls = (ssl: Partial<SslSettings>, more: Partial<ServerSettings> = {}): Partial<ServerSettings> => ({
  ssl: { ...defaultSettings().ssl, enabled: true, ...ssl },
  ...more
})

const hasKeytool = spawnSync("keytool", ["-help"], { stdio: "ignore" }).status === 0

/** Sends a request over HTTPS, and checks the certificate of the server. */
const ask = (
  server: TestedServer,
  options: ConnectionOptions = {}
): Promise<{ status: number; issued: string; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port: server.port, method: "POST", ca: authority.certificate, agent: false, ...options },
      (response) => {
        const issued = (
          response.socket as unknown as { getPeerCertificate(): { serialNumber: string } }
        ).getPeerCertificate().serialNumber
        let text = ""
        response.on("data", (chunk: Buffer) => {
          text += chunk
        })
        response.on("end", () => resolve({ status: response.statusCode!, issued, text }))
      }
    )
    sent.on("error", reject)
    sent.end('{"engine":"1"}')
  })

describe("TLS", () => {
  it("serves HTTP and WebSocket from PEM files", async () => {
    const server = await startInside(tls(pems))
    expect((await ask(server)).status).toBe(200)
    const ws = new WebSocket(`wss://127.0.0.1:${server.port}/gremlin`, { ca: authority.certificate })
    const answer = new Promise((resolve, reject) => {
      ws.on("message", (data) => resolve(JSON.parse(String(data)).status.code))
      ws.on("error", reject)
    })
    await new Promise((resolve) => ws.on("open", resolve))
    ws.send('{"requestId":"41d2e28a-20a4-4ab0-b379-d810dede3786","op":"eval","args":{"gremlin":"1"}}')
    expect(await answer).toBe(200)
    expect(Context.get(server.services, Channelizer).connections()).toBeGreaterThan(0)
    ws.terminate()
    await eventually(() => Context.get(server.services, Channelizer).connections() === 0)
  })

  it("supports long answers, clients that do not read, and the shutdown", async () => {
    const server = await startInside(tls(pems, { evaluationTimeout: 0, writeStallTimeout: 1_500 }))
    const socket = connect({ host: "127.0.0.1", port: server.port, ca: authority.certificate })
    await new Promise((resolve) => socket.once("secureConnect", resolve))
    const body = JSON.stringify({ gremlin: `g.inject('${"x".repeat(1000)}').repeat(__.identity()).emit()` })
    socket.pause()
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    await eventually(() => Context.get(server.services, Channelizer).connections() === 1)
    await eventually(() => Context.get(server.services, Channelizer).connections() === 0)
    socket.destroy()
    const kept = connect({ host: "127.0.0.1", port: server.port, ca: authority.certificate })
    await new Promise((resolve) => kept.once("secureConnect", resolve))
    const closed = new Promise((resolve) => kept.once("close", resolve))
    kept.on("error", () => {})
    const begin = performance.now()
    await server.end()
    await closed
    // A server that waits for the client does not stop in this time.
    expect(performance.now() - begin).toBeLessThan(10_000 * patience)
  })

  it("reads PKCS#12, also with the ciphers of older versions of Java", async () => {
    for (const algorithm of ["aes256", "3des"] as const) {
      const keyStore = file(`server-${algorithm}.p12`, pkcs12File(ours, "changeit", algorithm))
      const server = await startServer(tls({ keyStore, keyStorePassword: Redacted.make("changeit") }))
      expect((await ask(server)).status).toBe(200)
    }
  })

  it("reads an encrypted key, and key and certificate in one file", async () => {
    const keyStore = file("both.pem", ours.key + ours.certificate)
    const server = await startServer(tls({ keyStore, keyStoreType: "PEM" }))
    expect((await ask(server)).status).toBe(200)
    const keyFile = file("encrypted.key", encryptedKey(ours.key, "a password"))
    const locked = await startServer(tls({ ...pems, keyFile, keyPassword: Redacted.make("a password") }))
    expect((await ask(locked)).status).toBe(200)
    await expect(startServer(tls({ ...pems, keyFile, keyPassword: Redacted.make("wrong") }))).rejects.toThrow("keyFile")
  })

  it.skipIf(!hasKeytool)(hasKeytool ? "reads the stores that Java's keytool makes" : "needs keytool", async () => {
    const keytool = (...args: ReadonlyArray<string>): void => {
      const { stderr, stdout, status } = spawnSync("keytool", [...args, "-storepass", "changeit"], {
        encoding: "utf8"
      })
      if (status !== 0) throw new Error(`${stdout}${stderr}`)
    }
    const store = join(folder, "java.jks")
    const subject = ["-alias", "server", "-dname", "CN=localhost", "-ext", "SAN=DNS:localhost,IP:127.0.0.1"]
    keytool(
      "-genkeypair",
      "-keystore",
      store,
      "-storetype",
      "PKCS12",
      "-keyalg",
      "EC",
      "-groupname",
      "secp256r1",
      ...subject
    )
    const certificate = join(folder, "java.crt")
    keytool("-exportcert", "-rfc", "-keystore", store, "-alias", "server", "-file", certificate)
    const keyStorePassword = Redacted.make("changeit")
    // Name and type say JKS: old configurations keep them when the content is converted.
    const server = await startServer(tls({ keyStore: store, keyStoreType: "JKS", keyStorePassword }))
    expect((await ask(server, { ca: readFileSync(certificate) })).status).toBe(200)

    const trustStore = join(folder, "java-trust.p12")
    const imported = ["-noprompt", "-alias", "authority", "-file", file("java-authority.crt", authority.certificate)]
    keytool("-importcert", "-keystore", trustStore, "-storetype", "PKCS12", ...imported)
    const strict = await startServer(
      tls({ ...pems, trustStore, trustStorePassword: keyStorePassword, needClientAuth: "REQUIRE" })
    )
    expect((await ask(strict, { cert: client.certificate, key: client.key })).status).toBe(200)
    await expect(ask(strict)).rejects.toThrow()

    const [old, oldTrust] = [join(folder, "old.jks"), join(folder, "old-trust.jks")]
    keytool("-genkeypair", "-keystore", old, "-storetype", "JKS", "-keyalg", "RSA", "-keypass", "changeit", ...subject)
    keytool("-exportcert", "-rfc", "-keystore", old, "-alias", "server", "-file", certificate)
    keytool("-importcert", "-keystore", oldTrust, "-storetype", "JKS", ...imported)
    const stores = { keyStore: old, keyStorePassword, trustStore: oldTrust, trustStorePassword: keyStorePassword }
    const both = await startServer(tls({ ...stores, needClientAuth: "REQUIRE" }))
    const ca = readFileSync(certificate)
    expect((await ask(both, { ca, cert: client.certificate, key: client.key })).status).toBe(200)
    await expect(ask(both, { ca })).rejects.toThrow()
    const refusals: ReadonlyArray<readonly [Partial<SslSettings>, string]> = [
      [{ keyStorePassword: Redacted.make("changed") }, `${old} cannot be read as JKS (the password is wrong`],
      [{ keyStore: oldTrust }, `there is no key in ${oldTrust}`]
    ]
    for (const [changed, text] of refusals) {
      await expect(startServer(tls({ ...stores, ...changed }))).rejects.toThrow(text)
    }

    const other = join(folder, "other.jks")
    keytool("-importcert", "-keystore", other, "-storetype", "JCEKS", ...imported)
    await expect(
      startServer(tls({ ...pems, trustStore: other, trustStorePassword: keyStorePassword }))
    ).rejects.toThrow(
      `-srckeystore ${other} -srcstoretype JCEKS -destkeystore ${join(folder, "other.p12")} -deststoretype PKCS12`
    )
  })

  it("asks clients of WebSockets for certificates, and for passwords as well", async () => {
    const trustCertChainFile = file("both-authority.crt", authority.certificate)
    const server = await startServer(tls({ ...pems, trustCertChainFile, needClientAuth: "REQUIRE" }, asking()))
    const open = (options: ClientOptions): Promise<WebSocket> =>
      new Promise((resolve, reject) => {
        const ws = new WebSocket(`wss://127.0.0.1:${server.port}/gremlin`, { ca: authority.certificate, ...options })
        ws.on("open", () => resolve(ws))
        ws.on("error", reject)
      })
    await expect(open({})).rejects.toThrow()
    await expect(open({ cert: stranger.certificate, key: stranger.key })).rejects.toThrow()
    const ws = await open({ cert: client.certificate, key: client.key })
    const challenged = new Promise((resolve) =>
      ws.on("message", (data) => resolve(JSON.parse(String(data)).status.code))
    )
    ws.send('{"requestId":"41d2e28a-20a4-4ab0-b379-d810dede3786","op":"eval","args":{"gremlin":"1"}}')
    expect(await challenged).toBe(407)
    ws.terminate()
    expect((await ask(server, { cert: client.certificate, key: client.key })).status).toBe(401)
  })

  it("asks clients for certificates that the trust store signs", async () => {
    const stores: ReadonlyArray<Partial<SslSettings>> = [
      { trustCertChainFile: file("authority.crt", authority.certificate) },
      {
        trustStore: file("trust.p12", pkcs12File({ certificate: authority.certificate }, "changeit")),
        trustStorePassword: Redacted.make("changeit")
      }
    ]
    for (const store of stores) {
      const server = await startServer(tls({ ...pems, ...store, needClientAuth: "REQUIRE" }))
      expect((await ask(server, { cert: client.certificate, key: client.key })).status).toBe(200)
      await expect(ask(server)).rejects.toThrow()
      await expect(ask(server, { cert: stranger.certificate, key: stranger.key })).rejects.toThrow()
    }
  })

  it("speaks the protocols and ciphers of the settings, by the names of Java", async () => {
    const server = await startServer(
      tls({
        ...pems,
        sslEnabledProtocols: ["SSLv2Hello", "TLSv1.2"],
        sslCipherSuites: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"]
      })
    )
    expect((await ask(server, { minVersion: "TLSv1.2" })).status).toBe(200)
    await expect(ask(server, { minVersion: "TLSv1.3" })).rejects.toThrow()
    await expect(ask(server, { ciphers: "ECDHE-RSA-AES256-GCM-SHA384", maxVersion: "TLSv1.2" })).rejects.toThrow()
  })

  it("answers plain HTTP with an explanation, and closes silent connections", async () => {
    const server = await startServer(tls(pems, { headersTimeout: 200 * patience }))
    const answer = await raw(server.authority, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
    expect(answer).toContain("This port speaks TLS: connect by https:// or wss://.")
    for (const plain of [
      'POST /gremlin HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{"gremlin":"1"}',
      "GET /gremlin HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ]) {
      expect(await raw(server.authority, plain)).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*https:\/\/ or wss:\/\//)
    }
    expect(await raw(server.authority, Buffer.from([0x16, 3, 1, 0, 200, 1]))).toBe("")
    const silent = openSocket(server.authority)
    await new Promise((resolve) => silent.once("close", resolve))
    expect((await ask(server)).status).toBe(200)
  })

  it("enables TCP keep-alive, as without TLS", async () => {
    const server = await startServer(tls(pems))
    const plainly = await startServer()
    const sockets = [openSocket(server.authority), openSocket(plainly.authority)]
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
    const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, "0")
    for (const { localPort, remotePort } of sockets) {
      // The server's end of the connection: timer 02 is TCP keep-alive.
      const end = new RegExp(`:${hex(remotePort!)} \\w+:${hex(localPort!)} 01 \\S+ 02:`)
      await eventually(() => end.test(readFileSync("/proc/net/tcp", "latin1")))
    }
  })

  it("counts connections in their handshake, and explains the refusal of a further one", async ({ skip }) => {
    skip(testedWorkers > 1, "each worker explains its own number of refusals")
    const server = await startServer(tls(pems, { maxConnections: 2 }))
    const open = [openSocket(server.authority), openSocket(server.authority)]
    await Promise.all(open.map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
    const refused = await ask(server)
    expect(refused.status).toBe(503)
    expect(refused.text).toContain("2 connections, its maxConnections")
    // A few further connections are answered after their handshake; the rest are closed at once.
    const told = Array.from({ length: 64 }, () => openSocket(server.authority))
    await Promise.all(told.map((socket) => new Promise((resolve) => socket.once("connect", resolve))))
    const more = openSocket(server.authority)
    await new Promise((resolve) => more.once("close", resolve))
    expect(told.every(({ readyState }) => readyState === "open")).toBe(true)
    for (const socket of told) socket.destroy()
    for (const socket of open) socket.destroy()
    await eventually(() =>
      ask(server).then(
        ({ status }) => status === 200,
        () => false
      )
    )
    for (let i = 0; i < 5; i++)
      await eventually(() =>
        ask(server).then(
          () => true,
          () => false
        )
      )
  })

  it("uses new certificates when its files change, and keeps the old ones when the new ones are broken", async () => {
    const keyCertChainFile = file("changing.crt", ours.certificate)
    const keyFile = file("changing.key", ours.key)
    const server = await startServer(tls({ keyCertChainFile, keyFile, refreshInterval: 20 }))
    const before = (await ask(server)).issued
    file("changing.crt", "no certificate")
    await eventually(() => server.log.some((line) => line.startsWith("ERROR The certificates of TLS have changed")))
    expect((await ask(server)).issued).toBe(before)
    rmSync(keyFile)
    await eventually(() => server.log.some((line) => /^ERROR The certificates .*changing\.key/.test(line)))
    expect((await ask(server)).issued).toBe(before)
    const kept = connect({ host: "127.0.0.1", port: server.port, ca: authority.certificate })
    await new Promise((resolve) => kept.once("secureConnect", resolve))
    const renewed = certify("localhost", authority)
    file("changing.key", renewed.key)
    file("changing.crt", renewed.certificate)
    await eventually(async () => (await ask(server)).issued !== before)
    // Open connections stay open.
    const answered = new Promise((resolve) => kept.once("data", (data) => resolve(String(data).slice(0, 12))))
    kept.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 15\r\n\r\n{"gremlin":"1"}')
    expect(await answered).toBe("HTTP/1.1 200")
    kept.destroy()
  })

  it("trusts other clients when the trust store changes, also for earlier TLS sessions", async () => {
    const trustCertChainFile = file("changing-trust.crt", authority.certificate)
    const server = await startServer(
      tls({ ...pems, trustCertChainFile, needClientAuth: "REQUIRE", refreshInterval: 20 })
    )
    const ours = { cert: client.certificate, key: client.key }
    const sessions: Array<Buffer> = []
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = connect({ host: "127.0.0.1", port: server.port, ca: authority.certificate, maxVersion, ...ours })
      socket.on("error", () => {})
      await new Promise<void>((resolve) => {
        socket.once("session", (session) => {
          sessions.push(session)
          resolve()
        })
      })
      socket.destroy()
    }
    expect((await ask(server, ours)).status).toBe(200)
    const other = certify("another authority still")
    file("changing-trust.crt", other.certificate)
    await eventually(() =>
      ask(server, ours).then(
        () => false,
        () => true
      )
    )
    for (const session of sessions) await expect(ask(server, { ...ours, session })).rejects.toThrow()
    const theirs = certify("client", other)
    expect((await ask(server, { cert: theirs.certificate, key: theirs.key })).status).toBe(200)
  })

  it("does not start with unusable files or names, and names them", async () => {
    const problem = (ssl: Partial<SslSettings>) =>
      startServer(tls(ssl)).then(
        () => "it started",
        (error: Error) => error.message
      )
    const keyStore = file("locked.p12", pkcs12File(ours, "changeit"))
    expect(await problem({ keyStore, keyStorePassword: Redacted.make("wrong") })).toMatch(
      /ssl\.keyStore.*password right/
    )
    expect(await problem({ ...pems, keyFile: join(folder, "missing.key") })).toMatch(/ssl\.keyFile.*missing\.key/)
    expect(await problem({ ...pems, sslEnabledProtocols: ["TLSv9"] })).toMatch(/ssl\.sslEnabledProtocols.*TLSv9/)
    expect(await problem({ ...pems, sslEnabledProtocols: ["SSLv2", "SSLv3"] })).toMatch(
      /ssl\.sslEnabledProtocols.*names no protocol of Node\.js: add one of TLSv1, TLSv1\.1, TLSv1\.2, TLSv1\.3/
    )
    expect(await problem({ ...pems, sslCipherSuites: ["TLS_NO"] })).toMatch(/ssl\.sslCipherSuites.*TLS_NO/)
    expect(await problem({ ...pems, trustStore: pems.keyFile })).toMatch(/ssl\.trustStore/)
    expect(await problem({})).toMatch(/ssl\.keyStore/)
    expect(await problem({ ...pems, needClientAuth: "REQUIRE" })).toMatch(/ssl\.trustStore.*missing/)
  })
})
