import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { verifyGraph } from "../../src/layers/tools/Verification.ts"
import type { CellGraph } from "../../src/storage/janusgraph/CellGraph.ts"
import { dataTypeOf } from "../../src/storage/janusgraph/management/SchemaEditor.ts"
import { RestEngine } from "../../src/storage/search/RestEngine.ts"
import { Geoshape } from "../../src/structure/geoshapes/Geoshape.ts"
import { text } from "../../src/structure/texts/Text.ts"
import { Timestamp } from "../../src/structure/times/Temporal.ts"
import { eventually } from "../layers/support/TestServers.ts"
import { context } from "../layers/tools/Graphs.ts"
import { runLater } from "../process/run.ts"
import { searchOptions } from "../storage/search/StandIn.ts"
import { type JanusGraphPeer, openJanusGraph } from "./JanusGraphPeer.ts"
import { freeEnginePort, type OpenSearch, startOpenSearch } from "./OpenSearch.ts"
import { cqlGraph, newKeyspace } from "./Stores.ts"

const variables = new Map<string, unknown>([
  ["place", Geoshape.point(52.5, 13.4)],
  ["near", Geoshape.circle(52.5, 13.4, 10)],
  ["round", Geoshape.circle(52.5, 13.4, 5)],
  ["box", Geoshape.box(52, 13, 53, 14)],
  [
    "line",
    Geoshape.line([
      [13.4, 52],
      [13.4, 53]
    ])
  ],
  ["born", new Timestamp(1_700_000_000_123)],
  ["first", new Timestamp(-1_700_000_000_123)],
  ["early", new Timestamp(-1)],
  ["late", new Timestamp(1_700_000_001_123)],
  ["last", new Timestamp(4_000_000_000_000)]
])

describe("Mixed indexes that JanusGraph and this server share in OpenSearch", () => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-opensearch-"))
  let engine: OpenSearch
  let java: JanusGraphPeer
  let graph: CellGraph
  let keyspace: string

  beforeAll(async () => {
    keyspace = newKeyspace()
    engine = await startOpenSearch(folder, await freeEnginePort())
    const options = {
      "index.search.backend": "elasticsearch",
      "index.search.hostname": "127.0.0.1",
      "index.search.port": engine.port,
      "index.search.index-name": keyspace,
      "index.search.elasticsearch.bulk-refresh": "wait_for",
      "query.force-index": "true"
    }
    java = await openJanusGraph(keyspace, "java", options, "Mixed")
    expect(await java.ask("define")).toBe("defined")
    expect(await java.ask("add ann 40")).toBe("added")
    graph = await cqlGraph(keyspace, { forceIndex: true })
    const events = {
      failed: () => undefined,
      recovered: () => undefined,
      refused: () => undefined,
      unread: () => undefined
    }
    const client = new RestEngine(searchOptions(engine.port, { indexName: keyspace, refresh: "wait_for" }))
    graph.connect(new Map([["search", client]]), events)
  })
  afterAll(async () => {
    await graph?.close()
    await java?.crash()
    await engine?.crash()
    rmSync(folder, { recursive: true, force: true })
  })

  const ask = async (script: string): Promise<ReadonlyArray<string>> =>
    ((await runLater(graph, script, { as: text, variables })) as ReadonlyArray<string>).toSorted()

  /** What this server is asked, what JanusGraph is asked, and a value that only elements of the other name have. */
  const questions: ReadonlyArray<readonly [here: string, there: string]> = [
    ["has('bio', textContains('written'))", "bio written"],
    ["has('age', gte(30))", "age 30"],
    ["has('big', 9007199254740993L)", "big -"],
    ["has('height', between(1.0, 2.0))", "height -"],
    ["has('ratio', 0.1f)", "ratio -"],
    ["has('born', born)", "born -"],
    ["has('alive', true)", "alive -"],
    ["has('place', geoWithin(near))", "place -"],
    ["has('area', geoIntersect(line))", "area -"],
    ["has('zone', geoIntersect(line))", "zone -"],
    ["has('tag', 'y')", "tag y"],
    ["has('title', 'ann One')", "title ann"],
    ["has('title', 'ben One')", "title ben"]
  ]

  it("find what JanusGraph has written", async () => {
    for (const [here, there] of questions) {
      const expected = there === "title ben" ? "" : "ann"
      expect(await java.ask(`find ${there}`), there).toBe(expected)
      expect((await ask(`g.V().${here}.values('name')`)).join(" "), here).toBe(expected)
    }
    expect(await ask("g.E().has('note', textContains('ann')).values('note')")).toEqual(["met ann"])
  })

  it("find there what this server has written", async () => {
    await ask(
      "g.addV('person').property('name', 'ben').property('bio', 'Written by ben here').property('title', 'ben One').property('age', 30)" +
        ".property('big', 9007199254740993L).property('height', 1.5d).property('ratio', 0.1f).property('born', born).property('alive', true)" +
        ".property('place', place).property('area', round).property('zone', box).property('tag', 'x').property('tag', 'y').as('b')" +
        ".addE('knows').to('b').property('note', 'met ben').property('weight', 0.5d)"
    )
    for (const [here, there] of questions) {
      const expected = there === "title ben" ? "ben" : there === "title ann" ? "ann" : "ann ben"
      expect(await java.ask(`find ${there}`), there).toBe(expected)
      expect((await ask(`g.V().${here}.values('name')`)).join(" "), here).toBe(expected)
    }
    expect(await java.ask("note ben")).toBe("[met ben]")
  })

  it("are sorted by the engine for a key and a limit", async () => {
    const people = [
      "'Cid', 7, 9007199254740993L, -1.5d, 0.25f, first, true",
      "'ada', 70, -9007199254740993L, 2.5d, -0.25f, late, false",
      "'bob', 9, 9007199254740992L, 1e300d, 3.5f, early, true",
      "'Dan', 1, 0L, 1e-300d, 100.5f, born, false",
      "'eva', 700, 10L, 0d, 0f, last, false"
    ]
    const keys = ["title", "age", "big", "height", "ratio", "born", "alive"]
    for (const values of people) {
      const properties = values.split(", ").map((value, at) => `.property('${keys[at]}', ${value})`)
      await ask(`g.addV('person').property('tag', 'sorted')${properties.join("")}`)
    }
    for (const key of keys) {
      for (const direction of ["asc", "desc"]) {
        const sorted = async (limit: string): Promise<ReadonlyArray<unknown>> =>
          (
            await runLater(
              graph,
              `g.V().has('tag', 'sorted').order().by('${key}', ${direction})${limit}.values('${key}')`,
              {
                variables
              }
            )
          ).map(text)
        const all = await sorted("")
        expect(all).toHaveLength(people.length)
        expect(new Set(all).size, key).toBe(key === "alive" ? 2 : people.length)
        for (const most of [1, 3, 10]) {
          expect(await sorted(`.limit(${most})`), `${key} ${direction} ${most}`).toEqual(all.slice(0, most))
        }
      }
    }
    await ask("g.V().has('tag', 'sorted').drop()")
  })

  it("follow changes of either in elements of the other", async () => {
    expect(await java.ask("change ben 50")).toBe("changed")
    await ask("g.V().has('name', 'ann').property('age', 60).property('tag', 'q')")
    for (const found of [
      await java.ask("find age 45"),
      (await ask("g.V().has('age', gte(45)).values('name')")).join(" ")
    ]) {
      expect(found).toBe("ann ben")
    }
    expect(await java.ask("find tag q")).toBe("ann")
    expect(await ask("g.V().has('tag', 'z').values('name')")).toEqual(["ben"])
    // JanusGraph has changed single fields of a document that this server wrote, and the other way round.
    expect(await java.ask("find tag x")).toBe("ann ben")
    expect(await ask("g.V().has('tag', 'x').values('name')")).toEqual(["ann", "ben"])
  })

  it("have the documents that verify expects, whoever wrote them", async () => {
    const report = await verifyGraph(graph, false, context()).catch((error: Error) => error.message)
    expect(report).toContain("Nothing is wrong.")
    expect(report).toContain("8 comparisons with search engines")
  })

  it("find what either writes in an index that this server has made", async () => {
    const editor = await graph.management.edit()
    const [whole, whereabouts] = ["String", "Geoshape"].map(dataTypeOf)
    editor.makeIndex({
      name: "Towns",
      element: "vertex",
      kind: "mixed",
      unique: false,
      backing: "search",
      keys: [
        editor.makeKey("city name", whole, "SINGLE"),
        editor.makeKey("about", whole, "SINGLE"),
        editor.makeKey("motto", whole, "SINGLE"),
        editor.makeKey("people", dataTypeOf("Integer"), "SINGLE"),
        editor.makeKey("spot", whereabouts, "SINGLE"),
        editor.key("age")!
      ],
      mappings: ["STRING", "DEFAULT", "TEXTSTRING", "DEFAULT", "DEFAULT", "DEFAULT"]
    })
    await graph.management.commit(editor)
    await graph.management.built("Towns")
    await ask(
      "g.addV('town').property('name', 'Bern').property('city name', 'Bern').property('about', 'Bern is on a river')" +
        ".property('motto', 'Bern first').property('people', 140000).property('spot', place)"
    )
    expect(await java.ask("town Ulm 120000")).toBe("added")
    for (const [here, there, found] of [
      ["has('city name', 'Ulm')", "city_name Ulm", "Ulm"],
      ["has('city name', 'Bern')", "city_name Bern", "Bern"],
      ["has('about', textContains('river'))", "about river", "Bern Ulm"],
      ["has('motto', 'Bern first')", "motto Bern", "Bern"],
      ["has('people', gte(130000))", "people 130000", "Bern"],
      ["has('spot', geoWithin(near))", "spot -", "Bern Ulm"],
      ["has('age', gte(45))", "age 45", "ann ben"]
    ] as const) {
      expect(await java.ask(`find ${there}`), there).toBe(found)
      expect((await ask(`g.V().${here}.values('name')`)).join(" "), here).toBe(found)
    }
    const report = await verifyGraph(graph, false, context()).catch((error: Error) => error.message)
    expect(report).toContain("Nothing is wrong.")
  })

  it("are built again by REINDEX of this server", async () => {
    for (const store of ["towns", "people"]) {
      await fetch(`http://127.0.0.1:${engine.port}/${keyspace}_${store}`, { method: "DELETE" })
    }
    for (const name of ["Towns", "People"]) {
      await graph.management.rebuild(graph.core.schema.indexes.find((index) => index.name === name)!.id)
    }
    expect(await java.ask("find city_name Ulm")).toBe("Ulm")
    expect(await java.ask("find age 45")).toBe("ann ben")
    const report = await verifyGraph(graph, false, context()).catch((error: Error) => error.message)
    expect(report).toContain("Nothing is wrong.")
  })

  it("forget what either has dropped", async () => {
    await ask("g.V().has('name', 'ann').drop()")
    expect(await java.ask("find age 0")).toBe("ben")
    expect(await java.ask("note ann")).toBe("[]")
    expect(await java.ask("drop ben")).toBe("dropped")
    expect(await ask("g.V().has('age', gte(0))")).toEqual([])
  })

  it("get what was committed while the engine was dead", async () => {
    await engine.crash()
    await ask("g.addV('person').property('name', 'eve').property('age', 20)")
    await expect(ask("g.V().has('age', 20)")).rejects.toThrow("does not answer")
    // The age is in two indexes.
    expect(graph.core.documents!.waiting).toBe(2)
    engine = await startOpenSearch(folder, engine.port)
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(await java.ask("find age 20")).toBe("eve")
    expect(await ask("g.V().has('age', 20).values('name')")).toEqual(["eve"])
  })
})
