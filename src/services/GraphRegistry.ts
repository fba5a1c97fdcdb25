import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { TraversalSourceSettings } from "../process/compiler/Planner.ts"
import type { GraphStore } from "../structure/GraphStore.ts"

/** A traversal source: a name that traversals start from. */
export interface TraversalSource {
  readonly name: string
  readonly store: GraphStore
  /** What the source adds to each traversal. */
  readonly settings: TraversalSourceSettings
}

/** A graph cannot be opened, so the server does not start. */
export class GraphUnavailable extends Data.TaggedError("GraphUnavailable")<{
  readonly graph: string
  /** The properties file; undefined for a graph that a program configures. */
  readonly file: string | undefined
  readonly reason: string
}> {
  override get message(): string {
    const where = this.file === undefined ? "" : ` configured in ${this.file}`
    return `The graph '${this.graph}'${where} cannot be opened: ${this.reason}`
  }
}

/** A traversal source cannot be made, so the server does not start. */
export class TraversalSourceInvalid extends Data.TaggedError("TraversalSourceInvalid")<{
  readonly source: string
  readonly reason: string
}> {
  override get message(): string {
    return `The traversal source '${this.source}' cannot be made: ${this.reason}`
  }
}

/** The hosted graphs and their traversal sources. The graphs are open while the scope of the layer is open. */
export class GraphRegistry extends Context.Tag("engine-server/GraphRegistry")<
  GraphRegistry,
  {
    readonly graphs: ReadonlyMap<string, GraphStore>
    readonly sources: ReadonlyMap<string, TraversalSource>
    /** The source of a graph without strategies: `graph.traversal()`. */
    readonly plain: (store: GraphStore) => TraversalSource
  }
>() {}
