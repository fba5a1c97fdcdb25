import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { decodeGraphFile } from "../../../src/layers/config/GraphFile.ts"
import type { GraphSettings, ServerSettings } from "../../../src/services/Config.ts"

const folders: Array<string> = []

/** A folder that is removed at the end of the file. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-graph-"))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The settings of a properties file with these lines. */
export const graphOf = (lines: ReadonlyArray<string>, home: string = newFolder()): GraphSettings => {
  const text = ["gremlin.graph=org.janusgraph.core.JanusGraphFactory", ...lines].join("\n")
  const places = { home, cwd: home, library: undefined, installation: home }
  const { graph, problems } = decodeGraphFile("graph", join(home, "graph.properties"), text, [], places)
  if (graph === undefined) throw new Error(JSON.stringify(problems))
  return graph
}

/** Settings of a server that serves the graph in a folder as `g`. */
export const onLmdb = (folder: string, ...lines: ReadonlyArray<string>): Partial<ServerSettings> => ({
  graphs: new Map([
    ["graph", graphOf(["storage.backend=lmdb", `storage.directory=${join(folder, "db")}`, ...lines], folder)]
  ])
})
