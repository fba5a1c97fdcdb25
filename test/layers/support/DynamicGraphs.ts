import { join } from "node:path"
import type { GraphSettings, ServerSettings } from "../../../src/services/Config.ts"
import { type DynamicGraphSettings, dynamicGraphDefaults } from "../../../src/services/DynamicGraphs.ts"
import { newFolder } from "../../Folders.ts"
import { http } from "./HttpClient.ts"
import { graphOf } from "./LmdbGraphs.ts"

/** The configuration graph in a folder, or in memory. */
export const configurationGraphOf = (lines: ReadonlyArray<string>): GraphSettings => ({
  ...graphOf(lines),
  name: "ConfigurationManagementGraph"
})

/** Settings of a server whose clients create graphs in a folder. */
export const withDynamicGraphs = (
  folder: string = newFolder(),
  more: Partial<DynamicGraphSettings> = {}
): Partial<ServerSettings> => ({
  configurationGraph: configurationGraphOf([
    "storage.backend=lmdb",
    `storage.directory=${join(folder, "configurations")}`
  ]),
  dynamicGraphs: { ...dynamicGraphDefaults(1e9), directory: join(folder, "graphs"), ...more }
})

interface Server {
  readonly authority: string
}

/** Sends a script without a session. Returns the results as plain JSON, or fails with the message of the error. */
export const evaluated = async (
  { authority }: Server,
  script: string,
  more: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {}
): Promise<ReadonlyArray<unknown>> => {
  const accept = { accept: "application/vnd.gremlin-v3.0+json;types=false", ...headers }
  const { json, status } = await http(authority, { headers: accept }, JSON.stringify({ gremlin: script, ...more }))
  if (status !== 200) throw new Error(String(json.message))
  return json.result.data as ReadonlyArray<unknown>
}
