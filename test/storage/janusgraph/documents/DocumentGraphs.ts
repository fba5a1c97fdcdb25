/** Graphs of a simulated cluster whose mixed indexes are in a stand-in of a search engine. They end after the test. */

import { expect, onTestFinished } from "vitest"
import { Pending } from "../../../../src/scheduling/Pending.ts"
import type { CqlOptions } from "../../../../src/storage/cassandra/CqlOptions.ts"
import type { CellGraph } from "../../../../src/storage/janusgraph/CellGraph.ts"
import type { CellChange } from "../../../../src/storage/janusgraph/cells/CellStore.ts"
import { CellCursor } from "../../../../src/storage/janusgraph/cells/Cells.ts"
import type { DocumentEvents, DocumentLimits } from "../../../../src/storage/janusgraph/documents/Documents.ts"
import { rowKey } from "../../../../src/storage/janusgraph/format/RowKeys.ts"
import type { CellGraphOptions } from "../../../../src/storage/janusgraph/Options.ts"
import { headersOf } from "../../../../src/storage/janusgraph/rows/Headers.ts"
import { RestEngine } from "../../../../src/storage/search/RestEngine.ts"
import type { SearchOptions } from "../../../../src/storage/search/SearchOptions.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { double, Float } from "../../../../src/structure/numbers/Numbers.ts"
import { Uuid } from "../../../../src/structure/scalars/Uuid.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { Temporal, Timestamp } from "../../../../src/structure/times/Temporal.ts"
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

/** The variables of the scripts of `ask`. */
export const variables = new Map<string, unknown>([
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

/** What the graph has told of its engines. */
export interface Told {
  readonly failures: Array<string>
  readonly refused: Array<string>
  readonly unread: Array<string>
  recovered: number
}

/** Opens a graph of the cluster whose mixed indexes are in the engine. */
export const open = async (
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
  onTestFinished(() => graph.close())
  return { ask, graph, told }
}

/** A graph with a mixed index over vertices and one over edges, in a stand-in of an engine. */
export const opened = async (options: Partial<SearchOptions> = {}, graphOptions: Partial<CellGraphOptions> = {}) => {
  const cluster = new FakeCluster()
  const engine = (await StandIn.start()).make("janusgraph_people", "janusgraph_ties")
  onTestFinished(() => engine.stop())
  const maker: CellGraph = await cellGraph(await cluster.store())
  await makeJanusGraphIndex(maker, "People", "VERTEX", keys)
  await makeJanusGraphIndex(maker, "ties", "EDGE", { note: { type: "String" }, weight: { type: "Double" } })
  await makeJanusGraphIndex(maker, "metas", "PROPERTY", { since: { type: "Integer" } })
  await makeJanusGraphIndex(maker, "shapes", "VERTEX", {
    area: { type: "Duration" },
    shade: { type: "Integer" }
  })
  await maker.close()
  return { cluster, engine, ...(await open(cluster, engine.port, options, graphOptions)) }
}

/** Cuts the cell of a property of a vertex in the middle of its value. */
export const breakProperty = async ({ core }: CellGraph, id: bigint, key: string): Promise<void> => {
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
