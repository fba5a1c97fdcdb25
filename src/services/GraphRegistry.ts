import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { ScriptClosure } from "../gremlin/ScriptClosure.ts"
import type { SourceInstructions } from "../process/compiler/Planner.ts"
import type { GraphStore } from "../structure/graph/GraphStore.ts"
import type { DynamicGraphs } from "./DynamicGraphs.ts"
import type { ScriptGraphs } from "./ScriptGraphs.ts"

/** A traversal source: a name that traversals start from. */
export interface TraversalSource {
  readonly name: string
  readonly store: GraphStore
  /** What the source adds to each traversal. */
  readonly settings: SourceInstructions
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

/** An initialisation script fails, so the server does not start. */
export class InitScriptFailed extends Data.TaggedError("InitScriptFailed")<{
  readonly file: string
  /** Begins with the line and the column, if the error has a place in the script. */
  readonly reason: string
}> {
  override get message(): string {
    return `The initialisation script ${this.file} fails: ${this.reason}`
  }
}

/** What initialisation scripts define for the scripts of clients, besides traversal sources. */
export interface ScriptDefinitions {
  /** Values by name. */
  readonly values: ReadonlyMap<string, unknown>
  /** Functions by name: one for each number of parameters. */
  readonly functions: ReadonlyMap<string, readonly ScriptClosure[]>
}

/**
 * The hosted graphs and their traversal sources. The graphs are open while the scope of the layer is open. With {@link DynamicGraphs},
 * graphs and sources come and go.
 */
export class GraphRegistry extends Context.Tag("engine-server/GraphRegistry")<
  GraphRegistry,
  {
    readonly graphs: ReadonlyMap<string, GraphStore>
    readonly sources: ReadonlyMap<string, TraversalSource>
    /** The graphs that are created while the server runs. Absent: there is no configuration graph. */
    readonly dynamic?: DynamicGraphs
    /** The graphs that scripts open by options. Absent where scripts open none. */
    readonly opened?: ScriptGraphs
    /** The source of a graph without strategies: `graph.traversal()`. */
    readonly plain: (store: GraphStore) => TraversalSource
    /** Absent without initialisation scripts. */
    readonly definitions?: ScriptDefinitions
  }
>() {}

/** The traversal source of a name, of the configuration or of a graph that was created since. Undefined for none. */
export const sourceNamed = (
  { dynamic, sources }: Pick<typeof GraphRegistry.Service, "dynamic" | "sources">,
  name: string
): TraversalSource | undefined => sources.get(name) ?? dynamic?.sources.get(name)
