import { statSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it, vi } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { openCellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import { defaultCellGraphOptions } from "../../../src/storage/janusgraph/Options.ts"
import { Environment } from "../../../src/storage/lmdb/Environment.ts"
import { newFolder } from "../../Folders.ts"
import { CONDITION_MS, PROCESSES_MS } from "../../Limits.ts"
import { settled } from "../Completion.ts"
import { otherProcess } from "./OtherProcess.ts"
import { openShared } from "./SharedWriter.ts"
import { lmdbStore } from "./Stores.ts"

const LIMIT = { timeout: CONDITION_MS }

/** Commits that make the files larger than the part that LMDB has mapped, and vertices of each. */
const GROWING_COMMITS = 4
const GROWING_VERTICES = 3_000

/** Adds a vertex as the machine does: it waits for ids before a step that writes. */
const add = async (graph: CellGraph, label = "added"): Promise<void> => {
  const transaction = graph.begin()
  const ids = transaction.newIds?.()
  if (ids !== undefined) await settled(ids)
  transaction.addVertex(label, undefined)
  await settled(transaction.commit())
}

const count = (graph: CellGraph): number | undefined => {
  const transaction = graph.begin({ readOnly: true })
  const found = transaction.counts.vertices(null)
  transaction.rollback()
  return found
}

describe("A process of a server", () => {
  it(
    "runs its event loop and reads while its commits wait for a long commit of another process",
    async () => {
      const directory = newFolder()
      const graph = await openShared(directory, "first")
      const other = await otherProcess(directory, "second")
      await add(graph)
      const { done } = await other.begin("long 4000")
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      // Blocks of ten ids: these commits need claims, one of them is a commit in slices, and one makes types.
      const waiting = Array.from({ length: 40 }, (_, index) => add(graph, `label${index % 3}`))
      const transaction = graph.begin()
      const ids = transaction.newIds?.()
      const long = (async () => {
        if (ids !== undefined) await settled(ids)
        const commit = graph.core.cells.commitLong(function* () {
          yield
        })
        await settled(commit)
        transaction.rollback()
      })()
      let reads = 0
      let isOver = false
      const over = done.then(() => {
        isOver = true
      })
      // The commits that waited may be done before this process hears that the other one has ended its own.
      while (!isOver && count(graph) === 1) {
        reads++
        await sleep(5)
      }
      delay.disable()
      await over
      await Promise.all([...waiting, long])
      expect(count(graph)).toBe(41)
      expect(reads).toBeGreaterThan(20)
      // A commit that blocks would block for what is left of the four seconds.
      expect(delay.max / 1e6).toBeLessThan(2000)
      await graph.close()
    },
    PROCESSES_MS
  )

  it(
    "goes on when another process is killed in a transaction, and keeps all answered commits",
    async () => {
      const directory = newFolder()
      const graph = await openShared(directory, "first")
      for (let round = 0; round < 3; round++) {
        const other = await otherProcess(directory, `other${round}`)
        await other.run("add 5")
        await other.begin("hang")
        const waiting = add(graph)
        await sleep(50)
        await other.kill()
        await waiting
        expect(count(graph)).toBe(6 * (round + 1))
      }
      await graph.close()
    },
    PROCESSES_MS
  )

  it(
    "says which process is stopped while commits wait for it, goes on reading, and commits when that one is killed",
    async () => {
      const directory = newFolder()
      const notices: Array<string> = []
      const store = await lmdbStore({
        directory,
        server: "shared",
        notice: 200,
        onWait: (text) => notices.push(text)
      })
      const graph = await openCellGraph(store, { ...defaultCellGraphOptions, name: "shared" }, "first")
      await add(graph)
      const other = await otherProcess(directory, "second")
      await other.begin("hang")
      other.child.kill("SIGSTOP")
      const waiting = add(graph)
      await vi.waitFor(
        () =>
          expect(notices.at(-1)).toMatch(
            new RegExp(
              `have waited for LMDB's write lock .* Process ${other.child.pid} (may hold|holds) it\\. It is stopped\\. Continue it`
            )
          ),
        LIMIT
      )
      expect(count(graph)).toBe(1)
      await other.kill()
      await waiting
      expect(count(graph)).toBe(2)
      const told = notices.length
      await sleep(500)
      expect(notices.length).toBe(told)
      await graph.close()
    },
    PROCESSES_MS
  )

  it(
    "reads its snapshot, the new contents, and writes, when another process has made the files much larger",
    async () => {
      const directory = newFolder()
      const graph = await openShared(directory, "first")
      await add(graph)
      const bytes = (): number => statSync(`${directory}/graph.mdb`).size
      const before = bytes()
      const transaction = graph.begin({ readOnly: true })
      expect(transaction.counts.vertices(null)).toBe(1)
      const other = await otherProcess(directory, "second")
      for (let i = 0; i < GROWING_COMMITS; i++) await other.run(`add ${GROWING_VERTICES}`)
      expect(bytes()).toBeGreaterThan(4 * before)
      expect(transaction.counts.vertices(null)).toBe(1)
      transaction.rollback()
      expect(count(graph)).toBe(1 + GROWING_COMMITS * GROWING_VERTICES)
      await add(graph)
      await other.run("add 1")
      expect(count(graph)).toBe(3 + GROWING_COMMITS * GROWING_VERTICES)
      await graph.close()
    },
    PROCESSES_MS
  )

  it(
    "frees the snapshots of a process that was killed",
    async () => {
      const directory = newFolder()
      const graph = await openShared(directory, "first")
      await add(graph)
      const other = await otherProcess(directory, "second")
      await other.begin("read")
      // The handle of the test frees snapshots when it is opened, so it is opened before.
      const environment = new Environment({ directory, sync: "none", readOnly: false })
      const isThere = (): boolean =>
        environment.root
          .readerList()
          .split("\n")
          .some((line) => line.trim().split(/\s+/)[0] === String(other.child.pid))
      expect(isThere()).toBe(true)
      await other.kill()
      await vi.waitFor(() => expect(isThere()).toBe(false), LIMIT)
      await environment.close()
      await graph.close()
    },
    PROCESSES_MS
  )
})
