import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { assert } from "vitest"
import { fileFormats } from "../../../src/layers/graphs/FileFormats.ts"
import { exportGraph } from "../../../src/layers/tools/Export.ts"
import { exportTarget } from "../../../src/layers/tools/ExportTarget.ts"
import type { FileFormat } from "../../../src/layers/tools/InputFiles.ts"
import { openEnvironment } from "../../../src/process/machine/TraversalRun.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../../src/structure/geoshapes/WellKnownText.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { BigInteger, Byte, double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Char } from "../../../src/structure/scalars/Char.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { parseDate } from "../../../src/structure/times/Dates.ts"
import { Duration, Temporal, Timestamp } from "../../../src/structure/times/Temporal.ts"
import { newFolder } from "../../Folders.ts"
import { runLater } from "../../process/run.ts"
import { scalars } from "../../protocol/Arbitraries.ts"
import { contents, context, imported } from "./Graphs.ts"

/** Random graphs for each format. RUNS=3000 for a long run. */
const RUNS = Number(process.env.RUNS ?? 150)

const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"

/** A shape of each kind. */
function shapes(): ReadonlyArray<Geoshape> {
  const round = [
    Geoshape.point(46.95, 7.45),
    Geoshape.circle(1, 2, 3),
    Geoshape.box(1, 2, 3, 4),
    Geoshape.box(1, 170, 2, -170)
  ]
  const texts = [
    "LINESTRING (1 2, 3 4)",
    "POLYGON ((0 0, 9 0, 9 9, 0 8, 0 0), (4 4, 6 4, 6 6, 4 6, 4 4))",
    "MULTIPOINT ((1 1), (2 2))",
    "MULTILINESTRING ((1 1, 2 2), (3 3, 4 4))",
    "MULTIPOLYGON (((0 0, 4 0, 4 4, 0 4, 0 0)), ((5 5, 9 5, 9 9, 5 9, 5 5)))",
    "GEOMETRYCOLLECTION (POINT (1 1),ENVELOPE (2, 4, 3, 1))"
  ]
  return round.concat(texts.map((text) => Geoshape.of(shapeOfText(text))))
}

/** Values of all types, including collections and unpaired surrogates. */
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: fc.constantFrom("\ud800", "a\udc00b", "@class", '"@class":', 256n, "256", 256, -0, "@type") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...shapes())
  },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(scalars, { maxLength: 3 }).map((items) => new GremlinSet(items)) },
  {
    weight: 1,
    arbitrary: fc.array(fc.tuple(scalars, scalars), { maxLength: 3 }).map((pairs) => new GremlinMap(pairs))
  }
)

const keys = fc.constantFrom("a", "b", "aV", "x y", 'q"', "née", "labelE", "id", "a:Int", "z:y(list)[]")
const properties = fc.array(fc.tuple(keys, values), { maxLength: 3 })
const labels = fc.constantFrom("person", ";", ":x", "a::b", "\\", 'né"e', "\ud83d\ude00")

interface Sample {
  readonly label: string
  readonly properties: ReadonlyArray<readonly [string, unknown]>
  readonly meta: ReadonlyArray<readonly [string, unknown]>
  readonly edge: ReadonlyArray<readonly [string, unknown]>
}

const samples: fc.Arbitrary<ReadonlyArray<Sample>> = fc.array(
  fc.record({
    label: labels,
    properties,
    meta: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: properties }),
    edge: properties
  }),
  { minLength: 1, maxLength: 2 }
)

const empty = (): GraphStore =>
  new MemoryGraph(
    tinkerGraph("test", {
      vertexIdManager: "LONG",
      edgeIdManager: "LONG",
      defaultVertexPropertyCardinality: "list",
      allowNullPropertyValues: true
    })
  )

const filled = (given: ReadonlyArray<Sample>): GraphStore => {
  const graph = empty()
  const transaction = graph.begin()
  for (const [at, { edge, label, meta, properties: own }] of given.entries()) {
    const ref = transaction.addVertex(label, undefined)
    transaction.setVertexProperty(ref, Cardinality.single, "code", `v${at}`)
    for (const [key, value] of own) {
      const more = meta.length === 0 ? null : new Map(meta)
      transaction.setVertexProperty(ref, Cardinality.list, key, value, { meta: more })
    }
    const loop = transaction.addEdge(ref, label, ref, undefined)
    for (const [key, value] of edge) transaction.setEdgeProperty(loop, key, value)
  }
  transaction.commit()
  return graph
}

/** Writes a graph to a file and reads it again. Returns the graph that was read. */
type Way = (graph: GraphStore, folder: string) => Promise<GraphStore>

const byTools =
  (format: FileFormat, name: string, files: ReadonlyArray<string>): Way =>
  async (graph, folder) => {
    await exportGraph(graph, exportTarget(join(folder, name), format, files[0]!.endsWith(".csv.gz")), context())
    const read = empty()
    await imported(
      read,
      files.map((file) => join(folder, file)),
      { format }
    )
    return read
  }

const byIo =
  (name: string, writer: string): Way =>
  async (graph, path) => {
    const environment = { ...openEnvironment, dataFolder: { path, closed: new Set<string>() }, formats: fileFormats }
    await runLater(graph, `g.io('${name}').with(IO.writer, '${writer}').write()`, { environment })
    const read = empty()
    await runLater(read, `g.io('${name}').read()`, { environment })
    return read
  }

const number = [0, -1, 2147483647, 256n, -(2n ** 63n), 0.1, -0, Number.NaN, Number.NEGATIVE_INFINITY, double(1)]
const plain = ["", " b ", "256", "\t\r\n", "\u0085\u2028", "née \ud83d\ude00 <&>]]>\"'", true, false, ...number]
const controls = ["\0", "\u0001\u000b\u001f\u007f", "\ufffe\uffff"]
const further = [new Float(0.1), new Byte(-1), new Short(300), new BigInteger(2n ** 70n), new Uuid(uuid), new Char("é")]
const dates = [new Timestamp(1e12), parseDate("2007-12-03T10:15:30.12+01:00"), new Duration(3n, 5)]
const binary = [
  new Temporal("Instant", "+12000-01-01T00:00:00.000000005Z"),
  Uint8Array.of(0, 255, 10),
  new Uint8Array(0)
]
const collections = [
  ["a", 1, 256n],
  new GremlinSet(["a", 1]),
  new GremlinMap([
    ["a", 1],
    [2n, ["b"]]
  ])
]

/** A format, and the values that it must not refuse. */
const ways: ReadonlyArray<readonly [string, Way, ReadonlyArray<unknown>]> = [
  [
    "export of CSV",
    byTools("csv", "out", ["out/vertices.csv", "out/edges.csv"]),
    [...plain, ...controls, ...further, ...dates, ...shapes(), ...binary]
  ],
  [
    "export of compressed CSV",
    byTools("csv", "out", ["out/vertices.csv.gz", "out/edges.csv.gz"]),
    [...plain, ...controls, ...further, ...dates]
  ],
  [
    "export of GraphSON",
    byTools("graphson", "out.json", ["out.json"]),
    [...plain, ...controls, ...further, ...dates, ...collections, ...shapes()]
  ],
  [
    "export of compressed GraphSON",
    byTools("graphson", "out.gz", ["out.gz"]),
    [...plain, ...controls, ...further, ...dates, ...collections, ...shapes()]
  ],
  ["export of GraphML", byTools("graphml", "out.graphml", ["out.graphml"]), [...plain, new Float(0.1)]],
  ["export of compressed GraphML", byTools("graphml", "out.xml.gz", ["out.xml.gz"]), [...plain, new Float(0.1)]],
  [
    "io() of GraphSON 1",
    byIo("out.json", "graphson-v1"),
    ["", "256", "née \ud83d\ude00", ...controls, true, 0, -1, 0.1]
  ],
  ["io() of GraphSON 2", byIo("out.json", "graphson-v2"), [...plain, ...controls, ...further, ...dates]],
  [
    "io() of GraphSON 3",
    byIo("out.json", "graphson-v3"),
    [...plain, ...controls, ...further, ...dates, ...collections, ...shapes()]
  ],
  ["io() of GraphML", byIo("out.graphml", "graphml"), [...plain, new Float(0.1)]]
]

/** What an encoder reports about a value that its format cannot store: the element and the value. */
const refusal = /^The (vertex|edge) .+ has .+, which .+ cannot hold; /s

describe("A graph that is written to a file and read again", () => {
  for (const [name, way, held] of ways) {
    it(`by ${name} is the same, or was refused with the place of a value that the format cannot store`, () =>
      fc.assert(
        fc.asyncProperty(samples, async (given) => {
          const graph = filled(given)
          let read: GraphStore
          try {
            read = await way(graph, newFolder())
          } catch (error) {
            assert.match((error as Error).message, refusal)
            return
          }
          assert.deepEqual(await contents(read), await contents(graph))
        }),
        { numRuns: RUNS }
      ))

    it(`by ${name} keeps all values that the format can store, under one key`, async () => {
      const graph = filled(
        held.map((value) => ({ label: "person", properties: [["a", value]], meta: [], edge: [["a", value]] }))
      )
      assert.deepEqual(await contents(await way(graph, newFolder())), await contents(graph))
    })
  }
})
