import * as Context from "effect/Context"
import type { GraphFault } from "../structure/graph/GraphStore.ts"

/** The state of an open graph. */
interface GraphHealth {
  readonly name: string
  /** Why the graph is closed or read-only; undefined while it works as configured. */
  readonly fault: GraphFault | undefined
}

/** The state of the parts of the server that can fail permanently. */
export class Health extends Context.Tag("engine-server/Health")<
  Health,
  {
    /** The hosted graphs, and the credentials graph when there is one. */
    readonly graphs: () => ReadonlyArray<GraphHealth>
  }
>() {}
