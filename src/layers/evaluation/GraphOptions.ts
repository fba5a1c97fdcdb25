import type { ServerSettings } from "../../services/Settings.ts"
import { isSecret } from "../config/ShowConfig.ts"

/** The options of a graph's properties file by key, without the values of secrets. Undefined for a graph that has no such file. */
export const graphOptions =
  ({ graphs }: Pick<ServerSettings, "graphs">) =>
  (graph: string): ReadonlyMap<string, string> | undefined => {
    const options = graphs.get(graph)?.options
    return options && new Map(Array.from(options, ([key, value]) => [key, isSecret(key) ? "****" : value]))
  }
