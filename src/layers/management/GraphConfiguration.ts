import { TraversalError } from "../../process/language/Errors.ts"
import { GremlinMap } from "../../structure/collections/Collections.ts"
import type { GraphStore } from "../../structure/graph/GraphStore.ts"
import { ScriptObject, stringOf } from "./ScriptObject.ts"

/** Knows the options of graphs. */
export interface OptionSource {
  /** The options of a graph of the server, without the values of secrets. Undefined for a graph that a script opened. */
  readonly optionsOf: (graph: string) => ReadonlyMap<string, string> | undefined
}

/** Where the options of graphs are changed, for messages. */
export const PLACE_OF_OPTIONS =
  "a graph has its options from its properties file, where they take effect at the next start, or from the configuration that " +
  "ConfiguredGraphFactory.updateConfiguration() changes."

/** `graph.configuration()`: the options of the graph, which scripts read and do not change. Secrets are masked. */
export const configurationObject = (store: GraphStore, context: OptionSource): ScriptObject => {
  const options = context.optionsOf(store.name) ?? new Map<string, string>()
  const read = (method: string, key: unknown, other: unknown = null): unknown =>
    options.get(canonical(stringOf(key, method, "a key"))) ?? other
  return new ScriptObject("configuration", store.name, null, {
    getProperty: ([key]) => read("getProperty", key),
    getString: ([key, other]) => read("getString", key, other),
    get: ([key]) => read("get", key),
    containsKey: ([key]) => options.has(canonical(stringOf(key, "containsKey", "a key"))),
    getKeys: () => [...options.keys()],
    isEmpty: () => options.size === 0,
    size: () => options.size,
    asMap: () => new GremlinMap(options),
    setProperty: ([key]) => {
      throw new TraversalError(`setProperty('${String(key)}'): ${PLACE_OF_OPTIONS}`)
    }
  })
}

/** In keys, `engine` is this server's word for `gremlin`. */
const canonical = (key: string): string => key.replace(/^gremlin\./, "engine.")

/** `mgmt.get(key)`: an option of the graph as text. Throws TraversalError for one that it does not set, or that is not known. */
export const optionText = (graph: string, key: unknown, { optionsOf }: OptionSource): string => {
  const name = stringOf(key, "get", "the name of an option")
  const options = optionsOf(graph)
  const value = options?.get(canonical(name))
  if (value !== undefined) return value
  throw new TraversalError(
    options === undefined
      ? `get(): the options with which a script opened the ${graph} are not known here.`
      : `get(): the graph ${graph} does not set the option ${name}, so its default applies.`
  )
}
