import { describe, expect, it } from "vitest"
import { requestFailure } from "../../../src/storage/cassandra/Failures.ts"
import { SharedBatches } from "../../../src/storage/cassandra/SharedBatches.ts"
import { StatementText } from "../../../src/storage/cassandra/Statements.ts"
import type { UnsizedBatch, WriteBatch } from "../../../src/storage/cassandra/WriteBatches.ts"
import { runLater } from "../../process/run.ts"
import { cellGraph } from "../janusgraph/Graphs.ts"
import { Sent } from "./CountedClient.ts"
import { FakeCluster } from "./FakeCluster.ts"

const SIZE = 5

/** Shared batches, and the texts of the statements of each batch that was sent. `send` may fail. */
const shared = (send: (texts: string) => void = () => undefined) => {
  const sent: Array<string> = []
  const batches = new SharedBatches(SIZE, ({ statements }: UnsizedBatch, written, failed) => {
    const texts = statements.map(({ cql }) => cql.text).join("")
    sent.push(texts)
    try {
      send(texts)
      written()
    } catch (cause) {
      failed(cause)
    }
  })
  return { batches, sent }
}

const mutation = (row: string, texts: string, bytes = 10): WriteBatch => ({
  table: "graphindex",
  key: Buffer.from(row),
  statements: [...texts].map((text) => ({ cql: new StatementText(text), parameters: [] })),
  bytes
})

const writeAll = (batches: SharedBatches, all: ReadonlyArray<WriteBatch>): Promise<ReadonlyArray<string>> =>
  Promise.all(
    all.map((each) =>
      batches.write(each).then(
        () => "done",
        (error: unknown) => (error as Error).constructor.name
      )
    )
  )

const refused = requestFailure("cql", "written", Object.assign(new Error("no"), { code: 0x2200 }))
const late = requestFailure("cql", "written", Object.assign(new Error("no"), { name: "OperationTimedOutError" }))

describe("Mutations that are written in one turn", () => {
  it("share a batch if they are of the same row", async () => {
    const { batches, sent } = shared()
    const all = [mutation("a", "1"), mutation("b", "2"), mutation("a", "34"), mutation("a", "5")]
    expect(await writeAll(batches, all)).toEqual(["done", "done", "done", "done"])
    await Promise.all([batches.write({ ...mutation("a", "6"), table: "edgestore" }), batches.write(mutation("a", "7"))])
    expect(sent).toEqual(["1345", "2", "6", "7"])
  })

  it("are not divided, and their batches are no longer than others", async () => {
    const { batches, sent } = shared()
    await writeAll(batches, [mutation("a", "123"), mutation("a", "456"), mutation("a", "78"), mutation("a", "9")])
    await writeAll(batches, [mutation("a", "1", 40_000), mutation("a", "2", 40_000), mutation("a", "3", 1)])
    await writeAll(batches, [mutation("a", "1", 900_000), mutation("a", "2", 1)])
    expect(sent).toEqual(["123", "45678", "9", "1", "23", "1", "2"])
  })

  it("are written again alone if their batch is refused", async () => {
    const { batches, sent } = shared((texts) => {
      if (texts.includes("x")) throw refused
    })
    const all = [mutation("a", "1"), mutation("a", "x"), mutation("a", "2")]
    expect(await writeAll(batches, all)).toEqual(["done", "NotApplied", "done"])
    expect(sent).toEqual(["1x2", "1", "x", "2"])
  })

  it("have the outcome of their batch if it may be applied", async () => {
    const { batches, sent } = shared(() => {
      throw late
    })
    expect(await writeAll(batches, [mutation("a", "1"), mutation("a", "2")])).toEqual([
      "PerhapsApplied",
      "PerhapsApplied"
    ])
    expect(sent).toEqual(["12"])
  })
})

it("The entries of many commits in the rows of indexes share batches", async () => {
  const sent = new Sent()
  const graph = await cellGraph(await new FakeCluster().store({}, sent))
  for (const key of ["code", "kind"]) await graph.management.createIndex(key, "vertex")
  await runLater(graph, "g.addV().property('code', 'b').property('kind', 1)")
  sent.clear()
  const add = "g.addV().property('code', 'a').property('kind', 2)"
  await Promise.all(Array.from({ length: 100 }, () => runLater(graph, add)))
  // One for each vertex, and at least five for each of two rows with a hundred entries.
  expect(sent.writes).toBeGreaterThanOrEqual(110)
  expect(sent.writes).toBeLessThan(200)
  expect(await runLater(graph, "g.V().has('code', 'a').has('kind', 2).count()")).toEqual([100n])
  await graph.close()
})
