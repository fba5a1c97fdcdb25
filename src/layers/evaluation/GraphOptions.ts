import type { DynamicGraphs } from "../../services/DynamicGraphs.ts"
import type { ServerSettings } from "../../services/Settings.ts"
import { maskedOptions } from "../config/MaskedSecrets.ts"

/**
 * The options of a graph of the configuration file, or of an open graph of ConfiguredGraphFactory, by key and without the values of
 * secrets. Undefined for another graph.
 */
export const graphOptions =
  ({ graphs }: Pick<ServerSettings, "graphs">, dynamic: Pick<DynamicGraphs, "settingsOf"> | undefined) =>
  (graph: string): ReadonlyMap<string, string> | undefined => {
    const options = (graphs.get(graph) ?? dynamic?.settingsOf(graph))?.options
    return options && maskedOptions(options)
  }
