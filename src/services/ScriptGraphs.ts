import type { GraphStore } from "../structure/graph/GraphStore.ts"
import type { GraphConfiguration } from "./DynamicGraphs.ts"

/** The name of a graph that a script opened, in messages. Only its request or session uses it, so its access is not checked. */
export const OPENED_GRAPH = "graph of this script"

/**
 * A graph that `JanusGraphFactory.open()` found. `served`: a graph of the server with the same data, by its name. `opened`: a graph
 * that only scripts use; `close` ends one use of it, and calls after the first do nothing.
 */
export type FoundGraph =
  | { readonly kind: "served"; readonly name: string }
  | { readonly kind: "opened"; readonly store: GraphStore; readonly close: () => void }

/**
 * The graphs that scripts open by options. Requests that name the same data share one open graph, which closes at the end of its
 * last use. Methods that return a promise fail with DynamicGraphError.
 */
export interface ScriptGraphs {
  /** Whether scripts may open graphs: the settings forbid it with authentication and without authorization. */
  readonly allowed: boolean
  /**
   * Opens a graph. `wanted` has its options, or is the path of a properties file or a backend such as `inmemory` and
   * `berkeleyje:folder`.
   */
  open(wanted: string | GraphConfiguration): Promise<FoundGraph>
  /** Closes a graph that a script opened, and deletes its data. `begun` is called when it cannot be stopped any more. */
  drop(store: GraphStore, begun: () => void): Promise<void>
}
