import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Credentials } from "../../services/Credentials.ts"
import { GraphRegistry } from "../../services/GraphRegistry.ts"
import { Health } from "../../services/Health.ts"
import { Metrics } from "../../services/Metrics.ts"

/** The name of the graph of the users, which has none in the settings. */
const CREDENTIALS_GRAPH = "credentials"

/** Reads the state of the graphs at each call, and exports it as metrics. */
export const layer: Layer.Layer<Health, never, Credentials | GraphRegistry | Metrics> = Layer.effect(
  Health,
  Effect.gen(function* () {
    const { graphs } = yield* GraphRegistry
    const users = yield* Credentials
    const metrics = yield* Metrics
    const all = () => {
      const found = Array.from(graphs, ([name, { fault }]) => ({ name, fault }))
      return users === null ? found : [...found, { name: CREDENTIALS_GRAPH, fault: users.fault }]
    }
    metrics.gaugeBy("engine_server_graph_closed", "1 for a graph that refuses every request.", () =>
      all().map(({ fault, name }) => ({ labels: { graph: name }, value: fault?.isClosed === true ? 1 : 0 }))
    )
    metrics.gaugeBy("engine_server_graph_writes_stopped", "1 for a graph that refuses every write.", () =>
      all().map(({ fault, name }) => ({ labels: { graph: name }, value: fault === undefined ? 0 : 1 }))
    )
    return { graphs: all }
  })
)
