import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type RunningCluster, startCluster } from "../../../bench/cluster/ClusterServer.ts"
import { patience } from "../../Limits.ts"
import { http, post, UNTYPED } from "../support/HttpClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { eventually, startServer, type TestedServer } from "../support/TestServers.ts"

/** Time of a statement in the simulated cluster, ms. */
const DELAY_MS = 5
/** Statements in flight to a node. */
const IN_FLIGHT = 4
/** Vertices in a chain. Each is also a neighbour of the hub. */
const VERTICES = 1500
/** Statements after which a request is cancelled: it needs hundreds. */
const BEFORE = 10
/**
 * Statements that may begin after a client has asked for the end of a request: those that leave before the server has read that.
 * On a machine with other work this takes a while.
 */
const MOST_AFTER = 300

let cluster: RunningCluster

const start = (): Promise<TestedServer> =>
  startServer({
    graphs: new Map([
      [
        "graph",
        graphOf([
          "storage.backend=cql",
          "storage.hostname=127.0.0.1",
          `storage.port=${cluster.port}`,
          "storage.cql.keyspace=cancelling",
          `storage.cql.back-pressure-limit=${IN_FLIGHT}`,
          "storage.cql.grouping.keys-limit=3",
          // The polls of the schema would be counted too.
          "log.janusgraph.read-interval=3600000"
        ])
      ]
    ])
  })

const load = async (authority: string): Promise<void> => {
  const script =
    "hub = g.addV('hub').next(); last = hub; for (i in 0..<n) { v = g.addV('node').property('n', i).next();" +
    " g.V(last).addE('next').to(v).iterate(); g.V(hub).addE('all').to(v).iterate(); last = v }; hub.id()"
  const { json, text } = await post(authority, script, {
    bindings: { n: VERTICES },
    evaluationTimeout: 120_000 * patience
  })
  if (json?.status.code !== 200) throw new Error(text)
  hub = json.result.data[0]
}

let hub: number

const reads = (): number => cluster.cluster.work.reads

/** A request of 1,400 statements, each of which needs the answer of the one before: it takes seconds on every machine. */
const longRequest: Readonly<Record<string, string>> = {
  "hop after hop": "g.V(hub).repeat(__.out('next')).times(1400).count()"
}

/** And requests that may end before a time limit or a cancellation: scans, and rows that are read at the same time. */
const requests: Readonly<Record<string, string>> = {
  ...longRequest,
  "scan after scan": "for (i in 0..<1000) { g.V().hasLabel('none').count().next() }",
  "rows of many vertices": "g.V(hub).out('all').values('n').sum()"
}

beforeAll(async () => {
  cluster = await startCluster(0, DELAY_MS)
})

afterAll(() => cluster.close())

/** Asks for the end of a request that a client has sent. Returns when the client has the answer, or needs none. */
type End = (server: TestedServer, client: SocketClient, id: string) => Promise<unknown>

const DISCONNECTED = "its client closes the connection"

const ends: Readonly<Record<string, End>> = {
  [DISCONNECTED]: async (_, client) => {
    client.ws.terminate()
    await client.closed
  },
  "DELETE /gremlin/status cancels it": async ({ authority }, client, id) => {
    const { status } = await http(authority, { method: "DELETE", path: `/gremlin/status/${id}` })
    expect(status).toBe(200)
    expect((await client.answer(id)).status.code).toBe(598)
  },
  "its time is over": async (_, client, id) => {
    expect((await client.answer(id)).status.code).toBe(598)
  }
}

describe("A request that reads from Cassandra", () => {
  it.each(Object.keys(ends))("sends no further statement when %s", async (name) => {
    const server = await start()
    const { authority } = server
    if (hub === undefined) await load(authority)
    const isTimed = name === "its time is over"
    for (const [what, gremlin] of Object.entries(name === DISCONNECTED ? requests : longRequest)) {
      const client = await SocketClient.connect(authority)
      const begun = reads()
      const time = isTimed ? { evaluationTimeout: 300 * patience } : {}
      const id = client.send("eval", "", { gremlin, bindings: { hub }, ...time })
      await eventually(() => reads() >= begun + BEFORE)
      const cancelled = isTimed ? undefined : reads()
      await ends[name]!(server, client, id)
      const answered = reads()
      await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 0)
      const ended = reads()
      expect(ended - (cancelled ?? answered), what).toBeLessThan(MOST_AFTER)
      expect(await furtherStatements(authority), what).toBeLessThan(10)
      client.close()
    }
    await server.end()
  })

  it("sends no further statement when its HTTP client goes away", async () => {
    const server = await start()
    const { authority, port } = server
    if (hub === undefined) await load(authority)
    for (const [what, gremlin] of Object.entries(requests)) {
      const begun = reads()
      const leaving = new AbortController()
      const asked = fetch(`http://127.0.0.1:${port}/gremlin`, {
        method: "POST",
        headers: { accept: UNTYPED },
        body: JSON.stringify({ gremlin, bindings: { hub } }),
        signal: leaving.signal
      }).catch(() => undefined)
      await eventually(() => reads() >= begun + BEFORE)
      const cancelled = reads()
      leaving.abort()
      await asked
      await eventually(async () => (await http(authority, { path: "/gremlin/status" })).json.acceptedQueryCount === 0)
      expect(reads() - cancelled, what).toBeLessThan(MOST_AFTER)
      expect(await furtherStatements(authority), what).toBeLessThan(10)
    }
    await server.end()
  })
})

/**
 * Statements that leave while twenty requests, one after the other, read one row each, except those of these requests. The renewal
 * of the registration of the server may be among them.
 */
const furtherStatements = async (authority: string): Promise<number> => {
  const before = reads()
  for (let at = 0; at < 20; at++) {
    const { json } = await post(authority, "g.V(hub).hasLabel('hub').count()", { bindings: { hub } })
    expect(json.result.data).toEqual([1])
  }
  return reads() - before - 20
}
