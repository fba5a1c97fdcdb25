import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { type ConfigRequest, type LoadedConfig, loadConfig } from "../../../src/layers/config/ConfigFile.ts"
import type { ConfigInvalid } from "../../../src/services/Config.ts"

/** Contents of files, by path below a temporary folder. */
export type Files = Readonly<Record<string, string | Buffer>>

export const tinkerGraph = "gremlin.graph=org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph\n"

/** Writes files into a new temporary folder, and calls `use` with it. */
export const withFiles = <A, E, R>(files: Files, use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "engine-server-config-"))
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        writeFileSync(join(folder, name), text)
      }
      return folder
    }),
    use,
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

export interface Loading {
  readonly environment?: Readonly<Record<string, string>>
  readonly overrides?: ConfigRequest["overrides"]
}

/** Loads `server.yaml`, with a graph file beside it and other files. */
export const loadYaml = (
  yaml: string,
  files: Files = {},
  { environment = {}, overrides = [] }: Loading = {}
): Effect.Effect<LoadedConfig, ConfigInvalid> =>
  withFiles({ "graph.properties": tinkerGraph, "server.yaml": yaml, ...files }, (folder) =>
    loadConfig({
      file: join(folder, "server.yaml"),
      folders: { home: folder, cwd: folder, library: undefined, installation: folder },
      environment,
      overrides
    })
  )

/** `line setting: reason` of each problem of an invalid configuration, without the name of the folder. */
export const problemsOf = (
  yaml: string,
  files: Files = {},
  loading: Loading = {}
): Effect.Effect<ReadonlyArray<string>> =>
  loadYaml(yaml, files, loading).pipe(
    Effect.flip,
    Effect.orDie,
    Effect.map(({ problems }) =>
      problems.map(({ source, line, setting, reason }) => {
        const file = source.replace(/^.*\//, "")
        const text = reason.replaceAll(/\/\S*engine-server-config-\w+\//g, "")
        return `${file}${line === undefined ? "" : `:${line}`} ${setting}: ${text}`
      })
    )
  )
