import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import { entryFits } from "../../../../src/storage/janusgraph/commit/NameLengths.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import type { GraphIndex } from "../../../../src/storage/janusgraph/schema/Schema.ts"
import { UnsupportedValue } from "../../../../src/structure/errors/StoreErrors.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { context, imported, written } from "../../../layers/tools/Graphs.ts"
import { runLater } from "../../../process/run.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { cellGraph } from "../Graphs.ts"

/** A text that does not become much shorter when it is compressed. */
const LONG = randomBytes(120_000)
  .toString("base64")
  .replaceAll(/[^a-zA-Z]/g, "x")

const opened = async () => {
  const cluster = new FakeCluster()
  const graph = await cellGraph(await cluster.store())
  const editor = await graph.management.edit()
  const key = (name: string, cardinality: "SINGLE" | "SET" = "SINGLE") =>
    editor.makeKey(name, dataTypeOf("String"), cardinality)
  const [code, sorted, words, since] = [key("code"), key("sorted"), key("words"), key("since")]
  key("free")
  key("nick", "SET")
  const knows = editor.makeLabel("knows", "MULTI", false, [])
  editor.makeIndex({ unique: true, kind: "equality", name: "byCode", element: "vertex", keys: [code] })
  editor.makeIndex({ unique: false, kind: "ordered", name: "bySorted", element: "vertex", keys: [sorted] })
  const mappings = ["TEXT" as const]
  editor.makeIndex({ unique: false, kind: "mixed", name: "byWord", element: "vertex", keys: [words], mappings })
  editor.makeRelationIndex(knows, "knowsSince", "BOTH", false, [since])
  await graph.management.commit(editor)
  const run = (script: string) => runLater(graph, script, { as: text })
  return { cluster, graph, run }
}

/** What a value is refused with, as the value of a new vertex or edge. */
const refused: ReadonlyArray<readonly [script: string, message: RegExp]> = [
  [
    "property('code', LONG)",
    /^The value of code is too long for the index byCode: .* takes \d+ bytes, .* allows 65535\./
  ],
  ["property('sorted', LONG)", /^The value of sorted is too long for the index bySorted/],
  ["property('words', LONG)", /^The value of words is too long for the index byWord/],
  ["property(set, 'nick', LONG)", /^A value is too long for the column of nick: .* takes \d+ bytes, .* allows 65535\./],
  ["as('a').addE('knows').to('a').property('since', LONG)", /^A value is too long for the column of knows/]
]

describe("A value that is too long for the names of cells in Cassandra", () => {
  it("is refused by name before anything is written", async () => {
    const { cluster, run } = await opened()
    const tables = ["edgestore", "graphindex", "engine_ranges"]
    const stored = () => tables.map((table) => cluster.cells(table).length)
    const before = stored()
    for (const [script, message] of refused) {
      const error = await run(`g.addV('person').${script.replace("LONG", `'${LONG}'`)}`).catch((cause: Error) => cause)
      expect(error).toBeInstanceOf(UnsupportedValue)
      expect((error as Error).message).toMatch(message)
      expect(stored()).toEqual(before)
    }
    await run(`g.addV('person').property('free', '${LONG}').property('code', '${"x".repeat(100_000)}')`)
    expect(await run(`g.V().has('code', '${"x".repeat(100_000)}').values('free')`)).toEqual([LONG])
  })

  it("is refused when it is added to an existing element, and when an index is built", async () => {
    const { graph, run } = await opened()
    await run(`g.addV('person').property('code', 'a').property('free', '${LONG}')`)
    await expect(run(`g.V().has('code', 'a').property('code', '${LONG}')`)).rejects.toThrow(
      "too long for the index byCode"
    )
    const editor = await graph.management.edit()
    const keys = [editor.key("free")!]
    editor.makeIndex({ unique: false, kind: "equality", name: "byFree", element: "vertex", keys })
    await graph.management.commit(editor)
    const index = graph.core.schema.indexes.find(({ name }) => name === "byFree")!
    await expect(graph.management.done(index.id)).rejects.toThrow("too long for the index byFree")
  })

  it("is refused by an import", async () => {
    const { graph, run } = await opened()
    for (const column of ["code", "sorted", "words", "nick:String(set)"]) {
      const files = written({ "v.csv": `~id,~label,${column}\na,person,${LONG}\n` })
      await expect(imported(graph, files)).rejects.toThrow("too long for the")
    }
    expect(await run("g.V().count()")).toEqual(["0"])
  })

  it("is found by no search", async () => {
    const { run } = await opened()
    await run("g.addV('person').property('code', 'a').property('sorted', 'a')")
    expect(await run(`g.V().has('code', '${LONG}')`)).toEqual([])
    expect(await run(`g.V().has('code', within('a', '${LONG}', 'b')).count()`)).toEqual(["1"])
    expect(await run(`g.V().has('sorted', '${LONG}')`)).toEqual([])
    expect(await run(`g.V().has('sorted', gt('${"a".repeat(70_000)}')).count()`)).toEqual(["0"])
    expect(await run(`g.V().has('sorted', lt('${"a".repeat(70_000)}')).count()`)).toEqual(["1"])
  })

  it("can be dropped and shortened when it is older than its index, which keeps its status", async () => {
    const { graph, run } = await opened()
    const indexes = ["byCode", "bySorted"].map((name) => graph.core.schema.indexes.find((each) => each.name === name)!)
    for (const { id } of indexes) await graph.management.setStatus(id, "DISABLED")
    const vertex = `addV('person').property('code', '${LONG}').property('sorted', '${LONG}')`
    await run(`g.${vertex}.property('free', 'drop').${vertex.replaceAll(/LONG/g, "x")}.property('free', 'shorten')`)
    for (const { id } of indexes) {
      await expect(graph.management.rebuild(id)).rejects.toThrow("too long for the index")
      expect(graph.core.schema.indexes.find((each) => each.id === id)?.status).toBe("DISABLED")
      await graph.management.setStatus(id, "ENABLED")
    }
    const verified = () => verifyGraph(graph, true, context()).catch((error: Error) => error.message)
    expect(await verified()).toMatch(/whose value is too long for the index/)
    await run("g.V().has('free', 'drop').drop()")
    await run("g.V().has('free', 'shorten').property('code', 'a').property('sorted', 'a')")
    expect(await verified()).not.toMatch(/too long/)
    expect(await run("g.V().has('code', 'a').has('sorted', 'a').count()")).toEqual(["1"])
  })

  it("is one that leaves no room for the lock of a unique entry", () => {
    const fits = (unique: boolean, bytes: number): boolean =>
      entryFits({ index: { unique } as GraphIndex, key: Buffer.alloc(bytes), column: Buffer.alloc(1) }, 65_535)
    expect([fits(true, 65_530), fits(true, 65_531)]).toEqual([true, false])
    expect([fits(false, 65_535), fits(false, 65_536)]).toEqual([true, false])
  })
})
