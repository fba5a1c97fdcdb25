import { describe, expect, it, onTestFinished, vi } from "vitest"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import { logPrefix } from "../../../../src/storage/janusgraph/documents/LogEntry.ts"
import { eventually } from "../../../layers/support/TestServers.ts"
import type { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { breakProperty, open, opened } from "./DocumentGraphs.ts"

describe("More documents than may wait in memory", () => {
  it("wait in the log, and are written when the engine answers again", async () => {
    const { cluster, engine } = await opened()
    const { ask, graph } = await open(cluster, engine.port, {}, {}, { limits: { maxWaiting: 4 } })
    engine.fault = ({ path }) => (path === "/_bulk" ? { status: 503 } : undefined)
    for (let age = 1; age <= 20; age++) await ask(`g.addV().property('age', ${age})`)
    expect(graph.core.documents!.waiting).toBe(4)
    await expect(ask("g.V().has('age', 20)")).rejects.toThrow("more than 4 documents wait for the search engine")
    // An element whose changes are many entries counts as often.
    for (let code = 0; code < 10; code++)
      await ask(`g.V().hasId(${(await ask("g.V().limit(1).id()"))[0]}).property('code', '${code}')`)
    engine.fault = () => undefined
    await eventually(() => engine.documents("janusgraph_people").length === 20)
    await eventually(() => engine.documents("janusgraph_people").some(({ code }) => code === "9"))
    // Searches are refused until the log is empty, too, which is later than the last document.
    const search = () => ask("g.V().has('age', 20).count()").catch(() => [])
    await expect.poll(search).toEqual(["1"])
    await eventually(() => graph.core.documents!.waiting === 0)
    await graph.core.documents!.flush()
    // Another start finds nothing to do.
    const next = await open(cluster, engine.port)
    const count = engine.received.length
    await next.graph.core.documents!.recover()
    expect(next.graph.core.documents!.waiting).toBe(0)
    expect(engine.received.length).toBe(count)
  })

  it("are left to the next start by a process that ends", async () => {
    const { cluster, engine } = await opened()
    const { ask, graph } = await open(cluster, engine.port, {}, {}, { limits: { maxWaiting: 4 } })
    engine.fault = () => ({ status: 503 })
    for (let age = 1; age <= 10; age++) await ask(`g.addV().property('age', ${age})`)
    await graph.close()
    engine.fault = () => undefined
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    await eventually(() => engine.documents("janusgraph_people").length === 10)
  })
})

describe("A document that the engine refuses for long", () => {
  it("does not keep readers of the log at its old entry", async () => {
    const { ask, cluster, engine, graph, told } = await opened()
    await ask("g.addV().property('age', 1)")
    const [id] = await ask("g.V().id()")
    await breakProperty(graph, BigInt(id!), "age")
    await ask(`g.V(${id}).property('code', 'a')`)
    await eventually(() => told.refused.length > 0)
    const entriesOf = () => cluster.cells("engine_ranges").filter(({ key }) => key[0] === 0x80 && key.length > 1)
    const [before] = entriesOf()
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 7_200_000 })
    onTestFinished(() => void vi.useRealTimers())
    await ask("g.addV().property('age', 2)")
    await graph.core.documents!.flush()
    const entries = entriesOf()
    expect(entries.map(({ value }) => value.toString())).toEqual([before!.value.toString()])
    const [{ value: checkpoint }] = cluster.cells("engine_ranges").filter(({ key }) => key.length === 1) as [Cell]
    expect(checkpoint.readBigUInt64BE() - before!.column.readBigUInt64BE()).toBeGreaterThan(7_000_000_000n)
    expect(entries[0]!.column.readBigUInt64BE()).toBeGreaterThanOrEqual(checkpoint.readBigUInt64BE())
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    await eventually(() => next.told.refused.length > 0)
  })
})

type Cell = ReturnType<FakeCluster["cells"]>[number]

describe("Documents that another process has left, and that are more than may wait in memory", () => {
  it("keep searches from an incomplete answer, and are written one after another", async () => {
    const { cluster, engine } = await opened()
    const { ask, graph } = await open(cluster, engine.port)
    engine.fault = ({ path }) => (path === "/_bulk" ? { status: 503 } : undefined)
    for (let age = 1; age <= 10; age++) await ask(`g.addV().property('age', ${age})`)
    await graph.close()
    const next = await open(cluster, engine.port, {}, {}, { limits: { maxWaiting: 4 } })
    await next.graph.core.documents!.recover()
    await expect(next.ask("g.V().has('age', 10).count()")).rejects.toThrow("more than 4 documents wait")
    engine.fault = () => undefined
    await eventually(() => engine.documents("janusgraph_people").length === 10)
    await expect.poll(() => next.ask("g.V().has('age', 10).count()").catch(() => [])).toEqual(["1"])
  })
})

describe("A process that ends before it has written its documents", () => {
  it("leaves them to the next start although the first read of the log fails in the middle", async () => {
    const { cluster, engine } = await opened()
    engine.fault = () => ({ status: 503 })
    for (let age = 1; age <= 2; age++) {
      const { ask, graph } = await open(cluster, engine.port)
      await ask(`g.addV().property('age', ${age})`)
      await graph.close()
    }
    engine.fault = () => undefined
    const next = await open(cluster, engine.port)
    let reads = 0
    cluster.weather = async (statement) => {
      // The first read is of the list of instances, the second one of the first instance.
      if (statement.includes('"engine_ranges"') && ++reads === 3) throw new Error("no replica answers")
    }
    await next.graph.core.documents!.recover()
    cluster.weather = async () => undefined
    expect(next.told.unread).toEqual([expect.stringMatching(/row of the instance .* was not read.*no replica answers/)])
    await eventually(() => engine.documents("janusgraph_people").length === 1)
    await next.graph.core.documents!.recover()
    await eventually(() => engine.documents("janusgraph_people").length === 2)
  })

  it("leaves them to the next start", async () => {
    const { ask, cluster, engine, graph } = await opened()
    engine.fault = () => ({ status: 503 })
    await ask("g.addV().property('age', 1).as('p').addE('knows').to('p').property('weight', 2.5d)")
    await ask("g.V().has('free', 'none').drop()")
    expect(graph.core.documents!.waiting).toBe(2)
    engine.fault = () => undefined
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    await eventually(() => engine.documents("janusgraph_people").length === 1)
    await eventually(() => engine.documents("janusgraph_ties").length === 1)
    expect(next.told.failures).toEqual([])
  })

  it("leaves them to the next start although the log has a cell that is not an entry", async () => {
    const { ask, cluster, engine, graph } = await opened()
    engine.fault = () => ({ status: 503 })
    await ask("g.addV().property('age', 1)")
    engine.fault = () => undefined
    const cells: ReadonlyArray<readonly [row: string, column: Buffer, value: string]> = [
      ["", Buffer.from("!other"), "\0\0\0\0\0\0\0\0"],
      ["!other", Buffer.alloc(12, 1), "{"],
      ["!other", Buffer.alloc(12, 2), "[[1]]"],
      ["!other", Buffer.alloc(3, 3), "[]"],
      ["", Buffer.from("!short"), "x"]
    ]
    await Pending.toPromise(
      graph.core.cells.commit((batch) => {
        for (const [row, column, value] of cells) {
          const key = Buffer.concat([logPrefix(), Buffer.from(row)])
          batch.change("engine_ranges", key, [{ column, value: Buffer.from(value) }])
        }
      })
    )
    await graph.close()
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    await next.graph.core.documents!.recover()
    await eventually(() => engine.documents("janusgraph_people").length === 1)
    expect(next.told.unread).toHaveLength(3)
    expect(next.told.unread[0]).toContain(
      "of the instance !other in the log of documents (engine_ranges) is not an entry"
    )
  })

  it("reports each time that it cannot read the log", async () => {
    const { cluster, graph, told } = await opened()
    cluster.weather = async (statement) => {
      if (statement.includes('"engine_ranges"')) throw new Error("no replica answers")
    }
    await graph.core.documents!.recover()
    await graph.core.documents!.recover()
    expect(told.unread).toHaveLength(2)
    expect(told.unread[0]).toContain("no replica answers")
    cluster.weather = async () => undefined
  })

  it("reads the log no more after its end", async () => {
    const { cluster, graph, told } = await opened()
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    let reads = 0
    cluster.weather = async (statement) => {
      if (!statement.includes('"engine_ranges"')) return
      reads++
      await gate
    }
    const recovery = graph.core.documents!.recover()
    await eventually(() => reads > 0)
    await graph.core.documents!.close()
    const timers = vi.spyOn(globalThis, "setTimeout")
    release()
    await recovery
    expect(timers.mock.calls.filter(([, pause]) => pause === 600_000)).toEqual([])
    timers.mockRestore()
    expect(told.unread).toEqual([])
  })

  it("ends the commits that wait for them, and reports no failure", async () => {
    const { ask, engine, graph, told } = await opened()
    engine.fault = () => "silent"
    const adding = ask("g.addV().property('age', 1)")
    await eventually(() => engine.received.length > 0)
    await graph.core.documents!.close()
    await adding
    expect(told.failures).toEqual([])
  })

  it("leaves nothing when they are written", async () => {
    const { ask, cluster, engine, graph } = await opened()
    await ask("g.addV().property('age', 1)")
    await graph.core.documents!.flush()
    const count = engine.received.length
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    expect(next.graph.core.documents!.waiting).toBe(0)
    expect(engine.received.length).toBe(count)
  })
})
