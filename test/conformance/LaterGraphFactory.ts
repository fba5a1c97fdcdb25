import type { GraphSettings, IdManager } from "../../src/services/GraphSettings.ts"
import { MemoryGraph } from "../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph } from "../../src/storage/memory/Options.ts"
import { LaterGraph } from "../storage/LaterGraph.ts"

/** Opens a TinkerGraph that answers all reads asynchronously. The graph factory of `--async-store`. */
const open = ({ name, options }: GraphSettings): LaterGraph => {
  const idManager = (element: string): IdManager =>
    (options.get(`engine.tinkergraph.${element}IdManager`) ?? "ANY") as IdManager
  return new LaterGraph(
    new MemoryGraph(
      tinkerGraph(name, {
        vertexIdManager: idManager("vertex"),
        edgeIdManager: idManager("edge"),
        vertexPropertyIdManager: idManager("vertexProperty"),
        allowNullPropertyValues: options.get("engine.tinkergraph.allowNullPropertyValues") === "true"
      })
    )
  )
}

export default open
