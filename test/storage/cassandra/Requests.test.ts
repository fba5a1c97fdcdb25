import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { Schema } from "../../../src/storage/janusgraph/schema/Schema.ts"
import {
  CommitOutcomeUnknown,
  FailedAfterCommit,
  StorageUnavailable
} from "../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { Sent } from "./CountedClient.ts"
import { FakeCluster } from "./FakeCluster.ts"

const query = async (graph: CellGraph, script: string): Promise<ReadonlyArray<unknown>> => {
  const transaction = graph.begin()
  try {
    return await runLater(graph, script, { as: text, transaction })
  } finally {
    transaction.rollback()
  }
}

/** No background reads during the test. */
const QUIET = { newsInterval: 3_600_000 }

const people = (count: number): string =>
  `g.inject(${Array.from({ length: count }, (_, i) => i).join()}).addV('person').property('name', __.identity())`

describe("Requests to a cluster", () => {
  it("do not exceed the back-pressure limit, and all are answered", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store({ backPressureLimit: 5 }))
    await query(graph, people(200))
    expect(await query(graph, "g.V().values('name').count()")).toEqual(["200"])
    expect(cluster.mostInFlight).toBe(5)
    await graph.close()
  })

  it("are at most its part of the back-pressure limit in one of several worker processes", async () => {
    const cluster = new FakeCluster()
    let workers = 1
    const graph = await cellGraph(await cluster.store({ backPressureLimit: 9, workers: () => workers }))
    workers = 3
    cluster.mostInFlight = 0
    await query(graph, people(200))
    expect(await query(graph, "g.V().values('name').count()")).toEqual(["200"])
    expect(cluster.mostInFlight).toBe(3)
    workers = 20
    cluster.mostInFlight = 0
    expect(await query(graph, "g.V().values('name').count()")).toEqual(["200"])
    expect(cluster.mostInFlight).toBe(1)
    await graph.close()
  })

  it("are sent together for all reads of a step", async () => {
    const cluster = new FakeCluster()
    const grouping = { allowed: false, limit: 100, least: 2 }
    const graph = await cellGraph(await cluster.store({ grouping }))
    await query(graph, `${people(100)}.as('p').addV('thing').addE('of').to('p')`)
    const ids = (await query(graph, "g.V().hasLabel('person').id()")).join()
    cluster.mostInFlight = 0
    expect(await query(graph, `g.V(${ids}).in('of').count()`)).toEqual(["100"])
    expect(cluster.mostInFlight).toBeGreaterThanOrEqual(100)
    await graph.close()
  })

  it("are not sent any more when the transaction that asked for them has ended", async () => {
    const cluster = new FakeCluster()
    const grouping = { allowed: false, limit: 100, least: 2 }
    const graph = await cellGraph(await cluster.store({ grouping, backPressureLimit: 8 }, new Sent(), QUIET))
    await query(graph, people(400))
    const release: Array<() => void> = []
    cluster.weather = () => new Promise((resolve) => release.push(resolve))
    for (const script of ["g.V(ids).values('name')", "g.V().count()"]) {
      cluster.weather = async () => undefined
      const ids = (await query(graph, "g.V().id()")).join()
      cluster.weather = () => new Promise((resolve) => release.push(resolve))
      const before = cluster.requests
      const transaction = graph.begin()
      const running = runLater(graph, script.replace("ids", ids), { as: text, transaction }).catch(() => undefined)
      await expect.poll(() => release.length).toBeGreaterThan(0)
      transaction.rollback()
      const sent = cluster.requests - before
      expect(sent).toBeLessThanOrEqual(8)
      cluster.weather = async () => undefined
      for (const each of release.splice(0)) each()
      await running
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(cluster.requests - before).toBe(sent)
    }
    await graph.close()
  })

  it("fail without an answer, as do those that wait for them, and the graph recovers with the cluster", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store({ backPressureLimit: 4, requestTimeout: 1500 }))
    await query(graph, people(3))
    cluster.weather = () => new Promise(() => undefined)
    const scripts = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? "g.V().count()" : "g.addV('person')"))
    const ended = await Promise.allSettled(scripts.map((script) => query(graph, script)))
    for (const each of ended) {
      expect(each.status).toBe("rejected")
      if (each.status === "rejected" && !(each.reason instanceof CommitOutcomeUnknown)) {
        expect(each.reason).toBeInstanceOf(StorageUnavailable)
      }
    }
    cluster.weather = async () => undefined
    await query(graph, "g.addV('person')")
    expect(await query(graph, "g.V().hasLabel('person').count()")).toEqual(["4"])
    await graph.close()
  })

  it("that fail during a commit leave its outcome unknown, and the next commit succeeds", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, people(1))
    let writes = 0
    const failing = (error: Error) => async (statement: string) => {
      if (!statement.includes('"edgestore"') || statement.startsWith("SELECT")) return
      writes++
      throw error
    }
    for (const [code, words] of [
      [undefined, "no replica answers"],
      [0x1100, "replicas that the consistency level asks for answered in time"]
    ] as const) {
      writes = 0
      cluster.weather = failing(Object.assign(new Error("no replica answers"), { code }))
      const error = await query(graph, people(2)).catch((cause: Error) => cause)
      expect(error).toBeInstanceOf(CommitOutcomeUnknown)
      const { message } = error as Error
      expect(message).toContain(words)
      expect(message).toContain("may have been applied, in part or as a whole")
      expect(message).not.toMatch(/run the request again/i)
      // Each row was written once.
      expect(writes).toBe(2)
    }
    cluster.weather = async () => undefined
    await query(graph, people(2))
    expect(await query(graph, "g.V().count()")).toEqual(["3"])
    await graph.close()
  })

  it("that the cluster refuses at the first write of a commit leave it rolled back", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, people(1))
    cluster.weather = async (statement) => {
      if (!statement.startsWith("SELECT")) throw Object.assign(new Error("no MODIFY"), { code: 0x2100 })
    }
    const refused = await query(graph, "g.V().drop()").catch((cause: Error) => cause)
    expect(refused).toBeInstanceOf(StorageUnavailable)
    expect((refused as Error).message).toContain("Grant it SELECT and MODIFY")
    // A refusal after another write leaves the outcome unknown.
    let writes = 0
    cluster.weather = async (statement) => {
      if (statement.startsWith("SELECT") || !/"(?:edgestore|graphindex)"/.test(statement)) return
      if (writes++ > 0) throw Object.assign(new Error("no MODIFY"), { code: 0x2100 })
    }
    await expect(query(graph, people(3))).rejects.toBeInstanceOf(CommitOutcomeUnknown)
    cluster.weather = async () => undefined
    await graph.close()
  })

  it("that find too few replicas at the first write of a commit leave it rolled back", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, people(1))
    let writes = 0
    let first = 0
    cluster.weather = async (statement) => {
      if (statement.startsWith("SELECT") || !/"(?:edgestore|graphindex)"/.test(statement)) return
      if (writes++ >= first) throw Object.assign(new Error("too few"), { code: 0x1000, required: 2, alive: 1 })
    }
    const error = await query(graph, people(2)).catch((cause: Error) => cause)
    expect(error).toBeInstanceOf(StorageUnavailable)
    expect((error as Error).message).toContain("only 1 of the 2 replicas that the consistency level asks for are up")
    expect((error as Error).message).toContain("run the request again")
    // Another write was applied.
    writes = 0
    first = 1
    await expect(query(graph, people(2))).rejects.toBeInstanceOf(CommitOutcomeUnknown)
    cluster.weather = async () => undefined
    await graph.close()
  })

  it("that fail after the commit of a schema report that it is committed", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    const other = await cellGraph(await cluster.store())
    await graph.management.createIndex("name", "vertex")
    const idOf = ({ indexes }: Schema) => indexes.find(({ name }) => name === "vertex:name")!.id
    const editor = await graph.management.edit()
    editor.setConsistency(idOf(editor.schema), "LOCK")
    cluster.weather = async (statement) => {
      if (statement.includes('"systemlog"') && !statement.startsWith("SELECT")) throw new Error("no replica answers")
    }
    const error = await graph.management.commit(editor).catch((cause: Error) => cause)
    expect(error).toBeInstanceOf(FailedAfterCommit)
    expect((error as Error).message).toContain("The changes are committed")
    cluster.weather = async () => undefined
    // The server itself uses the changed schema.
    const reader = await cellGraph(await cluster.store())
    for (const each of [graph, reader]) {
      const schema = await each.management.schema()
      expect(schema.modifiers.consistencies.get(idOf(schema))).toBe("LOCK")
    }
    for (const each of [reader, other, graph]) await each.close()
  })

  it("read rows and slices of many pages completely", async () => {
    const cluster = new FakeCluster()
    const graph = await cellGraph(await cluster.store())
    await query(graph, people(2500))
    await query(graph, "g.addV('hub').as('h').V().hasLabel('person').addE('to').from('h')")
    expect(await query(graph, "g.V().count()")).toEqual(["2501"])
    expect(await query(graph, "g.V().hasLabel('hub').out('to').count()")).toEqual(["2500"])
    expect(await query(graph, "g.E().count()")).toEqual(["2500"])
    await query(graph, "g.V().hasLabel('hub').drop()")
    expect(await query(graph, "g.E().count()")).toEqual(["0"])
    await graph.close()
  })
})
