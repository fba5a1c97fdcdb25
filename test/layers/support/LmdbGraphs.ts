import { join } from "node:path"
import { decodeGraphFile } from "../../../src/layers/config/GraphFile.ts"
import type { GraphSettings, ServerSettings } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"

/** The settings of a properties file with these lines. */
export const graphOf = (lines: ReadonlyArray<string>, home: string = newFolder()): GraphSettings => {
  const text = ["gremlin.graph=org.janusgraph.core.JanusGraphFactory", ...lines].join("\n")
  const folders = { home, cwd: home, library: undefined, installation: home }
  const { graph, problems } = decodeGraphFile(
    "graph",
    { file: join(home, "graph.properties"), text, overrides: [], environment: {} },
    folders
  )
  if (graph === undefined) throw new Error(JSON.stringify(problems))
  return graph
}

/** Settings of a server that serves the graph in a folder as `g`. */
export const onLmdb = (folder: string, ...lines: ReadonlyArray<string>): Partial<ServerSettings> => ({
  graphs: new Map([
    ["graph", graphOf(["storage.backend=lmdb", `storage.directory=${join(folder, "db")}`, ...lines], folder)]
  ])
})
