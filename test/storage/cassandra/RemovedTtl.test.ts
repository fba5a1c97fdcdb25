import { describe, expect, it } from "vitest"
import type { CellGraph } from "../../../src/storage/janusgraph/CellGraph.ts"
import type { SchemaEditor } from "../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { entriesIn, opened } from "./ExpiringGraph.ts"

const edited = async (graph: CellGraph, edit: (editor: SchemaEditor) => void): Promise<void> => {
  const editor = await graph.management.edit()
  edit(editor)
  await graph.management.commit(editor)
  for (const { id } of graph.core.schema.indexes) await graph.management.done(id)
}

const withoutTtl = (name: string) => (editor: SchemaEditor) =>
  editor.setTimeToLive((editor.key(name) ?? editor.label(name))!, 0)

type Opened = Awaited<ReturnType<typeof opened>>

/** Writes again after the TTL of a type was removed, and lets all lifetimes end that began before. */
const writtenAgain = async ({ all, cluster, graph }: Opened, type: string, script: string): Promise<void> => {
  cluster.ahead += 5000
  await edited(graph, withoutTtl(type))
  await all(script)
  cluster.ahead += 20_000
}

const EDGE = "g.addV('person').property('name', 'p').as('p').addE('knows').to('p').property('since', 1)"

describe("After the TTL of a type was removed over Cassandra", () => {
  it("a value that is set again stays in the indexes", async () => {
    const server = await opened(["mood", "nick"])
    const { all, cluster, graph } = server
    await edited(graph, (editor) => {
      const [mood, name] = [editor.key("mood")!, editor.key("name")!]
      const shared = { element: "vertex", unique: false } as const
      editor.makeIndex({ ...shared, kind: "equality", name: "moodName", keys: [mood, name] })
      editor.makeIndex({ ...shared, kind: "ordered", name: "sorted", keys: [mood, name] })
      editor.makeIndex({ ...shared, kind: "mixed", name: "words", keys: [mood, name], mappings: ["TEXT", "TEXT"] })
      editor.makeIndex({ ...shared, kind: "equality", unique: true, name: "unique", keys: [mood, name] })
    })
    await all("g.addV('person').property('name', 'p').property('mood', 'glad').property('mood', 'glad')")
    await writtenAgain(server, "mood", "g.V().has('name', 'p').property('mood', 'glad')")
    expect(await all("g.V().has('name', 'p').values('mood')")).toEqual(["glad"])
    for (const search of [
      "has('mood', 'glad')",
      "has('mood', 'glad').has('name', 'p')",
      "has('mood', gt('g'))",
      "has('mood', textContains('glad'))"
    ])
      expect(await all(`g.V().${search}.values('name')`), search).toEqual(["p"])
    expect(["byMood", "moodName", "unique"].map((name) => entriesIn(cluster, graph, name).length)).toEqual([1, 1, 1])
    await expect(all("g.addV('person').property('name', 'p').property('mood', 'glad')")).rejects.toThrow("unique")
  })

  it("an edge that is changed stays in the indexes on its other properties", async () => {
    const server = await opened(["knows"])
    const { all, cluster, graph } = server
    await all(EDGE)
    await writtenAgain(server, "knows", "g.E().property('name', 'k')")
    expect(await all("g.E().values('since')")).toEqual(["1"])
    expect(await all("g.E().has('since', 1).values('name')")).toEqual(["k"])
    expect(entriesIn(cluster, graph, "bySince")).toHaveLength(1)
  })

  it("an edge stays that gets a value that it has already", async () => {
    const server = await opened(["knows"])
    const { all } = server
    await all(EDGE)
    await writtenAgain(server, "knows", "g.E().property('since', 1)")
    expect(await all("g.E().has('since', 1).count()")).toEqual(["1"])
    expect(await all("g.V().outE('knows').count()")).toEqual(["1"])
  })

  it("a value of a SET key that is set again stays, with its meta-properties", async () => {
    const server = await opened(["nick"])
    const { all, cluster, graph } = server
    await all("g.addV('person').property('name', 'p').property(set, 'nick', 'x', 'since', 1)")
    await writtenAgain(server, "nick", "g.V().has('name', 'p').property(set, 'nick', 'x', 'mood', 'glad')")
    expect(await all("g.V().values('nick')")).toEqual(["x"])
    expect(await all("g.V().properties('nick').valueMap()")).toEqual(["{mood=glad, since=1}"])
    expect(await all("g.V().has('nick', 'x').values('name')")).toEqual(["p"])
    expect(entriesIn(cluster, graph, "byNick")).toHaveLength(1)
  })
})

describe("An edge with a TTL over Cassandra", () => {
  it("begins its lifetime again when it gets a value that it has already", async () => {
    const { all, cluster } = await opened(["knows"])
    await all(EDGE)
    cluster.ahead += 6000
    await all("g.E().property('since', 1)")
    cluster.ahead += 6000
    expect(await all("g.E().has('since', 1).count()")).toEqual(["1"])
    cluster.ahead += 6000
    expect(await all("g.E().count()")).toEqual(["0"])
  })
})
