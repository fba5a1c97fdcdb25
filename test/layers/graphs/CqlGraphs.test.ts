import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { startCluster } from "../../../bench/cluster/ClusterServer.ts"
import { decodeGraphFile } from "../../../src/layers/config/GraphFile.ts"
import { openGraph } from "../../../src/layers/graphs/GraphStores.ts"
import { newFolder } from "../../Folders.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { eventually } from "../support/TestServers.ts"

const lines = ["storage.backend=cql", "storage.hostname=127.0.0.1", "storage.cql.keyspace=janusgraph"]

const settings = (...more: ReadonlyArray<string>) => {
  const { factory } = graphOf([...lines, ...more])
  if (factory.kind !== "JanusGraphFactory" || factory.storage.cql === undefined) throw new Error("not of Cassandra")
  return factory.storage.cql
}

const problems = (...more: ReadonlyArray<string>): ReadonlyArray<string> => {
  const text = ["gremlin.graph=JanusGraphFactory", ...lines, ...more].join("\n")
  const folders = { home: "/nowhere", cwd: "/nowhere", library: undefined, installation: "/nowhere" }
  const decoded = decodeGraphFile(
    "graph",
    { file: "/nowhere/graph.properties", text, overrides: [], environment: {} },
    folders
  )
  return [
    ...decoded.problems.map(({ reason, setting }) => `${setting} ${reason}`),
    ...decoded.notes.map(({ text }) => text)
  ]
}

/** A port without a listener. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

describe("A graph in Cassandra", () => {
  it("has JanusGraph's defaults", () => {
    expect(settings()).toMatchObject({
      localDatacenter: "datacenter1",
      readConsistency: "QUORUM",
      writeConsistency: "QUORUM",
      requestTimeout: 12_000,
      connectionTimeout: 10_000,
      backPressureLimit: 1024,
      batchSize: 20,
      loggedBatches: false,
      schema: { replicationStrategy: "SimpleStrategy", replicationFactor: 1, compression: true },
      tls: undefined
    })
  })

  it("accepts JanusGraph's options in JanusGraph's notation", () => {
    const given = settings(
      "storage.cql.local-datacenter=west",
      "storage.cql.read-consistency-level=LOCAL_QUORUM",
      "storage.cql.write-consistency-level=one",
      "storage.cql.request-timeout=5000 ms",
      "storage.connection-timeout=3000",
      "storage.cql.back-pressure-limit=0",
      "storage.cql.replication-strategy-class=NetworkTopologyStrategy",
      "storage.cql.replication-strategy-options=west,3,east,2",
      "storage.cql.grouping.keys-allowed=false",
      "storage.cql.grouping.keys-limit=20",
      "storage.cql.grouping.keys-min=3",
      "storage.lock.wait-time=150 ms",
      "graph.unique-instance-id=one"
    )
    expect(given).toMatchObject({
      localDatacenter: "west",
      readConsistency: "LOCAL_QUORUM",
      writeConsistency: "ONE",
      requestTimeout: 5000,
      connectionTimeout: 3000,
      backPressureLimit: 1024,
      grouping: { allowed: false, limit: 20, least: 3 },
      schema: { replicationStrategy: "NetworkTopologyStrategy", replicationOptions: ["west", "3", "east", "2"] },
      instance: { instance: "one", lockWait: 150 }
    })
  })

  it("reports wrong options, and those without effect", () => {
    expect(problems("storage.cql.read-consistency-level=MOST")[0]).toContain("must be one of ANY, ONE,")
    expect(problems("storage.cql.request-timeout=soon")).toEqual([
      "storage.cql.request-timeout must be a whole number above 0 (ms), or have a unit such as '2 min', not 'soon'"
    ])
    expect(problems("storage.cql.replication-strategy-options=west")[0]).toContain("each followed by its value")
    expect(problems("storage.cql.ssl.enabled=true", "storage.cql.ssl.client-authentication-enabled=true")[0]).toContain(
      "storage.cql.ssl.keystore.location"
    )
    expect(problems("storage.cql.metrics.session-enabled=true")[0]).toContain(
      "without effect here: storage.cql.metrics.session-enabled"
    )
    expect(problems("storage.cql.metrics.session.enabled=true")).toEqual([
      "storage.cql.metrics.session.enabled is not an option of a graph; did you mean 'storage.cql.metrics.session-enabled'?"
    ])
  })

  it("warns of options of TLS and of a login that nothing switches on", () => {
    const engine = ["index.search.backend=elasticsearch", "index.search.hostname=127.0.0.1"]
    const ssl = ["storage.cql.ssl.truststore.location=trust.p12", "storage.cql.ssl.truststore.password=secret"]
    const login = ["index.search.elasticsearch.http.auth.basic.username=me"]
    expect(problems(...ssl, ...engine, ...login)).toEqual([
      "/nowhere/graph.properties:5: storage.cql.ssl.truststore.location has no effect without storage.cql.ssl.enabled: the connection is not encrypted",
      "/nowhere/graph.properties:9: index.search.elasticsearch.http.auth.basic.username has no effect without " +
        "index.search.elasticsearch.http.auth.type: requests to the search engine have no password"
    ])
    const off = ["storage.cql.ssl.enabled=false", "index.search.elasticsearch.http.auth.type=NONE"]
    expect(problems(...ssl, ...engine, ...login, ...off)).toEqual([])
  })

  it("warns of options of a search engine that no option names as one", () => {
    expect(problems("index.search.hostname=es", "index.search.index-name=a", "index.a.backend=lucene")).toContain(
      "/nowhere/graph.properties:5: index.search.hostname has no effect without index.search.backend: unless the keyspace stores it, " +
        "mixed indexes are kept in the graph's own store and in no search engine; JanusGraph's default is elasticsearch"
    )
    expect(problems("index.search.hostname=es", "index.search.backend=opensearch")).toEqual([])
  })

  it("fails with advice when no node answers", async () => {
    const port = await closedPort()
    const graph = graphOf([...lines, `storage.port=${port}`])
    const opened = await Effect.runPromise(Effect.either(openGraph(graph)))
    expect(opened._tag).toBe("Left")
    const { reason } = (opened as { readonly left: { readonly reason: string } }).left
    expect(reason).toContain(`No node of cql:127.0.0.1:${port}/janusgraph can be reached`)
    expect(reason).toContain("storage.hostname")
  })

  it("leaves no connection to the cluster when its search engine cannot be opened", async () => {
    const cluster = await startCluster(0, 0)
    const trustStore = join(newFolder(), "trust.jks")
    writeFileSync(trustStore, "no key store")
    const graph = graphOf([
      "storage.backend=cql",
      "storage.hostname=127.0.0.1",
      `storage.port=${cluster.port}`,
      "storage.cql.keyspace=leaving",
      "index.search.backend=elasticsearch",
      "index.search.hostname=127.0.0.1",
      "index.search.elasticsearch.ssl.enabled=true",
      `index.search.elasticsearch.ssl.truststore.location=${trustStore}`
    ])
    const opened = await Effect.runPromise(Effect.either(openGraph(graph)))
    expect(opened._tag).toBe("Left")
    await eventually(() => cluster.connections() === 0)
    await cluster.close()
  })

  it("waits for the time of storage.setup-wait, and then fails with the reason", async () => {
    const port = await closedPort()
    let attempts = 0
    const listener = createServer((socket) => {
      attempts++
      socket.destroy()
    })
    const opening = Effect.runPromise(
      Effect.either(openGraph(graphOf([...lines, `storage.port=${port}`, "storage.setup-wait=2500 ms"])))
    )
    listener.listen(port, "127.0.0.1")
    const opened = await opening
    listener.close()
    expect(attempts).toBeGreaterThan(0)
    const { reason } = (opened as { readonly left: { readonly reason: string } }).left
    expect(reason).toContain("can be reached")
    expect(reason).toMatch(/The start waited \d+ s for the storage \(storage\.setup-wait\)/)
  })
})
