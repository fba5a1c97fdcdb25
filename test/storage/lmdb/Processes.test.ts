import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { expect, it, onTestFinished, vi } from "vitest"
import { dataTypeOf } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { eventually } from "../../Eventually.ts"
import { newFolder } from "../../Folders.ts"
import { MANY_COMMITS_MS } from "../../Limits.ts"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { runLater } from "../../process/run.ts"
import { settled } from "../Completion.ts"
import { findingsIn } from "../janusgraph/Findings.ts"
import { drain } from "../Reads.ts"
import { change } from "./SharedChanger.ts"
import { openShared, type Shared, share } from "./SharedWriter.ts"

const ROUNDS = 60

const vertices = (graph: Awaited<ReturnType<typeof openShared>>): number | undefined => {
  const transaction = graph.begin()
  const count = transaction.counts.vertices(null)
  transaction.rollback()
  return count
}

it.each([
  ["in transactions of their own", "Infinity"],
  ["in shared transactions", "0"]
])(
  "Two processes of one server write the same graph %s without losing updates or duplicating ids, types or unique values",
  async (_, slowSync) => {
    vi.stubEnv("SLOW_SYNC", slowSync)
    onTestFinished(() => void vi.unstubAllEnvs())
    const directory = newFolder()
    const graph = await openShared(directory, "first")
    await graph.management.createIndex("number", "vertex", { unique: true })
    const begun = graph.begin()
    const counter = begun.addVertex("counter", undefined)
    begun.setVertexProperty(counter, null, "value", 0)
    await settled(begun.commit())

    const bundle = await bundled({ SharedWriter: "test/storage/lmdb/SharedWriter.ts" })
    const args = [join(bundle, "SharedWriter.mjs"), directory, String(counter), "second", String(ROUNDS)]
    const child = promisify(execFile)(process.execPath, args)
    onTestFinished(() => {
      child.child.kill("SIGKILL")
    })
    // Wait for the first commit of the other process, so that both write at the same time.
    const both = async () => {
      await eventually(() => vertices(graph) !== 1)
      return share(graph, counter, "first", ROUNDS)
    }
    const [first, { stdout }] = await Promise.all([both(), child])
    const second: Shared = JSON.parse(stdout)

    // Both have had conflicts with the other one and have repeated transactions.
    expect(first.conflicts + second.conflicts).toBeGreaterThan(0)
    expect(new Set([...first.vertices, ...second.vertices]).size).toBe(2 * ROUNDS)
    expect([...first.taken, ...second.taken].sort((a, b) => a - b)).toEqual(Array.from({ length: ROUNDS }, (_, i) => i))
    const after = graph.begin()
    expect(after.vertexReader("value").value(counter)).toBe(2 * ROUNDS)
    expect(after.degree(counter, "IN", null)).toBe(2 * ROUNDS)
    expect([after.counts.vertices(null), after.counts.edges(null)]).toEqual([1 + 3 * ROUNDS, 2 * ROUNDS])
    expect(drain(after.scanVertices(null)).length).toBe(1 + 3 * ROUNDS)
    const keys = drain(after.scanVertices(null)).flatMap((ref) => after.vertexKeys(ref))
    expect(new Set(keys)).toEqual(new Set(["value", "number", ...[0, 1, 2, 3, 4].map((number) => `key${number}`)]))
    after.rollback()
    await graph.close()
  }
)

it(
  "Indexes are complete while one process creates, builds, disables, enables and drops them and another process writes",
  async () => {
    const directory = newFolder()
    const graph = await openShared(directory, "first")
    const { management } = graph
    const types = await management.edit()
    for (const [name, type] of Object.entries({ word: "String", size: "Integer" })) {
      types.makeKey(name, dataTypeOf(type), "SINGLE")
    }
    types.makeLabel("joins", "MULTI", false, [])
    await management.commit(types)
    const bundle = await bundled({ SharedChanger: "test/storage/lmdb/SharedChanger.ts" })
    const child = spawn(process.execPath, [join(bundle, "SharedChanger.mjs"), directory], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    onTestFinished(() => {
      child.kill("SIGKILL")
    })
    await once(child.stdout, "data")
    let over = false
    const own = change(graph, () => over)

    const make = async (name: string): Promise<void> => {
      const editor = await management.edit()
      const [word, size] = [editor.key("word")!, editor.key("size")!]
      const index = { name, unique: false, element: "vertex" } as const
      if (name === "exact") editor.makeIndex({ ...index, kind: "equality", keys: [word, size] })
      else if (name === "edges") editor.makeIndex({ ...index, element: "edge", kind: "ordered", keys: [size] })
      else editor.makeIndex({ ...index, kind: "mixed", keys: [word], mappings: ["TEXTSTRING"] })
      await management.commit(editor)
      await management.built(name)
    }
    const idOf = (name: string): number => graph.core.schema.indexes.find((index) => index.name === name)!.id
    for (let round = 0; round < 2; round++) {
      for (const name of ["exact", "edges", "words"]) await make(name)
      const editor = await management.edit()
      editor.makeRelationIndex(editor.label("joins")!, `bySize${round}`, "BOTH", round % 2 === 0, [editor.key("size")!])
      const words = editor.schema.indexes.find(({ name }) => name === "words")!
      editor.addIndexKey(words, editor.key("size")!)
      await management.commit(editor)
      await management.built("words")
      await management.setStatus(idOf("exact"), "DISABLED")
      await setTimeout(5)
      await management.enable(idOf("exact"))
      await management.rebuild(idOf("edges"))
      if (round < 1) for (const name of ["exact", "edges", "words"]) await management.drop(idOf(name))
    }
    for (const { type } of graph.core.schema.relationIndexes) await management.done(type.id)
    over = true
    child.stdin.write("stop\n")
    const [[said]] = await Promise.all([once(child.stdout, "data"), once(child, "exit")])
    expect(Number(String(said))).toBeGreaterThan(0)
    expect(await own).toBeGreaterThan(0)

    const transaction = graph.begin({ readOnly: true })
    expect(graph.core.schema.indexes.map(({ status }) => status)).toEqual(["ENABLED", "ENABLED", "ENABLED"])
    for (const condition of [
      "has('word', 'word 1').has('size', 3)",
      "has('word', textContains('2'))",
      "has('size', 4)"
    ]) {
      const counts = await Promise.all(
        ["g.V()", "g.V().fold().unfold()"].map((from) =>
          runLater(graph, `${from}.${condition}.count()`, { transaction })
        )
      )
      expect(counts[0]).toEqual(counts[1])
    }
    transaction.rollback()
    expect(findingsIn(graph.core)).toEqual([])
    await graph.close()
  },
  MANY_COMMITS_MS
)
