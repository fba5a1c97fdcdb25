import { readFileSync } from "node:fs"
import { GraphSONReader } from "../protocol/graphson/GraphSONReader.ts"
import { loadAdjacencyLines } from "../storage/memory/AdjacencyLines.ts"
import type { GraphStore } from "../structure/GraphStore.ts"

/** A value of a line, which JSON.parse has read already: ids and properties are small, and files are read once. */
const decode = (json: unknown): unknown =>
  new GraphSONReader(JSON.stringify(json), { classes: false, integers: "Int" }).value()

/**
 * Loads a file of GraphSON adjacency lines, one vertex a line: the form of TinkerPop's data sets, such as
 * grateful-dead-v3.json. Throws with the line where it is another form.
 */
export const loadAdjacencyFile = (store: GraphStore, file: string): void => {
  const lines = readFileSync(file, "utf8").split("\n")
  loadAdjacencyLines(
    store,
    lines.filter((line) => line.trim() !== "").map((line): unknown => JSON.parse(line)),
    decode
  )
}
