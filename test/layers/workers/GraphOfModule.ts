import { appendFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { openGraph } from "../../../src/layers/graphs/GraphStores.ts"
import { type GraphSettings, tinkerGraphDefaults } from "../../../src/services/GraphSettings.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"

/** The module of a graph in memory. Adds a line to the file that the option `calls` names. */
export default (settings: GraphSettings): Promise<GraphStore> => {
  appendFileSync(settings.options.get("calls")!, "opened\n")
  return Effect.runPromise(
    openGraph({ ...settings, factory: { kind: "TinkerGraph", tinkergraph: tinkerGraphDefaults } })
  )
}
