import { describe, expect, it, vi } from "vitest"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import { directory, rowOf } from "../../../../src/storage/janusgraph/documents/LogCells.ts"
import { columnOf, type Touched, timeBytes } from "../../../../src/storage/janusgraph/documents/LogEntry.ts"
import type { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { open, opened } from "./DocumentGraphs.ts"

/** Writes old entries into the log as an instance that has ended has left them. */
const leave = ({ core }: CellGraph, instance: string, entries: ReadonlyArray<ReadonlyArray<Touched>>) =>
  Pending.toPromise(
    core.cells.commit((batch) => {
      batch.change("engine_ranges", directory, [{ column: Buffer.from(instance), value: timeBytes(1n) }])
      const cells = entries.map((touched, at) => {
        return { column: columnOf(BigInt(at + 1), 0), value: Buffer.from(JSON.stringify(touched)) }
      })
      batch.change("engine_ranges", rowOf(instance), cells)
    })
  )

const indexOf = ({ core }: CellGraph): number => core.schema.engineIndexes.find(({ name }) => name === "People")!.id

/** The entries of the log that an instance has left. */
const entriesOf = (cluster: FakeCluster, instance: string) =>
  cluster.cells("engine_ranges").filter(({ key }) => key.equals(rowOf(instance)))

const search = "g.V().has('age', 1).count()"

/** Fails, or delays, the reads of the log that `when` chooses. */
const atReads = (cluster: FakeCluster, when: (read: number) => Promise<void> | undefined) => {
  let reads = 0
  cluster.weather = async (statement) => {
    if (statement.startsWith("SELECT") && statement.includes('"engine_ranges"')) await when(++reads)
  }
}

const unreadable = () => Promise.reject(new Error("no replica answers"))

describe("The documents that another instance has left", () => {
  it("are read after the graph has opened if they are many, and searches wait for them", async () => {
    const { cluster, engine, graph } = await opened()
    const names = Array.from(
      { length: 500 },
      (_, at): ReadonlyArray<Touched> => [[indexOf(graph), `gone${at}`, "search"]]
    )
    await leave(graph, "!left", names)
    await graph.close()
    const next = await open(cluster, engine.port)
    let goOn: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      goOn = resolve
    })
    // The first read is of the directory, the second one of the beginning of the row.
    atReads(cluster, (read) => (read > 2 ? released : undefined))
    await next.graph.core.documents!.recover()
    await expect(next.ask(search)).rejects.toThrow("the server reads the documents that wait from its log")
    goOn()
    await expect.poll(() => next.ask(search).catch(() => [])).toEqual(["0"])
    await expect.poll(() => next.graph.core.documents!.waiting).toBe(0)
    await next.graph.core.documents!.flush()
    expect(entriesOf(cluster, "!left")).toEqual([])
  })

  it("stop no search if they are for an index backend that the graph no longer has", async () => {
    const { cluster, engine, graph } = await opened()
    const index = indexOf(graph)
    const other: Touched = [index, "other", "removed"]
    await leave(graph, "!left", [...Array(300).fill([other]), [other, [index, "here", "search"]]])
    await graph.close()
    const next = await open(cluster, engine.port, {}, {}, { limits: { maxWaiting: 4 } })
    const documents = next.graph.core.documents!
    await documents.recover()
    await expect.poll(() => next.ask(search).catch(() => [])).toEqual(["0"])
    await expect.poll(() => documents.waiting).toBe(0)
    const count = engine.received.length
    await documents.recover()
    expect(await next.ask(search)).toEqual(["0"])
    expect(engine.received.slice(count).filter(({ path }) => path === "/_bulk")).toEqual([])
    // The graph may get the backend again.
    await documents.flush()
    expect(entriesOf(cluster, "!left")).toHaveLength(301)
    expect(cluster.cells("engine_ranges").map(({ column }) => column.toString())).toContain("!left")
  })

  it.each([
    ["the list of instances", 1],
    ["the row of an instance", 2]
  ])("stop searches while %s is not read, which is tried again soon", async (_, failing) => {
    const { cluster, engine, graph } = await opened()
    await leave(graph, "!left", [[[indexOf(graph), "gone", "search"]]])
    await graph.close()
    const next = await open(cluster, engine.port)
    const documents = next.graph.core.documents!
    const timers = vi.spyOn(globalThis, "setTimeout")
    const pauses = () =>
      timers.mock.calls.map(([, pause]) => pause).filter((pause) => [1000, 2000, 4000].includes(pause!))
    for (const tried of [1, 2]) {
      atReads(cluster, (read) => (read === failing ? unreadable() : undefined))
      await documents.recover()
      await expect(next.ask(search)).rejects.toThrow(/log of the documents that wait was not read.*no replica answers/)
      await expect.poll(pauses).toEqual([1000, 2000].slice(0, tried))
    }
    timers.mockRestore()
    cluster.weather = async () => undefined
    await documents.recover()
    await expect.poll(() => next.ask(search).catch(() => [])).toEqual(["0"])
  })
})
