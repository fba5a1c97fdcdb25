import * as Context from "effect/Context"
import type { GraphFault } from "../structure/GraphStore.ts"

/** How a graph is that the server opened. */
interface GraphHealth {
  readonly name: string
  /** Undefined while the graph is read and written as its settings say. */
  readonly fault: GraphFault | undefined
}

/** Whether the parts of the server that can fail for good have failed. */
export class Health extends Context.Tag("engine-server/Health")<
  Health,
  {
    /** The hosted graphs, and the graph of the users where there is one. */
    readonly graphs: () => ReadonlyArray<GraphHealth>
  }
>() {}
