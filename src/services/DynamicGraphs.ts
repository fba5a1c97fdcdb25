import type { SourceInstructions } from "../process/compiler/Planner.ts"
import { TaggedError } from "../structure/errors/TaggedError.ts"
import type { GraphStore } from "../structure/graph/GraphStore.ts"
import type { GraphSettings } from "./GraphSettings.ts"

/** The option with the name of a graph. */
export const GRAPH_NAME = "graph.graphname"

/** The options of a graph by name, such as `storage.backend`, as the configuration graph keeps them. */
export type GraphConfiguration = ReadonlyMap<string, unknown>

/** `dynamicGraphs` of the YAML file: limits of graphs that are created while the server runs. */
export interface DynamicGraphSettings {
  /**
   * Whether clients may create, change and drop graphs. Undefined: true, and false with authentication but without
   * authorization.
   */
  readonly allowed: boolean | undefined
  /** Absolute path of the folder that has all folders of such graphs. Default `graphs`. */
  readonly directory: string
  /** Values that `storage.hostname` may have, in addition to those of the configuration graph. Default none. */
  readonly hosts: ReadonlyArray<string>
  /** Graphs that may be configured. Default 1,000. */
  readonly maxGraphs: number
  /** Graphs that may be open at the same time. Default 64. */
  readonly maxOpenGraphs: number
  /** Bytes of cached rows of all open graphs together; 0: none. Default: a quarter of the memory budget. */
  readonly cacheBytes: number
  /** Time without a request after which a graph is closed until its next request, ms. Default 600,000; 0 off. */
  readonly idleTimeout: number
  /** Time between two reads of the configuration graph, which other servers may change, ms. Default 5,000. */
  readonly refreshInterval: number
}

/**
 * Why a call that manages graphs fails. `missing`: there is no such graph or configuration; `exists`: there is one already;
 * `invalid`: the name or an option; `limit`: too many graphs; `failed`: the storage.
 */
export type DynamicGraphProblem = "missing" | "exists" | "invalid" | "limit" | "failed"

/** A graph cannot be created, opened, changed or dropped. */
export class DynamicGraphError extends TaggedError {
  readonly _tag = "DynamicGraphError"
  readonly problem: DynamicGraphProblem
  constructor(problem: DynamicGraphProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** A graph of the configuration graph, as listings show it. */
export interface DynamicGraphStatus {
  readonly name: string
  /** `closed` until the next request; `failed`: its configuration cannot be used here. */
  readonly state: "open" | "closed" | "failed"
  /** Why the graph cannot be opened. Undefined unless it failed. */
  readonly reason: string | undefined
}

/** The configurations of the configuration graph. All methods fail with DynamicGraphError. */
export interface GraphConfigurations {
  /** Adds the configuration of a graph, whose name is the option `graph.graphname`. Returns the name. */
  create(options: GraphConfiguration): Promise<string>
  /** Changes and adds options. The graph is closed, so that its next use opens it with them. */
  update(name: string, options: GraphConfiguration): Promise<void>
  /** Removes options, as far as the configuration has them. The graph is closed, so that its next use opens it without them. */
  removeOptions(name: string, keys: ReadonlySet<string>): Promise<void>
  /** True if there may be data of a graph of this name, whose configuration was removed. */
  keepsData(name: string): boolean
  /** Removes a configuration and closes the graph. The data stays. Does nothing if there is no such configuration. */
  remove(name: string): Promise<void>
  /** The configuration of a graph, with masked secrets; null for none. */
  find(name: string): Promise<GraphConfiguration | null>
  /** All configurations, with masked secrets. */
  all(): Promise<ReadonlyArray<GraphConfiguration>>
  createTemplate(options: GraphConfiguration): Promise<void>
  updateTemplate(options: GraphConfiguration): Promise<void>
  removeTemplate(): Promise<void>
  /** The template, with masked secrets; null for none. */
  template(): Promise<GraphConfiguration | null>
}

/** A traversal source of a graph: the TraversalSource of the registry. */
export interface NamedSource {
  readonly name: string
  readonly store: GraphStore
  readonly settings: SourceInstructions
}

/**
 * The graphs that are created while the server runs. Their configurations are vertices of the configuration graph. All
 * methods that return a promise fail with DynamicGraphError.
 */
export interface DynamicGraphs {
  /** Whether clients may call the methods below: the settings forbid it with authentication and without authorization. */
  readonly allowed: boolean
  /** Changes with the names of graphs and traversal sources. */
  readonly revision: number
  /** The traversal sources of open graphs, by name: `<graph>_traversal`. */
  readonly sources: ReadonlyMap<string, NamedSource>
  /** Whether any graph is closed. */
  readonly hasClosed: boolean
  /** The graph of this name that is closed, if the name is that of a closed graph or of its source. */
  closedGraphOf(name: string): string | undefined
  /** Creates the configuration of a graph from the template, and opens the graph. */
  create(name: string): Promise<GraphStore>
  /** Opens a graph, or returns the open graph. */
  open(name: string): Promise<GraphStore>
  /** Closes a graph of this server until its next use. Returns false if it was not open. Waits for its transactions. */
  close(name: string): Promise<boolean>
  /** Closes a graph, and deletes its data and its configuration. `begun` is called when it cannot be stopped any more. */
  drop(name: string, begun?: () => void): Promise<void>
  /** The configurations, which {@link create} and {@link open} use. */
  readonly configurations: GraphConfigurations
  /** Names of all configured graphs, sorted. Reads the configuration graph. */
  names(): Promise<ReadonlyArray<string>>
  /** All configured graphs by name, as far as this server knows. */
  list(): ReadonlyArray<DynamicGraphStatus>
  /** The settings of an open graph. */
  settingsOf(name: string): GraphSettings | undefined
  /**
   * The configured graph that has the data of these settings; undefined for none. Throws DynamicGraphError if one has only the
   * documents in a search engine.
   */
  graphWithData(settings: GraphSettings): string | undefined
  /** Another configured graph that may have the data of these settings, on whatever hosts; undefined for none. */
  graphNear(settings: GraphSettings): string | undefined
  /** A graph that is or was configured and may have an index of a search engine, on whatever hosts; undefined for none. */
  graphWithIndex(index: string): string | undefined
  /** Whether a graph that scripts have open may have an index of a search engine. The list of these graphs sets it. */
  scriptGraphWithIndex: (index: string) => boolean
}

/** The text that replaces the values of secrets. It is refused as a value. */
export const MASKED_SECRET = "****"

/**
 * The defaults of {@link DynamicGraphSettings}.
 *
 * @param memoryBudget bytes, above 0
 */
export const dynamicGraphDefaults = (memoryBudget: number): DynamicGraphSettings => ({
  allowed: undefined,
  directory: `${process.cwd()}/graphs`,
  hosts: [],
  maxGraphs: 1_000,
  maxOpenGraphs: 64,
  cacheBytes: Math.floor(memoryBudget / 4),
  idleTimeout: 600_000,
  refreshInterval: 5_000
})
