import * as Effect from "effect/Effect"
import { DynamicGraphError, GRAPH_NAME, type GraphConfiguration } from "../../../services/DynamicGraphs.ts"
import { CellGraph } from "../../../storage/janusgraph/CellGraph.ts"
import { initializeSchema } from "../../../storage/janusgraph/management/SchemaJson.ts"
import { GremlinMap } from "../../../structure/collections/Collections.ts"
import { TransactionConflict } from "../../../structure/errors/StoreErrors.ts"
import type { GraphStore } from "../../../structure/graph/GraphStore.ts"
import { OwnTraversals, type Variables } from "../OwnTraversals.ts"

/** True on the vertex of the template, false on those of graphs. */
export const TEMPLATE = "Template_Configuration"
/** True on the vertex of a graph that was created from the template. */
export const FROM_TEMPLATE = "Created_Using_Template"

const VERTEX = "org.apache.tinkerpop.gremlin.structure.Vertex"

/** JanusGraph's keys and indexes. All other keys are options, which the graph creates at their first use. */
const schema = JSON.stringify({
  vertexLabels: [{ label: "Configuration" }],
  propertyKeys: [
    { key: GRAPH_NAME, className: "java.lang.String" },
    { key: TEMPLATE, className: "java.lang.Boolean" },
    { key: FROM_TEMPLATE, className: "java.lang.Boolean" }
  ],
  compositeIndexes: [
    { name: "Graph_Name_Index", typeClass: VERTEX, keys: [{ propertyKey: GRAPH_NAME }], unique: true },
    { name: "Template_Index", typeClass: VERTEX, keys: [{ propertyKey: TEMPLATE }] },
    { name: "Created_Using_Template_Index", typeClass: VERTEX, keys: [{ propertyKey: FROM_TEMPLATE }] }
  ]
})

const texts = {
  all: `g.V().has('${TEMPLATE}', false).valueMap()`,
  find: `g.V().has('${GRAPH_NAME}', name).valueMap()`,
  template: `g.V().has('${TEMPLATE}', true).valueMap()`,
  add: "g.addV('Configuration')",
  /** JanusGraph gives the template no label. */
  addTemplate: "g.addV()",
  change: `g.V().has('${GRAPH_NAME}', name)`,
  changeTemplate: `g.V().has('${TEMPLATE}', true)`,
  remove: `g.V().has('${GRAPH_NAME}', name).drop()`,
  removeTemplate: `g.V().has('${TEMPLATE}', true).drop()`
}

/** How often a change is repeated after a conflict with another server. */
const MAX_CONFLICT_RETRIES = 5

/** The text of a change, with `.property()` for each option, and its variables. */
const withOptions = (text: string, options: GraphConfiguration): readonly [string, Variables] => {
  const variables: Record<string, unknown> = {}
  let steps = ""
  let at = 0
  for (const [key, value] of options) {
    variables[`key${at}`] = key
    variables[`value${at}`] = value
    steps += `.property(single, key${at}, value${at})`
    at++
  }
  return [text + steps, variables]
}

/** A configuration as valueMap() returns it: each value is a list of one. */
const configurationOf = (found: unknown): GraphConfiguration => {
  const options = new Map<string, unknown>()
  if (!(found instanceof GremlinMap)) return options
  found.forEach((values, key) => {
    if (typeof key === "string") options.set(key, Array.isArray(values) ? values[0] : values)
  })
  return options
}

/** The graph with the configurations of other graphs, in the format of JanusGraph's ConfigurationManagementGraph. */
export class ConfigurationGraph {
  readonly #store: CellGraph
  readonly #traversals: OwnTraversals

  private constructor(store: CellGraph) {
    this.#store = store
    this.#traversals = new OwnTraversals(store)
  }

  /** Creates missing keys and indexes. Fails with DynamicGraphError for a graph without a schema. */
  static async open(store: GraphStore): Promise<ConfigurationGraph> {
    if (!(store instanceof CellGraph)) {
      throw new DynamicGraphError("invalid", `it is ${store.describe()}, and must be a graph of JanusGraphFactory`)
    }
    await initializeSchema(store, schema)
    return new ConfigurationGraph(store)
  }

  /** The configurations of all graphs. */
  async all(): Promise<ReadonlyArray<GraphConfiguration>> {
    return (await this.#run(texts.all)).map(configurationOf)
  }

  /** The configuration of a graph; null for none. */
  async find(name: string): Promise<GraphConfiguration | null> {
    const [found] = await this.#run(texts.find, { name })
    return found === undefined ? null : configurationOf(found)
  }

  async template(): Promise<GraphConfiguration | null> {
    const [found] = await this.#run(texts.template)
    if (found === undefined) return null
    const options = new Map(configurationOf(found))
    options.delete(TEMPLATE)
    return options
  }

  async add(options: GraphConfiguration): Promise<void> {
    await this.#run(...withOptions(texts.add, new Map([...options, [TEMPLATE, false]])))
  }

  async addTemplate(options: GraphConfiguration): Promise<void> {
    await this.#run(...withOptions(texts.addTemplate, new Map([...options, [TEMPLATE, true]])))
  }

  async change(name: string, options: GraphConfiguration): Promise<void> {
    const [text, variables] = withOptions(texts.change, options)
    await this.#run(text, { ...variables, name })
  }

  async removeOptions(name: string, keys: ReadonlySet<string>): Promise<void> {
    const variables = Object.fromEntries(Array.from(keys, (key, at) => [`key${at}`, key]))
    const names = Object.keys(variables).join(", ")
    if (names !== "") await this.#run(`${texts.change}.properties(${names}).drop()`, { ...variables, name })
  }

  async changeTemplate(options: GraphConfiguration): Promise<void> {
    await this.#run(...withOptions(texts.changeTemplate, options))
  }

  async remove(name: string): Promise<void> {
    await this.#run(texts.remove, { name })
  }

  async removeTemplate(): Promise<void> {
    await this.#run(texts.removeTemplate)
  }

  async #run(text: string, variables: Variables = {}): Promise<ReadonlyArray<unknown>> {
    try {
      // Another server may have stored an option that no configuration had before: its key is new in the schema.
      const { cells } = this.#store.core
      if (cells.readNews !== undefined) {
        await cells.readNews()
        await this.#store.management.schema()
      }
      const run = this.#traversals.effect(text, variables)
      return await Effect.runPromise(
        Effect.retry(run, { times: MAX_CONFLICT_RETRIES, while: (error) => error instanceof TransactionConflict })
      )
    } catch (cause) {
      const { message } = cause as Error
      throw new DynamicGraphError("failed", `The configuration graph could not be used: ${message}`, { cause })
    }
  }
}
