import type { GraphSettings } from "../../../src/services/GraphSettings.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"

const kept = new Map<string, GraphStore>()

/** A graph in memory that keeps its data until its file is opened again in this process. It replaces a graph on disk. */
export default ({ file = "", name }: GraphSettings): GraphStore => {
  const known = kept.get(file)
  if (known !== undefined) return known
  const options = tinkerGraph(name)
  const graph = new MemoryGraph({ ...options, features: { ...options.features, persistent: true } })
  graph.close = () => Promise.resolve()
  kept.set(file, graph)
  return graph
}
