import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { describe, expect, it, vi } from "vitest"
import { Diagnostics } from "../../../src/services/Diagnostics.ts"
import { GraphRegistry } from "../../../src/services/GraphRegistry.ts"
import { ElementTable } from "../../../src/storage/memory/ElementTable.ts"
import { IdTable } from "../../../src/storage/memory/IdTable.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { newFolder } from "../../Folders.ts"
import { patience } from "../../Limits.ts"
import { FakeCluster } from "../../storage/cassandra/FakeCluster.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { flushed, flushesOf } from "../support/FlushedGraph.ts"
import { http, post } from "../support/HttpClient.ts"
import { isPacked } from "../support/Packed.ts"
import { type InsideServer, startInside } from "../support/TestServers.ts"
import { asking, usersOf } from "../support/Users.ts"

const graphOf = ({ services }: InsideServer, name = "graph"): GraphStore =>
  Context.get(services, GraphRegistry).graphs.get(name)!

/** Everything that the server reports about its graphs. */
const reports = async (server: InsideServer) => {
  const { authority, log, services } = server
  const ready = await http(authority, { path: "/health/ready" })
  const { text } = await http(authority, { path: "/metrics" })
  const gauge = (name: string) => Number(new RegExp(`^${name}\\{graph="graph"\\} (\\d)$`, "m").exec(text)![1])
  return {
    ready: [ready.status, ready.json.status],
    closed: gauge("engine_server_graph_closed"),
    writesStopped: gauge("engine_server_graph_writes_stopped"),
    status: Context.get(services, Diagnostics)
      .status()
      .split("\n")
      .filter((line) => line.startsWith("fault: ")),
    log: log.filter((line) => line.startsWith("ERROR The graph"))
  }
}

const readOnly = { ready: [503, "read-only"], closed: 0 }
const well = { ready: [200, "ready"], closed: 0, writesStopped: 0, status: [], log: [] }

/** A server with a graph of the test. */
const serverWith = (graph: GraphStore): Promise<InsideServer> => {
  const source = { name: "g", store: graph, settings: { instructions: [] } }
  const registry = Layer.succeed(GraphRegistry, {
    graphs: new Map([["graph", graph]]),
    sources: new Map([["g", source]]),
    plain: () => source
  })
  return startInside({}, { graphs: registry })
}

const FAILURES = "the test makes functions of the sources fail"

describe("A graph with a permanent fault", () => {
  it("in memory: a commit that cannot be rolled back closes it, and every report says why and what to do", async ({
    skip
  }) => {
    skip(isPacked, FAILURES)
    const server = await startInside()
    await post(server.authority, "g.addV('a').property('x', 1).as('a').addV('b').iterate()")
    expect(await reports(server)).toEqual(well)
    const fails = [
      vi.spyOn(IdTable.prototype, "addNumber").mockImplementation(() => {
        throw new Error("cannot add")
      }),
      vi.spyOn(ElementTable.prototype, "revive").mockImplementation(() => {
        throw new Error("cannot revive")
      })
    ]
    const failed = await post(server.authority, "g.V().hasLabel('a').drop().iterate(); g.addV('c').iterate()")
    for (const spy of fails) spy.mockRestore()
    expect([failed.status, failed.json.message]).toEqual([500, expect.stringContaining("cannot add")])
    const reason = expect.stringMatching(
      /The graph graph is closed since a commit failed \(Error: cannot add\) and could not be rolled back \(Error: cannot revive\).*Start the server again and load the graph's data again/
    )
    expect(await reports(server)).toEqual({
      ready: [503, "closed"],
      closed: 1,
      writesStopped: 1,
      status: [reason],
      log: [reason]
    })
    for (const script of ["g.V().count()", "g.addV('d')"]) {
      const { json, status } = await post(server.authority, script)
      expect([status, json.message, json["Exception-Class"]]).toEqual([500, reason, "StorageFailure"])
    }
  })

  it("in memory: when memory of commits cannot be released, writes stop, and the server is ready for reads only", async ({
    skip
  }) => {
    skip(isPacked, FAILURES)
    const server = await startInside()
    await post(server.authority, "g.addV('a').iterate()")
    const release = vi.spyOn(ElementTable.prototype, "release").mockImplementation(() => {
      throw new Error("cannot release")
    })
    expect((await post(server.authority, "g.V().drop().iterate(); g.addV('b').iterate()")).status).toBe(200)
    release.mockRestore()
    const reason = expect.stringMatching(
      /The graph graph takes no more writes.*cannot release.*reads still work.*Export/
    )
    expect(await reports(server)).toEqual({ ...readOnly, writesStopped: 1, status: [reason], log: [reason] })
    expect((await http(server.authority, { path: "/health/ready?allow=read-only" })).status).toBe(200)
    const { json } = await post(server.authority, "g.addV('c')")
    expect(json.message).toEqual(reason)
    expect((await post(server.authority, "g.V().label()")).json.result.data).toEqual(["b"])
  })

  it("in files: a failed write stops all writes, and a closed graph is reported", async ({ skip }) => {
    skip(isPacked, FAILURES)
    const folder = newFolder()
    const server = await startInside(flushed(folder))
    await post(server.authority, "g.addV('a').iterate()")
    expect(await reports(server)).toEqual(well)
    flushesOf(folder).flush = () => Promise.reject(new Error("the disk is gone"))
    expect((await post(server.authority, "g.addV('a').iterate()")).status).toBe(500)
    const stopped = expect.stringMatching(/The graph graph takes no more writes since one failed.*the disk is gone/)
    expect(await reports(server)).toEqual({ ...well, ...readOnly, writesStopped: 1, status: [stopped] })
    expect((await post(server.authority, "g.addV('a').iterate()")).json.message).toEqual(stopped)
    await graphOf(server).close()
    const reason = expect.stringMatching(/The graph graph is closed: its server is shutting down/)
    expect(await reports(server)).toEqual({
      ready: [503, "closed"],
      closed: 1,
      writesStopped: 1,
      status: [reason],
      log: []
    })
    const { json, status } = await post(server.authority, "g.V().count()")
    expect([status, json.message]).toEqual([500, reason])
  })

  it("in a cluster: a closed graph is reported; a cluster that does not answer is not a permanent fault", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store({ requestTimeout: 100 * patience }))
    const server = await serverWith(graph)
    await post(server.authority, "g.addV('a').iterate()")
    cluster.weather = () => new Promise(() => undefined)
    expect((await post(server.authority, "g.V().count()")).status).toBe(500)
    expect(await reports(server)).toEqual(well)
    cluster.weather = async () => undefined
    expect((await post(server.authority, "g.V().count()")).json.result.data).toEqual([1])
    await graph.close()
    const reason = expect.stringMatching(/is closed: its server is shutting down/)
    expect(await reports(server)).toMatchObject({ ready: [503, "closed"], closed: 1, status: [reason] })
    expect((await post(server.authority, "g.V().count()")).json.message).toEqual(reason)
  })

  it("of the users: the server is not ready without it, and hides the reason from clients without credentials", async () => {
    const server = await startInside({ ...asking(), openMetrics: true })
    expect((await http(server.authority, { path: "/health/ready" })).status).toBe(200)
    const fault = { isClosed: true, reason: "The graph credentialsDb is closed since something failed." }
    const users = vi.spyOn(usersOf(server), "fault", "get").mockReturnValue(fault)
    const ready = await http(server.authority, { path: "/health/ready" })
    expect([ready.status, ready.json]).toEqual([
      503,
      {
        status: "closed",
        message: "A graph of this server is closed. GET /metrics has its name, and the server's log has the reason."
      }
    ])
    const { text } = await http(server.authority, { path: "/metrics" })
    expect(text).toContain('engine_server_graph_closed{graph="credentials"} 1')
    expect(text).toContain('engine_server_graph_closed{graph="graph"} 0')
    users.mockRestore()
  })
})
