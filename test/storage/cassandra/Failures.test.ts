import { createServer, type Server, type Socket } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { connect } from "../../../src/storage/cassandra/Connection.ts"
import { type CqlOptions, cqlDefaults } from "../../../src/storage/cassandra/CqlOptions.ts"
import {
  isUnreachable,
  NotApplied,
  openingFailure,
  requestFailure,
  tooBusy,
  writeFailure
} from "../../../src/storage/cassandra/Failures.ts"
import { StorageUnavailable } from "../../../src/structure/errors/StoreErrors.ts"

describe("An error of a cluster", () => {
  const failed = (error: object): Error => requestFailure("cql:a/g", "read", Object.assign(new Error("no"), error))

  it("says what to do, and does not stop the next request", () => {
    const unavailable = failed({ code: 0x1000, required: 2, alive: 1 })
    expect(unavailable).toBeInstanceOf(StorageUnavailable)
    expect(unavailable.message).toContain("only 1 of the 2 replicas that the consistency level asks for are up")
    expect(failed({ code: 0x1200, received: 1, blockFor: 2 }).message).toContain("only 1 of the 2 replicas")
    expect(failed({ code: 0x2100 }).message).toContain("Grant it SELECT and MODIFY")
    const written = requestFailure("cql:a/g", "written", Object.assign(new Error("no"), { code: 0x1100 }))
    expect(written.message).toContain("may have been applied in part or whole")
  })

  it("names the option that limits requests with its value, and the part of a worker process", () => {
    const alone = tooBusy("cql:a/g", { count: 3072, perNode: 1024, nodes: 3, workers: 1 }).message
    expect(alone).toContain("3072 are in flight")
    expect(alone).toContain("storage.cql.back-pressure-limit=1024 for each node that is up (3). Look")
    const part = tooBusy("cql:a/g", { count: 128, perNode: 1024, nodes: 1, workers: 8 }).message
    expect(part).toContain("128 are in flight")
    expect(part).toContain("=1024 for each node that is up (1), divided by the 8 worker processes of the server. Look")
  })

  it("says that a node cannot read users and permissions, and does not ask for others", () => {
    const text = "Unable to perform authorization of permissions: Cannot achieve consistency level LOCAL_ONE"
    const cause = Object.assign(new Error(text), { code: 0x2100 })
    const lost = requestFailure("cql:a/g", "written", cause)
    for (const failure of [requestFailure("cql:a/g", "read", cause), lost, openingFailure("cql:a/g", cause)]) {
      expect(failure.message).toContain(`a node could not read users and permissions (${text})`)
      expect(failure.message).toContain("system_auth")
      expect(failure.message).not.toMatch(/Grant|storage\.username/)
    }
    expect(lost).toBeInstanceOf(NotApplied)
    expect(lost.message).toContain("run the request again")
    expect(writeFailure("cql:a/g", cause, true).message).not.toContain("run the request again")
    expect(isUnreachable(openingFailure("cql:a/g", cause))).toBe(true)
    const inner = { name: "AuthenticationError", message: "Unable to perform authentication: Operation timed out" }
    const unreachable = openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors: { a: inner } })
    expect(unreachable.message).not.toContain("storage.username")
    expect(isUnreachable(unreachable)).toBe(true)
  })

  it("at the start names what may be wrong: the address, the datacenter, the user", () => {
    const inner = { "10.0.0.1:9042": Object.assign(new Error("connect ECONNREFUSED"), {}) }
    const unreachable = openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors: inner })
    expect(unreachable.message).toContain("10.0.0.1:9042: connect ECONNREFUSED")
    expect(unreachable.message).toContain("storage.cql.local-datacenter")
    const wrong = { "10.0.0.1:9042": Object.assign(new Error("bad credentials"), { name: "AuthenticationError" }) }
    const refused = openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors: wrong })
    expect(refused.message).toContain("storage.username")
  })

  it("after a write does not say that nothing was applied when another node may have applied it", () => {
    const refusals = [0x0100, 0x1000, 0x2100, 0x2200].map((code) => ({ code }))
    for (const cause of [...refusals, { name: "NoHostAvailableError", innerErrors: {} }]) {
      const error = Object.assign(new Error("no"), cause)
      expect(writeFailure("cql:a/g", error, false)).toBeInstanceOf(NotApplied)
      const failure = writeFailure("cql:a/g", error, true)
      expect(failure).not.toBeInstanceOf(NotApplied)
      expect(failure.message).toContain("may have been applied in part or whole")
      expect(failure.message).not.toContain("run the request again")
    }
  })

  const noHost = (innerErrors: object): Error =>
    requestFailure("cql:a/g", "written", Object.assign(new Error("no"), { name: "NoHostAvailableError", innerErrors }))

  it("after a write says that nothing was applied when the driver has sent it to no node that began it", () => {
    const unsent = [
      {},
      { a: "Host considered as DOWN" },
      { a: new Error("No connection available"), b: "Host considered as DOWN" },
      { a: Object.assign(new Error("Socket was closed"), { isSocketError: true, requestNotWritten: true }) },
      // The answer of the only node that is up: too few replicas are.
      { a: Object.assign(new Error("too few"), { code: 0x1000 }), b: "Host considered as DOWN" }
    ]
    for (const innerErrors of unsent) {
      const failure = noHost(innerErrors)
      expect(failure).toBeInstanceOf(NotApplied)
      expect(failure.message).toContain("run the request again")
      expect(failure.message).not.toContain("may have been applied")
    }
    const sent = [
      { a: Object.assign(new Error("Socket was closed"), { isSocketError: true }), b: "Host considered as DOWN" },
      { a: Object.assign(new Error("no"), { name: "OperationTimedOutError" }) },
      // The node has not answered yet.
      { a: null, b: "Host considered as DOWN" }
    ]
    for (const innerErrors of sent) {
      const failure = noHost(innerErrors)
      expect(failure).toBeInstanceOf(StorageUnavailable)
      expect(failure).not.toBeInstanceOf(NotApplied)
      expect(failure.message).toContain("may have been applied in part or whole")
      expect(failure.message).not.toContain("run the request again")
    }
  })
})

describe("A start", () => {
  let server: Server | undefined
  const open = new Set<Socket>()

  afterEach(() => {
    for (const socket of open) socket.destroy()
    server?.close()
  })

  /** The reason why no graph can be opened on a server that treats its connections in this way. */
  const reason = async (serve: (socket: Socket) => void, tls: CqlOptions["tls"]): Promise<string> => {
    server = createServer((socket) => {
      open.add(socket)
      socket.on("error", () => undefined)
      serve(socket)
    })
    await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { readonly port: number }
    const options = {
      ...cqlDefaults,
      hosts: ["127.0.0.1"],
      port,
      keyspace: "g",
      username: undefined,
      password: undefined
    }
    return connect({ ...options, readOnly: false, requestTimeout: 1000, tls }).then(() => "connected", String)
  }
  const tls = {
    ca: undefined,
    certificate: undefined,
    key: undefined,
    passphrase: undefined,
    hostnameValidation: false
  }

  it("names the options of TLS when a node accepts the connection without TLS, and closes it or is silent", async () => {
    for (const serve of [
      (socket: Socket) => socket.once("data", () => socket.destroy()),
      (socket: Socket) => socket.once("data", () => socket.resetAndDestroy()),
      (socket: Socket) => socket.resume()
    ]) {
      expect(await reason(serve, undefined)).toMatch(/If the nodes demand TLS, set storage\.cql\.ssl\.enabled=true/)
    }
  })

  it("says that a node does not speak TLS", async () => {
    // A frame with an error of the CQL protocol.
    const answer = Buffer.from([0x84, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 10, 0, 2, 65, 65])
    const text = await reason((socket) => socket.once("data", () => socket.write(answer)), tls)
    expect(text).toContain("A node has not answered with TLS, which storage.cql.ssl.enabled=true asks for.")
  })

  it("says nothing about TLS when nothing listens", () => {
    const innerErrors = { a: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }) }
    expect(openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors }, false).message).not.toContain("TLS")
  })

  it("names the key store when a node demands a certificate", () => {
    const innerErrors = { a: Object.assign(new Error("no"), { code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" }) }
    const failure = openingFailure("cql:a/g", { name: "NoHostAvailableError", innerErrors }, true)
    expect(failure.message).toContain("storage.cql.ssl.keystore.location")
  })
})
