import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { TinkerGraphOrder } from "../../../src/layers/graphs/GratefulDead.ts"
import type { StreamedEdge } from "../../../src/structure/graph/GraphStream.ts"
import { post } from "../support/HttpClient.ts"
import { startServer } from "../support/TestServers.ts"

const folder = mkdtempSync(join(tmpdir(), "engine-server-grateful-"))
afterAll(() => rmSync(folder, { recursive: true }))

const graphml = `\ufeff<?xml version="1.0"?>
<graphml><key id="labelV" for="node" attr.name="labelV" attr.type="string"/>
<key id="labelE" for="edge" attr.name="labelE" attr.type="string"/>
<key id="name" for="node" attr.name="name" attr.type="string"/>
<graph edgedefault="directed"><node id="1"><data key="labelV">song</data><data key="name">A</data></node>
<node id="2"><data key="labelV">song</data></node>
<edge id="9" source="1" target="2"><data key="labelE">followedBy</data></edge></graph></graphml>`

const graphson = [
  '{"id":1,"label":"song","outE":{"followedBy":[{"id":9,"inV":2}]},"properties":{"name":[{"id":0,"value":"A"}]}}',
  '{"id":2,"label":"song","inE":{"followedBy":[{"id":9,"outV":1}]}}'
].join("\n")

/** A vertex with a property, as TinkerPop's GryoWriter writes it: header, vertex, terminator. */
const gryo = Buffer.from(
  "67696f0000000000000000000000000001800000020201827600000102018262020900030182610f0101093a158a11709b9996",
  "hex"
)

describe("TinkerFactoryDataLoader", () => {
  it.each<readonly [string, string | Buffer, ReadonlyArray<number>]>([
    ["GraphSON", graphson, [2, 1]],
    ["GraphML", graphml, [2, 1]],
    ["Gryo", gryo, [1, 0]]
  ])("reads grateful from a file of %s with any name", async (_format, content, counts) => {
    const file = join(folder, "grateful")
    writeFileSync(file, content)
    const { authority } = await startServer({ datasets: [{ graph: "graph", dataset: "grateful", file }] })
    const count = async (elements: string) => (await post(authority, `g.${elements}().count()`)).json.result.data[0]
    expect([await count("V"), await count("E")]).toEqual(counts)
  })

  it("refuses a file of another format, with its path", async () => {
    const file = join(folder, "other")
    for (const content of ["", "id,label\n1,song\n"]) {
      writeFileSync(file, content)
      const starting = startServer({ datasets: [{ graph: "graph", dataset: "grateful", file }] })
      await expect(starting).rejects.toThrow(`${file} is neither GraphSON nor GraphML nor Gryo`)
    }
  })
})

/** The ids of the edges, [id, out, in, label], in the order of the output. */
const ordered = (
  edges: ReadonlyArray<readonly [number | string, number, number, string]>,
  place: "out" | "in" | "alone" = "out"
): ReadonlyArray<unknown> => {
  const given: Array<unknown> = []
  const order = new TinkerGraphOrder({ vertex: () => {}, edge: (edge) => given.push(edge.id) })
  for (const [id, from, to, label] of edges) {
    order.edge({ id, out: from, in: to, label, properties: [] } as unknown as StreamedEdge, place)
  }
  expect(given).toEqual([])
  order.finish()
  return given
}

describe("The order of TinkerGraph's edges", () => {
  it("is the order of hash buckets: by the lowest bits of the id, four of them for up to 12 edges", () => {
    expect(
      ordered([
        [33, 1, 2, "a"],
        [16, 1, 3, "a"],
        [5, 1, 4, "a"]
      ])
    ).toEqual([16, 33, 5])
  })

  it("doubles the buckets when they are three quarters full", () => {
    const edges = [16, ...Array.from({ length: 12 }, (_, i) => i)].map((id) => [id, 1, 100 + id, "a"] as const)
    expect(ordered(edges)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16])
    expect(ordered(edges.slice(0, 12))).toEqual([0, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it("is by in-vertex within a bucket", () => {
    expect(
      ordered([
        [16, 1, 9, "a"],
        [32, 1, 2, "a"]
      ])
    ).toEqual([32, 16])
  })

  it("is by hashes of strings for GraphML, which lists edges, and by the order of the file within a bucket", () => {
    // "1" hashes to 49 and "a" to 97, the same of sixteen buckets; "0" hashes to 48.
    expect(
      ordered(
        [
          ["a", 1, 2, "a"],
          ["1", 1, 9, "a"],
          ["0", 1, 3, "a"]
        ],
        "alone"
      )
    ).toEqual(["0", "a", "1"])
  })

  it("is separate for each label, and uses each edge of an adjacency list once", () => {
    expect(
      ordered([
        [2, 1, 2, "b"],
        [1, 1, 2, "a"],
        [0, 1, 2, "b"]
      ])
    ).toEqual([0, 2, 1])
    expect(ordered([[1, 1, 2, "a"]], "in")).toEqual([])
  })

  it("agrees with the order of in-edges, too, where both are possible", () => {
    // Out of 1: 3 before 4. Into 9: 2 before 3.
    expect(
      ordered([
        [4, 1, 8, "a"],
        [3, 1, 9, "a"],
        [2, 5, 9, "a"]
      ])
    ).toEqual([2, 3, 4])
  })
})
