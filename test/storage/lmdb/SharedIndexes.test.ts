import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { eventually } from "../../Eventually.ts"
import { newFolder } from "../../Folders.ts"
import { settled } from "../Completion.ts"
import { findingsIn } from "../janusgraph/Findings.ts"
import { type OtherProcess, otherProcess } from "./OtherProcess.ts"
import { lmdbStore } from "./Stores.ts"

/** A graph of the server "shared", and the builds that its process has begun. */
const openWatched = async (directory: string) => {
  const begun: Array<string> = []
  const store = await lmdbStore({ directory, server: "shared" })
  const options = { ...defaultCellGraphOptions, name: "shared", idBlockSize: 1000 }
  const events = { begun: (name: string) => begun.push(name), building: () => undefined, enabled: () => undefined }
  return { graph: await openCellGraph(store, options, "first", events), begun }
}

const fill = async (graph: CellGraph, vertices: number): Promise<void> => {
  for (let at = 0; at < vertices; at += 500) {
    const transaction = graph.begin()
    for (let i = 0; i < 500; i++) {
      transaction.setVertexProperty(transaction.addVertex("row", undefined), null, "value", at + i)
    }
    await settled(transaction.commit())
  }
}

const status = async (graph: CellGraph): Promise<string | undefined> =>
  (await graph.management.schema()).indexes.find(({ name }) => name === "vertex:value")?.status

/** The index exists in all processes, one of which has built it, and is right. `begun`: the builds of this process. */
const expectOneBuild = async (
  graph: CellGraph,
  begun: ReadonlyArray<string>,
  others: ReadonlyArray<OtherProcess>
): Promise<void> => {
  expect(await status(graph)).toBe("ENABLED")
  const builds = [begun.length]
  for (const other of others) {
    expect(await other.run("statuses")).toEqual(["vertex:value ENABLED"])
    builds.push(Number(await other.run("builds")))
  }
  expect(builds.reduce((sum, each) => sum + each)).toBe(1)
  expect(findingsIn(graph.core)).toEqual([])
}

describe.each([1, 3])("An index beside %d other processes", (others) => {
  it("that all create at once is built by one of them, and known to all", async () => {
    const directory = newFolder()
    const { begun, graph } = await openWatched(directory)
    await fill(graph, 2000)
    const processes = []
    for (let i = 0; i < others; i++) processes.push(await otherProcess(directory, `other${i}`))
    await Promise.all([
      graph.management.createIndex("value", "vertex"),
      ...processes.map((other) => other.run("index"))
    ])
    await expectOneBuild(graph, begun, processes)
    expect(readdirSync(directory).filter((name) => name.startsWith("server.work"))).toEqual([])
    await graph.close()
  })

  it("whose builder is killed is built by a process that opens the graph, once", async () => {
    const directory = newFolder()
    const { begun, graph } = await openWatched(directory)
    await fill(graph, 2000)
    const builder = await otherProcess(directory, "builder")
    await builder.begin("build")
    expect(await status(graph)).toBe("REGISTERED")
    // These open the graph during the build, and wait for it.
    const processes = []
    for (let i = 0; i < others; i++) processes.push(await otherProcess(directory, `other${i}`))
    await fill(graph, 500)
    expect(await status(graph)).toBe("REGISTERED")
    await builder.kill()
    await graph.management.createIndex("value", "vertex")
    await expectOneBuild(graph, begun, processes)
    await graph.close()
  })

  it("whose builder is killed is built once, also when a process asks for it just before another has built it", async () => {
    const directory = newFolder()
    const { begun, graph } = await openWatched(directory)
    await fill(graph, 2000)
    const builder = await otherProcess(directory, "builder")
    await builder.begin("build")
    const processes = []
    for (let i = 0; i < others; i++) processes.push(await otherProcess(directory, `other${i}`))
    // This process sees the index only now. It lets others begin first, while the client already waits for the index.
    expect(await status(graph)).toBe("REGISTERED")
    await builder.kill()
    await graph.management.createIndex("value", "vertex")
    await expectOneBuild(graph, begun, processes)
    await graph.close()
  })

  it("whose builder is killed is built by a process that had the graph open before, once", async () => {
    const directory = newFolder()
    const { begun, graph } = await openWatched(directory)
    await fill(graph, 2000)
    const processes = []
    for (let i = 0; i < others; i++) processes.push(await otherProcess(directory, `other${i}`))
    const builder = await otherProcess(directory, "builder")
    await builder.begin("build")
    for (const other of processes) expect(await other.run("statuses")).toEqual(["vertex:value REGISTERED"])
    expect(await status(graph)).toBe("REGISTERED")
    await builder.kill()
    await eventually(async () => (await status(graph)) === "ENABLED")
    const builds = [begun.length]
    for (const other of processes) {
      expect(await other.run("statuses")).toEqual(["vertex:value ENABLED"])
      builds.push(Number(await other.run("builds")))
    }
    expect(builds.reduce((sum, each) => sum + each)).toBe(1)
    expect(findingsIn(graph.core)).toEqual([])
    await graph.close()
  })

  it("whose build has failed in one of them is not built, and all know why until one builds it again", async () => {
    const directory = newFolder()
    const { begun, graph } = await openWatched(directory)
    await fill(graph, 2000)
    const processes = []
    for (let i = 0; i < others; i++) processes.push(await otherProcess(directory, `other${i}`))
    await expect(processes[0]!.run("failing")).rejects.toThrow("the disk is full")
    expect(await status(graph)).toBe("REGISTERED")
    await new Promise((resolve) => setImmediate(resolve))
    const { id } = (await graph.management.schema()).indexes.find(({ name }) => name === "vertex:value")!
    await expect(graph.management.done(id)).rejects.toThrow("the disk is full")
    expect(String(graph.management.failure(id))).toContain("the disk is full")
    for (const other of processes) expect(await other.run("failure")).toContain("the disk is full")
    expect(begun).toEqual([])
    await graph.management.createIndex("value", "vertex")
    expect(await status(graph)).toBe("ENABLED")
    expect(graph.management.failure(id)).toBeUndefined()
    for (const other of processes.slice(1)) expect(await other.run("failure")).toBe("undefined")
    await graph.close()
  })
})
