import { execFile } from "node:child_process"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { bundled } from "../../layers/support/ServerProcess.ts"
import { drain } from "../Reading.ts"
import { settled } from "../Settling.ts"
import { openShared, type Shared, share } from "./SharedWriter.ts"
import { newFolder } from "./Stores.ts"

const ROUNDS = 60

const vertices = (graph: Awaited<ReturnType<typeof openShared>>): number | undefined => {
  const transaction = graph.begin()
  const count = transaction.counts.vertices(null)
  transaction.rollback()
  return count
}

it("two processes of one server write one graph: no update, id, type or unique value is lost or given twice", async () => {
  const directory = newFolder()
  const graph = await openShared(directory, "first")
  await graph.management.createIndex("number", "vertex", { unique: true })
  const begun = graph.begin()
  const counter = begun.addVertex("counter", undefined)
  begun.setVertexProperty(counter, null, "value", 0, undefined, null)
  await settled(begun.commit())

  const bundle = await bundled({ SharedWriter: "test/storage/lmdb/SharedWriter.ts" })
  const args = [join(bundle, "SharedWriter.mjs"), directory, String(counter), "second", String(ROUNDS)]
  const child = promisify(execFile)(process.execPath, args)
  // The other process needs a while to start: both write at once only from its first commit on.
  const both = async () => {
    while (vertices(graph) === 1) await setTimeout(1)
    return share(graph, counter, "first", ROUNDS)
  }
  const [first, { stdout }] = await Promise.all([both(), child])
  const second: Shared = JSON.parse(stdout)

  // Each saw what the other had changed since, and began anew.
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
})
