import { describe, expect, it } from "vitest"
import { counted } from "../../../src/layers/tools/Report.ts"
import { statsText } from "../../../src/layers/tools/Stats.ts"

describe("A count in the report of a command", () => {
  it("has a singular for one, and a plural for all other numbers", () => {
    expect([0, 1, 2, 1000].map((count) => counted(count, "index entry"))).toEqual([
      "0 index entries",
      "1 index entry",
      "2 index entries",
      "1,000 index entries"
    ])
    expect(["vertex", "row", "cell"].map((kind) => counted(1, kind as "row"))).toEqual(["1 vertex", "1 row", "1 cell"])
  })

  it("is one row, one cell and one entry in the text of stats", () => {
    const text = statsText({
      graph: "graph",
      vertices: { person: 1 },
      edges: {},
      tables: [{ table: "edgestore", rows: 1, cells: 1, bytes: 40 }],
      indexes: [{ name: "byName", element: "vertex", keys: ["name"], unique: true, status: "ENABLED", entries: 1 }],
      fileBytes: undefined
    })
    expect(text.split("\n")).toEqual([
      "Graph graph",
      "Vertices: 1",
      "  person  1",
      "Edges: 0",
      "Indexes:",
      "  byName  vertex name, unique  ENABLED  1 entry",
      "Tables:",
      "  edgestore  1 row, 1 cell, 40 bytes"
    ])
  })
})
