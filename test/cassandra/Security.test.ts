import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import cassandra from "cassandra-driver"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { scopedGraph } from "../../src/layers/graphs/GraphStores.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { graphOf } from "../layers/support/LmdbGraphs.ts"
import { runLater } from "../process/run.ts"
import { freePort, type Node, startNode } from "./Cassandra.ts"

const PASSWORD = "changeit"
const KEYSPACE = "secured"

/** A node whose clients need TLS, a certificate that its authority has signed, and a password. */
describe("A graph in a Cassandra with TLS and passwords", () => {
  let folder: string
  let node: Node
  let port: number

  const file = (name: string): string => join(folder, name)

  const keytool = (...words: ReadonlyArray<string>): void => {
    execFileSync("keytool", [...words, "-storepass", PASSWORD, "-storetype", "PKCS12"], { stdio: "pipe" })
  }

  /** A key with a certificate that it has signed itself, in `name.p12`, and the certificate alone in `name-trust.p12`. */
  const makeKey = (name: string, address: string): void => {
    const key = ["-keystore", file(`${name}.p12`), "-alias", name]
    keytool(
      "-genkeypair",
      ...key,
      "-keyalg",
      "RSA",
      "-validity",
      "2",
      "-dname",
      `CN=${name}`,
      "-ext",
      `san=ip:${address}`
    )
    keytool("-exportcert", ...key, "-file", file(`${name}.cer`))
    const trust = ["-keystore", file(`${name}-trust.p12`), "-alias", name]
    keytool("-importcert", ...trust, "-file", file(`${name}.cer`), "-noprompt")
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "engine-server-cassandra-"))
    makeKey("node", "127.0.0.1")
    makeKey("other", "127.0.0.9")
    port = await freePort()
    node = await startNode(inject("cassandraJars"), {
      folder,
      port,
      storagePort: await freePort(),
      secured: { keyStore: file("node.p12"), password: PASSWORD }
    })
    // A user that may use one keyspace, which the superuser creates.
    const client = new cassandra.Client({
      contactPoints: ["127.0.0.1"],
      protocolOptions: { port },
      localDataCenter: "datacenter1",
      credentials: { username: "cassandra", password: "cassandra" },
      sslOptions: { rejectUnauthorized: false }
    })
    // The node creates its first user after it answers.
    for (let attempt = 0; attempt < 60; attempt++) {
      const isConnected = await client.connect().then(
        () => true,
        () => false
      )
      if (isConnected) break
      await pause(1000)
    }
    for (const statement of [
      `CREATE KEYSPACE ${KEYSPACE} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`,
      "CREATE ROLE graph WITH PASSWORD = 'secret' AND LOGIN = true",
      "CREATE ROLE reader WITH PASSWORD = 'secret' AND LOGIN = true",
      `GRANT CREATE ON KEYSPACE ${KEYSPACE} TO graph`,
      `GRANT SELECT ON KEYSPACE ${KEYSPACE} TO graph`,
      `GRANT MODIFY ON KEYSPACE ${KEYSPACE} TO graph`
    ]) {
      await client.execute(statement)
    }
    await client.shutdown()
  })

  afterAll(async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const trusted = (): ReadonlyArray<string> => [
    "storage.cql.ssl.enabled=true",
    `storage.cql.ssl.truststore.location=${file("node-trust.p12")}`,
    `storage.cql.ssl.truststore.password=${PASSWORD}`
  ]
  const user = (name: string, password: string): ReadonlyArray<string> => [
    `storage.username=${name}`,
    `storage.password=${password}`
  ]

  /** Opens the graph of a properties file, adds a vertex, and counts the vertices. Returns the reason when it does not open. */
  const opened = (...lines: ReadonlyArray<string>): Promise<unknown> => {
    const settings = graphOf([
      "storage.backend=cql",
      "storage.hostname=127.0.0.1",
      `storage.port=${port}`,
      `storage.cql.keyspace=${KEYSPACE}`,
      "storage.connection-timeout=3000",
      ...lines
    ])
    const counted = Effect.flatMap(scopedGraph(settings), (graph) =>
      Effect.promise(async () => {
        await runLater(graph, "g.addV('person')")
        return runLater(graph, "g.V().count()", { as: text })
      })
    )
    const ended = Effect.catchAll(counted, ({ reason }) => Effect.succeed(reason))
    return Effect.runPromise(Effect.scoped(ended))
  }

  it("opens with the trust store of the node and the password of a user that has only SELECT, MODIFY and CREATE", async () => {
    expect(await opened(...trusted(), ...user("graph", "secret"))).toEqual(["1"])
    const named = [...trusted(), "storage.cql.ssl.hostname_validation=true", ...user("graph", "secret")]
    expect(await opened(...named)).toEqual(["2"])
  })

  it("says that the password is wrong or missing", async () => {
    expect(await opened(...trusted(), ...user("graph", "guess"))).toMatch(/refuses the user or the password/)
    expect(await opened(...trusted())).toMatch(/storage\.username/)
  })

  it("says that the user has no right", async () => {
    expect(await opened(...trusted(), ...user("reader", "secret"))).toMatch(/permission/)
  })

  it("refuses a node whose certificate it does not trust, and a cluster that needs TLS without it", async () => {
    const other = trusted().map((line) => line.replace("node-trust", "other-trust"))
    expect(await opened(...other, ...user("graph", "secret"))).toMatch(/certificate/i)
    const plain = await opened(...user("graph", "secret"))
    expect(plain).toMatch(/No node of cql:.* can be reached/)
    expect(plain).toMatch(/If the nodes demand TLS, set storage\.cql\.ssl\.enabled=true/)
  })
})
