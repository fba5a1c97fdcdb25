import { afterEach, describe, expect, it, vi } from "vitest"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CqlOptions } from "../../../../src/storage/cassandra/CqlOptions.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellChange } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import type { DocumentEvents, DocumentLimits } from "../../../../src/storage/janusgraph/documents/Documents.ts"
import { logPrefix } from "../../../../src/storage/janusgraph/documents/LogEntry.ts"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import { headersOf } from "../../../../src/storage/janusgraph/rows/Headers.ts"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import type { SearchOptions } from "../../../../src/storage/search/SearchOptions.ts"
import { Geoshape } from "../../../../src/structure/Geoshape.ts"
import { double, Float } from "../../../../src/structure/Numbers.ts"
import { CommitOutcomeUnknown, StorageUnavailable } from "../../../../src/structure/StoreErrors.ts"
import { Temporal, Timestamp, Uuid } from "../../../../src/structure/Temporal.ts"
import { text } from "../../../../src/structure/Text.ts"
import { eventually } from "../../../layers/support/TestServers.ts"
import { runLater } from "../../../process/run.ts"
import { FakeCluster } from "../../cassandra/FakeCluster.ts"
import { StandIn, searchOptions } from "../../search/StandIn.ts"
import { cellGraph } from "../Graphs.ts"
import { makeJanusGraphIndex } from "./JanusGraphIndexes.ts"

const keys = {
  bio: { type: "String" },
  code: { type: "String", mapping: "STRING" },
  title: { type: "String", mapping: "TEXTSTRING" },
  age: { type: "Integer" },
  big: { type: "Long" },
  height: { type: "Double" },
  zero: { type: "Double" },
  ratio: { type: "Float" },
  born: { type: "Date" },
  seen: { type: "Instant" },
  tag: { type: "String", mapping: "STRING", cardinality: "LIST" },
  token: { type: "UUID" },
  place: { type: "Geoshape" }
} as const

const variables = new Map<string, unknown>([
  ["place", Geoshape.point(52.5, 13.4)],
  ["near", Geoshape.circle(52.5, 13.4, 10)],
  ["far", Geoshape.circle(10, 13.4, 10)],
  [
    "line",
    Geoshape.line([
      [1, 2],
      [3, 4]
    ])
  ],
  ["born", new Timestamp(1_700_000_000_123)],
  ["seen", new Temporal("Instant", "2023-11-14T22:13:20.123456789Z")],
  ["token", new Uuid("c0ffee00-0000-4000-8000-000000000001")],
  ["ratio", new Float(Math.fround(0.1))],
  ["height", double(2)],
  ["zero", double(-0)],
  ["nan", double(Number.NaN)],
  ["half", "\ud800"]
])

const stops: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

interface Told {
  readonly failures: Array<string>
  readonly refused: Array<string>
  readonly unread: Array<string>
  recovered: number
}

/** Opens a graph of the cluster whose mixed indexes are in the engine. */
const open = async (
  cluster: FakeCluster,
  port: number,
  options: Partial<SearchOptions> = {},
  graphOptions: Partial<CellGraphOptions> = {},
  { limits, ...cqlOptions }: Partial<CqlOptions> & { readonly limits?: Partial<DocumentLimits> } = {}
) => {
  const graph = await cellGraph(await cluster.store(cqlOptions), graphOptions)
  const told: Told = { failures: [], refused: [], unread: [], recovered: 0 }
  const events: DocumentEvents = {
    failed: (_, error) => void told.failures.push(error.message),
    recovered: () => void told.recovered++,
    refused: (index, name, reason) => void told.refused.push(`${index} ${name} ${reason}`),
    unread: (error) => void told.unread.push(error.message)
  }
  graph.connect(new Map([["search", new RestEngine(searchOptions(port, options))]]), events, limits)
  const ask = async (script: string): Promise<ReadonlyArray<string>> =>
    (await runLater(graph, script, { as: text, variables })) as ReadonlyArray<string>
  stops.push(() => graph.close())
  return { ask, graph, told }
}

/** A graph with a mixed index over vertices and one over edges, in a stand-in of an engine. */
const opened = async (options: Partial<SearchOptions> = {}, graphOptions: Partial<CellGraphOptions> = {}) => {
  const cluster = new FakeCluster()
  const engine = (await StandIn.start()).make("janusgraph_people", "janusgraph_ties")
  stops.push(() => engine.stop())
  const maker: CellGraph = await cellGraph(await cluster.store())
  await makeJanusGraphIndex(maker, "People", "VERTEX", keys)
  await makeJanusGraphIndex(maker, "ties", "EDGE", { note: { type: "String" }, weight: { type: "Double" } })
  await makeJanusGraphIndex(maker, "metas", "PROPERTY", { since: { type: "Integer" } })
  await makeJanusGraphIndex(maker, "shapes", "VERTEX", {
    area: { type: "Geoshape", mapping: "PREFIX_TREE" },
    shade: { type: "Integer" }
  })
  await maker.close()
  return { cluster, engine, ...(await open(cluster, engine.port, options, graphOptions)) }
}

/** Cuts the cell of a property of a vertex in the middle of its value. */
const breakProperty = async ({ core }: CellGraph, id: bigint, key: string): Promise<void> => {
  const row = rowKey(id as never, core.options.partitionBits)
  const snapshot = core.cells.snapshot()
  const [page] = await snapshot.fetch([{ table: "edgestore", key: row }], true)
  snapshot.close()
  const { bytes } = headersOf(core.schema.keys.get(key)!).out
  const cursor = new CellCursor().over(page!.cells)
  const broken: Array<CellChange> = []
  while (cursor.next()) {
    const column = Uint8Array.from(cursor.column())
    if (Buffer.from(column.subarray(0, bytes.length)).equals(bytes)) broken.push({ column, value: new Uint8Array(1) })
  }
  expect(broken).toHaveLength(1)
  await Pending.toPromise(core.cells.commit((batch) => batch.change("edgestore", row, broken)))
}

const PERSON =
  "g.addV('person').property('bio', 'Likes big graphs').property('code', 'A 1').property('title', 'Two Words').property('age', 42)" +
  ".property('big', 9007199254740993L).property('height', height).property('ratio', ratio).property('born', born).property('seen', seen)" +
  ".property('tag', 'x').property('tag', 'y').property('token', token).property('place', place).property('free', 'z')"

describe("A mixed index that JanusGraph keeps in a search engine", () => {
  it("gets a document of each new element in JanusGraph's form", async () => {
    const { ask, engine } = await opened()
    const [id] = await ask(`${PERSON}.id()`)
    const name = Number(id).toString(36)
    const bulk = engine.received.find(({ path }) => path === "/_bulk")!.body
    expect(bulk.split("\n")[0]).toBe(`{"create":{"_index":"janusgraph_people","_id":"${name}"}}`)
    expect(bulk.split("\n")[1]).toBe(
      '{"bio":"Likes big graphs","code":"A 1","title":"Two Words","title__STRING":"Two Words","age":42,"big":9007199254740993,' +
        '"height":2.0,"ratio":0.10000000149011612,"born":"2023-11-14T22:13:20.123+00:00","seen":"2023-11-14T22:13:20.123+00:00",' +
        '"tag":["x","y"],"token":"c0ffee00-0000-4000-8000-000000000001","place":[13.4,52.5]}'
    )
  })

  it("changes and removes documents with their elements", async () => {
    const { ask, engine } = await opened()
    await ask(`${PERSON}.as('p').addE('knows').to('p').property('note', 'in Bern').property('weight', height)`)
    const [edge] = await ask("g.E().id()")
    expect(engine.document("janusgraph_ties", edge!)).toEqual({ note: "in Bern", weight: 2 })
    await ask("g.V().has('age', 42).property('age', 43).property('tag', 'z').properties('bio').drop()")
    expect(engine.documents("janusgraph_people")).toMatchObject([{ age: 43, tag: ["x", "y", "z"] }])
    expect(engine.documents("janusgraph_people")[0]).not.toHaveProperty("bio")
    await ask("g.E().property('note', 'in Basel')")
    expect(engine.document("janusgraph_ties", edge!)).toEqual({ note: "in Basel", weight: 2 })
    await ask("g.V().drop()")
    expect([...engine.documents("janusgraph_people"), ...engine.documents("janusgraph_ties")]).toEqual([])
  })

  it("leaves elements alone that have no key of the index", async () => {
    const { ask, engine } = await opened()
    await ask("g.addV().property('free', 'x').as('p').addE('knows').to('p')")
    expect(engine.received).toEqual([])
  })

  it.each([
    ["bio", "textContains('GRAPHS')"],
    ["bio", "textContains('big likes')"],
    ["bio", "textContainsPrefix('gra')"],
    ["bio", "textContainsRegex('gr.*s')"],
    ["bio", "textContainsFuzzy('grephs')"],
    ["bio", "textContainsPhrase('big graphs')"],
    ["code", "eq('A 1')"],
    ["code", "within('A 1', 'B')"],
    ["code", "startingWith('A')"],
    ["code", "textRegex('A .')"],
    ["code", "gt('A')"],
    ["title", "textContains('words')"],
    ["title", "eq('Two Words')"],
    ["age", "eq(42L)"],
    ["age", "between(40, 43)"],
    ["age", "gt(41.5)"],
    ["age", "lt(99999999999L)"],
    ["big", "lte(9007199254740993L)"],
    ["height", "inside(1, 3)"],
    ["height", "eq(2)"],
    ["zero", "gte(0)"],
    ["zero", "between(0, 1)"],
    ["zero", "lte(0)"],
    ["zero", "eq(0)"],
    ["ratio", "eq(ratio)"],
    ["ratio", "gt(0)"],
    ["born", "eq(born)"],
    ["born", "gte(born)"],
    ["seen", "eq(seen)"],
    ["seen", "lte(seen)"],
    ["tag", "eq('y')"],
    ["token", "eq(token)"],
    ["place", "geoWithin(near)"]
  ])("answers has('%s', %s) without a scan", async (key, predicate) => {
    const { ask, engine } = await opened({}, { forceIndex: true })
    await ask(`${PERSON}.property('zero', zero)`)
    await ask("g.addV('person').property('bio', 'other').property('code', 'C').property('age', 7)")
    engine.received.length = 0
    expect(await ask(`g.V().has('${key}', ${predicate}).values('free')`)).toEqual(["z"])
    expect(engine.paths()).toContain("POST /janusgraph_people/_search")
  })

  it("tests the elements that the engine finds", async () => {
    const { ask, engine } = await opened({}, { forceIndex: true })
    const [id] = await ask(`${PERSON}.id()`)
    // Nothing has told the engine that this element is gone, or that the other has another age.
    engine.put("janusgraph_people", "zz0", { age: 5 })
    engine.put("janusgraph_people", Number(id).toString(36), { age: 5 })
    expect(await ask("g.V().has('age', 5)")).toEqual([])
    expect(await ask("g.V().has('place', geoWithin(far))")).toEqual([])
  })

  it("includes what the transaction has changed", async () => {
    const { ask } = await opened()
    await ask(PERSON)
    expect(await ask("g.V().has('age', 42).property('age', 50).V().has('age', 50).count()")).toEqual(["1"])
    expect(await ask("g.addV().property('age', 60).V().has('age', gt(45)).count()")).toEqual(["2"])
    expect(await ask("g.V().has('age', 60).drop().V().has('age', gt(45)).count()")).toEqual(["0"])
    expect(await ask("g.V().has('age', gt(45)).count()")).toEqual(["1"])
  })

  it("reads all pages of a search", async () => {
    const { ask, engine } = await opened({ pageSize: 7 })
    await ask("g.inject(1).repeat(addV('p').property('age', 3)).times(40).none()")
    expect(await ask("g.V().has('age', 3).count()")).toEqual(["40"])
    expect(await ask("g.V().has('age', 3).limit(2).count()")).toEqual(["2"])
    expect(engine.paths().filter((path) => path === "POST /_search/scroll").length).toBeGreaterThan(4)
    expect(engine.paths()).toContain("DELETE /_search/scroll")
  })

  it("finds edges", async () => {
    const { ask } = await opened({}, { forceIndex: true })
    await ask(`${PERSON}.as('p').addE('knows').to('p').property('note', 'in Bern').property('weight', height)`)
    expect(await ask("g.E().has('weight', gt(1)).values('note')")).toEqual(["in Bern"])
    expect(await ask("g.E().has('note', textContains('bern')).label()")).toEqual(["knows"])
    expect(await ask("g.E().has('note', textContains('basel'))")).toEqual([])
  })

  it.each([
    ["'height', nan", "takes no such value of the key height"],
    ["'place', line", "takes no such value of the key place"],
    ["'code', half", "takes no such value of the key code"],
    ["'shade', 1", "JanusGraph keeps in the index backend 'search'"],
    ["'free', 'x', 'since', 1", "JanusGraph keeps in the index backend 'search'"]
  ])("refuses a value that its documents cannot have: %s", async (property, message) => {
    const { ask, engine } = await opened()
    await expect(ask(`g.addV().property(${property})`)).rejects.toThrow(message)
    expect(await ask("g.V().count()")).toEqual(["0"])
    expect(engine.received).toEqual([])
  })

  it("reads the state again when another program has changed the document", async () => {
    const { ask, engine } = await opened()
    const [id] = await ask("g.addV().property('age', 1).property('code', 'a').id()")
    const name = Number(id).toString(36)
    let changed = false
    engine.beforeWrite = async () => {
      if (!changed) engine.put("janusgraph_people", name, { age: 1, code: "other" })
      changed = true
    }
    await ask("g.V().has('age', 1).property('age', 2)")
    expect(engine.document("janusgraph_people", name)).toEqual({ age: 2, code: "a" })
  })

  it("gets the newest states although the reads of the graph may be outdated", async () => {
    const { cluster, engine } = await opened()
    const graph = await cellGraph(await cluster.store({ readConsistency: "ONE" }))
    stops.push(() => graph.close())
    const events = {
      failed: () => undefined,
      recovered: () => undefined,
      refused: () => undefined,
      unread: () => undefined
    }
    graph.connect(new Map([["search", new RestEngine(searchOptions(engine.port))]]), events)
    cluster.lagging = BigInt(Date.now()) * 1000n
    await runLater(graph, "g.inject(1, 2, 3).addV().property('age', 5).none()")
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 5 }, { age: 5 }, { age: 5 }])
    expect(await runLater(graph, "g.V().count()")).toEqual([0n])
  })

  it("removes a document whose element was removed while it was written", async () => {
    const { ask, cluster, engine } = await opened()
    const other = await open(cluster, 1)
    let removed = false
    engine.beforeWrite = async () => {
      if (!removed) await other.ask("g.V().drop()")
      removed = true
    }
    await ask("g.addV().property('age', 1)")
    await eventually(() => engine.documents("janusgraph_people").length === 0)
    expect(removed).toBe(true)
  })
})

describe("A search engine that fails", () => {
  it("loses no commit while it is down, and gets the documents afterwards", async () => {
    const { ask, engine, graph, told } = await opened()
    const { port } = engine
    await engine.stop()
    await ask("g.addV().property('age', 1).property('free', 'x')")
    expect(await ask("g.V().values('free')")).toEqual(["x"])
    expect(told.failures[0]).toContain("The search engine of the index backend 'search' (127.0.0.1:")
    await expect(ask("g.V().has('age', 1)")).rejects.toThrow("does not answer")
    expect(graph.core.documents!.waiting).toBe(1)
    const again = (await StandIn.start(port)).make("janusgraph_people", "janusgraph_ties")
    stops.push(() => again.stop())
    await eventually(() => again.documents("janusgraph_people").length === 1)
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(told.recovered).toBe(1)
    expect(await ask("g.V().has('age', 1).values('free')")).toEqual(["x"])
  })

  it.each([429, 503])("finds the elements whose documents it refuses with %i", async (status) => {
    const { ask, engine, graph } = await opened({}, { forceIndex: true })
    engine.fault = ({ path }) => (path === "/_bulk" ? { status } : undefined)
    await ask("g.addV().property('age', 1).property('free', 'x')")
    expect(await ask("g.V().has('age', 1).values('free')")).toEqual(["x"])
    engine.fault = () => undefined
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1 }])
  })

  it("fails a search of which it has a part only", async () => {
    const { ask, engine } = await opened()
    engine.fault = ({ path }) =>
      path.includes("_search") ? { status: 200, body: '{"hits":{"hits":[]},"_shards":{"failed":1}}' } : undefined
    await expect(ask("g.V().has('age', 1)")).rejects.toThrow("has searched only a part of the index")
  })

  it("ends a commit although it never answers", async () => {
    const { ask, engine, told } = await opened({ socketTimeout: 50 })
    engine.fault = () => "silent"
    await ask("g.addV().property('age', 1)")
    expect(await ask("g.V().count()")).toEqual(["1"])
    await eventually(() => told.failures.some((failure) => failure.includes("no answer within 50 ms")))
    await expect(ask("g.V().has('age', 1)")).rejects.toThrow("no answer within 50 ms")
  })

  it("reports a document that it does not accept, and finds its element", async () => {
    const { ask, cluster, engine } = await opened()
    const maker = await cellGraph(await cluster.store())
    await makeJanusGraphIndex(maker, "odd", "VERTEX", { bad: { type: "Integer" } })
    await maker.close()
    engine.make("janusgraph_odd")
    const other = await open(cluster, engine.port)
    await other.ask("g.addV().property('bad', 1)")
    await eventually(() => other.told.refused.length === 1)
    expect(other.told.refused[0]).toContain("mapper_parsing_exception")
    expect(await other.ask("g.V().has('bad', 1).count()")).toEqual(["1"])
    expect(await ask("g.V().count()")).toEqual(["1"])
  })

  it.each([400, 413])(
    "refuses the document because of which it answers %i to all of them, and no other",
    async (status) => {
      const { ask, engine, told } = await opened()
      engine.fault = ({ body, path }) => (path === "/_bulk" && body.includes('"age":13') ? { status } : undefined)
      await ask("g.inject(11, 12, 13, 14, 15).as('n').addV().property('age', select('n')).none()")
      await eventually(() => engine.documents("janusgraph_people").length === 4)
      expect(engine.documents("janusgraph_people").map(({ age }) => age)).toEqual([11, 12, 14, 15])
      await eventually(() => told.refused.length === 1)
      expect(told.refused[0]).toContain(`status ${status}`)
      expect(told.failures).toEqual([])
    }
  )

  it.each([
    ["document_parsing_exception", false],
    ["no_shard_available_action_exception", true]
  ])("does not answer for one document gets the others (%s)", async (type, isTemporary) => {
    const { ask, engine, graph, told } = await opened()
    const [id] = await ask("g.addV().property('age', 1).id()")
    const name = Number(id).toString(36)
    engine.fault = ({ body, path }) => {
      if (path !== "/_mget") return undefined
      const { docs } = JSON.parse(body) as { docs: ReadonlyArray<{ _id: string }> }
      const items = docs.map(({ _id }) => (_id === name ? { _id, error: { type } } : { _id, found: false }))
      return { status: 200, body: JSON.stringify({ docs: items }) }
    }
    await ask("g.V().has('age', 1).property('age', 2).addV().property('age', 3)")
    await eventually(() => engine.documents("janusgraph_people").length === 2)
    await eventually(() => (isTemporary ? told.failures : told.refused).some((reason) => reason.includes(type)))
    expect(await ask("g.V().has('age', 2).count()")).toEqual(["1"])
    engine.fault = () => undefined
    if (isTemporary) await eventually(() => graph.core.documents!.waiting === 0)
    expect(graph.core.documents!.waiting).toBe(isTemporary ? 0 : 1)
  })

  it("gets the documents of all elements except one that cannot be read", async () => {
    const { ask, engine, graph, told } = await opened()
    engine.fault = () => ({ status: 503 })
    const [bad] = await ask("g.addV().property('age', 1).id()")
    await ask("g.addV().property('age', 2).addV().property('age', 3).addV().property('age', 4)")
    // The cell of the property ends in the middle of its value.
    await breakProperty(graph, BigInt(bad!), "age")
    engine.fault = () => undefined
    await eventually(() => engine.documents("janusgraph_people").length === 3)
    expect(told.refused).toHaveLength(1)
    expect(told.refused[0]).toContain(`People ${Number(bad).toString(36)} Its element cannot be read: `)
    expect(graph.core.documents!.waiting).toBe(1)
  })

  it("makes no index that JanusGraph has not made", async () => {
    const { ask, cluster, engine } = await opened()
    const maker = await cellGraph(await cluster.store())
    await makeJanusGraphIndex(maker, "missing", "VERTEX", { rank: { type: "Integer" } })
    await maker.close()
    const other = await open(cluster, engine.port)
    await other.ask("g.addV().property('rank', 1)")
    await eventually(() => other.told.refused.some((reason) => reason.includes("index_not_found_exception")))
    expect(engine.paths()).not.toContain("POST /_bulk")
    expect(await ask("g.V().count()")).toEqual(["1"])
  })
})

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
    await eventually(() => graph.core.documents!.waiting === 0)
    expect(await ask("g.V().has('age', 20).count()")).toEqual(["1"])
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

describe("A commit that fails", () => {
  it("after its changes are committed has its documents written", async () => {
    const { ask, cluster, engine } = await opened({}, { constraints: true })
    await open(cluster, engine.port)
    await ask("g.addV('person').property('age', 1)")
    cluster.weather = async (text) => {
      if (text.includes('"systemlog"') && !text.startsWith("SELECT")) throw new Error("no replica answers")
    }
    // The new constraint is announced to the other server.
    await expect(ask("g.V().hasLabel('person').property('code', 'a')")).rejects.toThrow("The changes are committed")
    cluster.weather = async () => undefined
    await eventually(() => engine.documents("janusgraph_people").some((each) => each.code === "a"))
  })

  it("because the cluster refuses its first element reports that, and leaves nothing in the log", async () => {
    const { ask, cluster, engine, graph } = await opened()
    await ask("g.addV().property('age', 1)")
    await graph.core.documents!.flush()
    cluster.weather = async (text) => {
      if (text.startsWith("SELECT") || !text.includes('"edgestore"')) return
      throw Object.assign(new Error("no MODIFY"), { code: 0x2100 })
    }
    const refused = await ask("g.addV().property('age', 2)").catch((cause: Error) => cause)
    expect(refused).toBeInstanceOf(StorageUnavailable)
    cluster.weather = async () => undefined
    await graph.core.documents!.flush()
    const count = engine.received.length
    const next = await open(cluster, engine.port)
    await next.graph.core.documents!.recover()
    expect(next.graph.core.documents!.waiting).toBe(0)
    expect(engine.received.length).toBe(count)
    expect(await ask("g.V().count()")).toEqual(["1"])
  })

  it("with an unknown outcome has its documents written again, because its writes may arrive later", async () => {
    const { cluster, engine } = await opened()
    const latePauses = Array.from({ length: 1000 }, () => 10)
    const { ask, graph, told } = await open(
      cluster,
      engine.port,
      {},
      {},
      { requestTimeout: 100, limits: { latePauses } }
    )
    await ask("g.addV().property('age', 1)")
    let arrive: () => void = () => undefined
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    cluster.weather = async (statement) => {
      if (!statement.startsWith("SELECT") && statement.includes('"edgestore"')) await arrival
    }
    const count = () => engine.paths().filter((path) => path === "POST /_mget").length
    const before = count()
    await expect(ask("g.addV().property('age', 2)")).rejects.toBeInstanceOf(CommitOutcomeUnknown)
    // The documents were written from the state without the element.
    await eventually(() => count() > before + 1)
    expect(engine.documents("janusgraph_people")).toEqual([{ age: 1 }])
    arrive()
    await eventually(() => engine.documents("janusgraph_people").length === 2)
    await graph.close()
    expect(told.failures).toEqual([])
    // The entry is still in the log.
    const next = await open(cluster, engine.port)
    const known = count()
    await next.graph.core.documents!.recover()
    await eventually(() => count() > known)
  })
})

describe("A process that ends before it has written its documents", () => {
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
