import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { assert } from "vitest"
import { exportGraph } from "../../../src/layers/tools/Export.ts"
import { exportTarget } from "../../../src/layers/tools/ExportTarget.ts"
import type { FileFormat } from "../../../src/layers/tools/InputFiles.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { double, Float, Short } from "../../../src/structure/numbers/Numbers.ts"
import { Cardinality } from "../../../src/structure/scalars/Enums.ts"
import { Uuid } from "../../../src/structure/scalars/Uuid.ts"
import { Timestamp } from "../../../src/structure/times/Temporal.ts"
import { newFolder } from "../../Folders.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { lmdbStore } from "../../storage/lmdb/Stores.ts"
import { contents, context, fill, imported, randomGraph } from "./Graphs.ts"

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

/** GraphML has few types, and no control characters in texts. */
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

/** Format, name of the target, whether `--gzip` is given, and the written files. */
const formats: ReadonlyArray<readonly [FileFormat, string, boolean, ReadonlyArray<string>]> = [
  ["csv", "out", false, ["out/vertices.csv", "out/edges.csv"]],
  ["csv", "out", true, ["out/vertices.csv.gz", "out/edges.csv.gz"]],
  ["graphson", "out.json", false, ["out.json"]],
  ["graphson", "out.json.gz", false, ["out.json.gz"]],
  ["graphml", "out.graphml", false, ["out.graphml"]],
  ["graphml", "out.xml.gz", false, ["out.xml.gz"]]
]

const isGzip = (path: string): boolean =>
  readFileSync(path)
    .subarray(0, 2)
    .equals(Buffer.from([0x1f, 0x8b]))

describe("An export", () => {
  for (const [store, open] of stores) {
    for (const [format, name, gzip, files] of formats) {
      it(`to ${files.join(" and ")} gives the same graph when it is imported again, ${store}`, () =>
        fc.assert(
          fc.asyncProperty(randomGraph(format === "graphml" ? kindsOfGraphML : kinds), async (random) => {
            const plain = { ...random, vertices: random.vertices.map((vertex) => ({ ...vertex, tags: [] })) }
            const given = format === "graphml" ? plain : random
            const first = await open()
            await fill(first, given)
            const folder = newFolder()
            await exportGraph(first, exportTarget(join(folder, name), format, gzip), context())
            const paths = files.map((file) => join(folder, file))
            for (const path of paths) assert.strictEqual(isGzip(path), path.endsWith(".gz"))
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

  it("leaves no file when it is stopped in the second one", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    await fill(graph, {
      vertices: [{ label: "person", properties: [], tags: [] }],
      edges: [{ label: "knows", properties: [], out: 0, into: 0 }]
    })
    const folder = join(newFolder(), "out")
    const target = exportTarget(folder, "csv", false)
    const report = ({ stage }: { readonly stage: string }): void => {
      if (stage === "edges") throw new Error("stopped")
    }
    const failure: unknown = await exportGraph(graph, target, { ...context(), report }).catch((error) => error)
    assert.match(String(failure), /stopped/)
    assert.deepEqual(readdirSync(folder), [])
    await exportGraph(graph, target, context())
    assert.deepEqual(readdirSync(folder).sort(), ["edges.csv", "vertices.csv"])
  })

  it("keeps the values of two types that one vertex has under one key in CSV", async () => {
    const graph = new MemoryGraph(tinkerGraph("test", { defaultVertexPropertyCardinality: "list" }))
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", undefined)
    for (const value of ["", 1, 1n, true]) transaction.setVertexProperty(ref, Cardinality.list, "a", value)
    transaction.commit()
    const folder = newFolder()
    await exportGraph(graph, exportTarget(join(folder, "out"), "csv", false), context())
    // A key has one value by default in this graph.
    const read = new MemoryGraph(tinkerGraph("test"))
    await imported(read, [join(folder, "out", "vertices.csv")], { format: "csv" })
    assert.deepEqual(await contents(read), await contents(graph))
  })

  it("reports values that CSV and GraphML cannot store", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const transaction = graph.begin()
    const ref = transaction.addVertex("person", 1)
    transaction.setVertexProperty(ref, null, "name", "x", { meta: new Map([["since", 3]]) })
    transaction.commit()
    for (const format of ["csv", "graphml"] as const) {
      await exportGraph(graph, exportTarget(join(newFolder(), "out"), format, false), context()).then(
        () => assert.fail("it was exported"),
        ({ message }) =>
          assert.match(
            message,
            /^The vertex 1 has meta-properties of name, which .* cannot hold; write GraphSON 3 instead\.$/
          )
      )
    }
  })

  it("does not overwrite files", async () => {
    const graph = new MemoryGraph(tinkerGraph("test"))
    const target = exportTarget(join(newFolder(), "out.json"), undefined, false)
    await exportGraph(graph, target, context())
    await exportGraph(graph, target, context()).then(
      () => assert.fail("it was written over"),
      ({ message }) => assert.match(message, /out\.json exists already; name another file, or remove it\.$/)
    )
  })
})
