import { describe, expect, it } from "vitest"
import { verifyGraph } from "../../../../src/layers/tools/Verification.ts"
import { Parameter } from "../../../../src/storage/janusgraph/format/JavaValues.ts"
import { dataTypeOf } from "../../../../src/storage/janusgraph/management/SchemaEditor.ts"
import { Geoshape } from "../../../../src/structure/geoshapes/Geoshape.ts"
import { shapeOfText } from "../../../../src/structure/geoshapes/WellKnownText.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { context } from "../../../layers/tools/Graphs.ts"
import { runLater } from "../../../process/run.ts"
import { opened } from "./DocumentGraphs.ts"

const AREAS = "janusgraph_areas"

/** A graph with an index of shapes: `tree` with the mapping PREFIX_TREE, `zone` with BKD. */
const withShapes = async () => {
  const made = await opened({}, { forceIndex: true })
  const { management } = made.graph
  const editor = await management.edit()
  const keys = ["tree", "zone"].map((name) => editor.makeKey(name, dataTypeOf("Geoshape"), "SINGLE"))
  const parameters = [[new Parameter("index-geo-max-levels", 12)], []]
  const index = { name: "areas", element: "vertex", kind: "mixed", unique: false, backing: "search", keys } as const
  editor.makeIndex({ ...index, mappings: ["PREFIX_TREE", "BKD"], parameters })
  await management.commit(editor)
  return made
}

const shapes = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(texts).map(([name, of]) => [name, Geoshape.of(shapeOfText(of))]))

const places = {
  there: "POLYGON ((-5 -5, 9 -5, 9 9, -5 9, -5 -5))",
  far: "ENVELOPE (50, 60, 60, 50)"
}

describe("A mixed index of shapes in a search engine", () => {
  it("has JanusGraph's mappings", async () => {
    const { engine } = await withShapes()
    expect(engine.mappings.get(AREAS)).toEqual({
      tree: { type: "geo_shape", tree: "quadtree", tree_levels: 12, distance_error_pct: 0.025 },
      zone: { type: "geo_shape" },
      all: { type: "text" }
    })
  })

  it.each([
    ["POINT (2.5 1.5)", { type: "Point", coordinates: [2.5, 1.5] }],
    [
      "LINESTRING (1 2, 3 4)",
      {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 4]
        ]
      }
    ],
    [
      "ENVELOPE (2, 4, 3, 1)",
      {
        type: "envelope",
        coordinates: [
          [2, 3],
          [4, 1]
        ]
      }
    ],
    [
      "POLYGON ((0 0, 0 1, 1 1, 0 0))",
      {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [0, 1],
            [1, 1],
            [0, 0]
          ]
        ]
      }
    ],
    [
      "GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (1 2, 3 4))",
      {
        type: "GeometryCollection",
        geometries: [
          { type: "Point", coordinates: [1, 1] },
          {
            type: "LineString",
            coordinates: [
              [1, 2],
              [3, 4]
            ]
          }
        ]
      }
    ]
  ])("gets JanusGraph's form of %s, is asked for it, and is verified", async (shape, json) => {
    const { engine, graph } = await withShapes()
    const variables = shapes({ ...places, shape })
    const ask = (script: string) => runLater(graph, script, { as: text, variables })
    for (const key of ["tree", "zone"]) {
      await ask(`g.addV().property('${key}', shape)`)
      expect(await ask(`g.V().has('${key}', geoWithin(there)).count()`)).toEqual(["1"])
      expect(await ask(`g.V().has('${key}', geoIntersect(far)).count()`)).toEqual(["0"])
    }
    expect(engine.documents(AREAS)).toEqual([{ tree: json }, { zone: json }])
    const search = engine.received.findLast(({ path }) => path.endsWith("_search?scroll=60s"))!
    expect(search.body).toContain('{"geo_shape":{"zone":{"shape":{"type":"envelope"')
    expect(await verifyGraph(graph, false, context())).toContain("Nothing is wrong.")
  })

  it("takes a circle with PREFIX_TREE only", async () => {
    const { engine, graph } = await withShapes()
    const variables = new Map([["round", Geoshape.circle(1, 2, 5.5)]])
    const ask = (script: string) => runLater(graph, script, { as: text, variables })
    await ask("g.addV().property('tree', round)")
    expect(engine.documents(AREAS)).toEqual([{ tree: { type: "Circle", coordinates: [2, 1], radius: "5.5km" } }])
    await expect(ask("g.addV().property('zone', round)")).rejects.toThrow("takes no such value of the key zone")
  })
})
