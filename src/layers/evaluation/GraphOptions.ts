import type { ServerSettings } from "../../services/Settings.ts"
import { maskedOptions } from "../config/Secrets.ts"

/** The options of a graph's properties file by key, without the values of secrets. Undefined for a graph that has no such file. */
export const graphOptions =
  ({ graphs }: Pick<ServerSettings, "graphs">) =>
  (graph: string): ReadonlyMap<string, string> | undefined => {
    const options = graphs.get(graph)?.options
    return options && maskedOptions(options)
  }
