import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { assert } from "vitest"
import { exportGraph } from "../../../src/layers/tools/Export.ts"
import type { FileFormat } from "../../../src/layers/tools/InputFiles.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import { parseDate } from "../../../src/structure/Dates.ts"
import type { GraphStore } from "../../../src/structure/GraphStore.ts"
import { double, Float, Short } from "../../../src/structure/Numbers.ts"
import { Timestamp, Uuid } from "../../../src/structure/Temporal.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { contents, context, fill, imported, newFolder, randomGraph } from "./Graphs.ts"

const texts = fc.oneof(
  fc.fullUnicodeString({ maxLength: 12 }),
  fc.constantFrom("", " ", "\r\n", '"', "a,b", "\\e", "\\;")
)

const kinds = {
  text: texts,
  whole: fc.integer(),
  long: fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
  number: fc.double({ noNaN: true }).map(double),
  float: fc.float({ noNaN: true }).map((value) => new Float(value)),
  short: fc.integer({ min: -32768, max: 32767 }).map((value) => new Short(value)),
  flag: fc.boolean(),
  id: fc.uuid().map((value) => new Uuid(value)),
  at: fc.integer({ min: -1e12, max: 1e12 }).map((value) => new Timestamp(value))
}

/** GraphML has few types, and no controls in its texts. */
const kindsOfGraphML = {
  text: fc.constantFrom("", "a", " b ", "née <&>", "]]>", "\n"),
  whole: kinds.whole,
  long: kinds.long,
  number: kinds.number,
  flag: kinds.flag
}

const stores: ReadonlyArray<readonly [string, () => Promise<GraphStore>]> = [
  ["in memory", () => Promise.resolve(new MemoryGraph(tinkerGraph("test")))],
  ["over cells in memory", () => cellGraph(new MemoryCellStore())],
  ["over lmdb", async () => cellGraph(await lmdbStore({ sync: "none" }))]
]

const formats: ReadonlyArray<readonly [FileFormat, string, ReadonlyArray<string>]> = [
  ["csv", "out", ["vertices.csv", "edges.csv"]],
  ["csv", "out.gz", ["vertices.csv.gz", "edges.csv.gz"]],
  ["graphson", "out.json", []],
  ["graphson", "out.json.gz", []],
  ["graphml", "out.graphml", []]
]

describe("What is exported", () => {
  for (const [store, open] of stores) {
    for (const [format, name, files] of formats) {
      it(`to ${name} (${format}) is the same graph once it is imported again, ${store}`, () =>
        fc.assert(
          fc.asyncProperty(randomGraph(format === "graphml" ? kindsOfGraphML : kinds), async (random) => {
            const plain = { ...random, vertices: random.vertices.map((vertex) => ({ ...vertex, tags: [] })) }
            const given = format === "graphml" ? plain : random
            const first = await open()
            await fill(first, given)
            const folder = newFolder()
            await exportGraph(first, join(folder, name), format, context())
            const paths = files.length === 0 ? [join(folder, name)] : files.map((file) => join(folder, "out", file))
            const second = await open()
            await imported(second, paths)
            assert.deepEqual(await contents(second), await contents(first))
            await first.close()
            await second.close()
          }),
          { numRuns: store === "over lmdb" ? 5 : 20 }
        ))
    }
  }

  it("says what CSV and GraphML cannot hold", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", 1)
    transaction.setVertexProperty(ref, null, "name", "x", undefined, new Map([["since", 3]]))
    transaction.setVertexProperty(ref, null, "when", parseDate("2020-01-01"), undefined, null)
    transaction.commit()
    for (const format of ["csv", "graphml"] as const) {
      await exportGraph(graph, join(newFolder(), "out"), format, context()).then(
        () => assert.fail("it was exported"),
        ({ message }) =>
          assert.match(
            message,
            /^The vertex 1 has meta-properties of name, which .* cannot hold; write GraphSON instead\.$/
          )
      )
    }
  })

  it("does not write over files", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const file = join(newFolder(), "out.json")
    await exportGraph(graph, file, "graphson", context())
    await exportGraph(graph, file, "graphson", context()).then(
      () => assert.fail("it was written over"),
      ({ message }) => assert.match(message, /out\.json is there already; name another place, or remove it\.$/)
    )
  })
})
