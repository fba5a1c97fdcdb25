import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { loadConfig } from "../config/ConfigFile.ts"
import { type Override, overrideFromArgument } from "../config/Overrides.ts"
import { installation } from "../config/OwnPackage.ts"
import { UsageError, type Values } from "./CommandOptions.ts"
import type { Surroundings } from "./Surroundings.ts"

const defaultFile = join("conf", "engine-server", "engine-server.yaml")

/** The settings of the command line. Their paths are relative to the working directory. */
const overridesOf = (values: Values, cwd: string): Effect.Effect<ReadonlyArray<Override>, UsageError> =>
  Effect.gen(function* () {
    const overrides: Array<Override> = []
    for (const text of values.set ?? []) {
      const override = overrideFromArgument(text)
      if (override === undefined) return yield* new UsageError({ reason: `--set ${text}: expected <setting>=<value>` })
      overrides.push(override)
    }
    const put = (name: keyof Values, path: ReadonlyArray<string>, value: (given: string) => string | null) => {
      const given = values[name]
      if (typeof given !== "string") return
      const origin = { kind: "argument", argument: `--${name} ${given}` } as const
      const read = value(given)
      overrides.push({ operation: read === null ? "delete" : "set", path, anyCase: false, value: read, origin })
    }
    put("host", ["host"], (given) => given)
    put("port", ["port"], (given) => given)
    put("control-socket", ["controlSocket"], (given) => resolve(cwd, given))
    put("log-file", ["logging", "file"], (given) => (given === "-" ? null : resolve(cwd, given)))
    return overrides
  })

/**
 * Adds variables with dots in their names. Some shells drop them, so bin/service-server.sh passes them in
 * SERVICE_DOTTED_ENVIRONMENT.
 */
const withDotted = (environment: Surroundings["environment"]): Surroundings["environment"] => {
  const lines = (environment.SERVICE_DOTTED_ENVIRONMENT ?? "").split("\n").filter((line) => line.includes("="))
  const dotted = lines.map((line) => {
    const equals = line.indexOf("=")
    return [line.slice(0, equals), line.slice(equals + 1).replaceAll("\u001e", "\n")] as const
  })
  return { ...Object.fromEntries(dotted), ...environment }
}

/** Loads the configuration of a command line. `file`: the argument; undefined for the default file. */
export const load = (file: string | undefined, values: Values, { environment: given, cwd }: Surroundings) =>
  Effect.gen(function* () {
    const environment = withDotted(given)
    const own = join(cwd, defaultFile)
    const chosen = file === undefined ? (existsSync(own) ? own : join(installation, defaultFile)) : resolve(cwd, file)
    const library = environment.SERVICE_LIB ?? environment.JANUSGRAPH_LIB
    const configurations = environment.SERVICE_CONF ?? environment.JANUSGRAPH_CONF
    const folders = {
      home: resolve(cwd, environment.SERVICE_HOME ?? environment.JANUSGRAPH_HOME ?? "."),
      cwd,
      configurations: configurations === undefined ? undefined : resolve(cwd, configurations),
      library: library === undefined ? undefined : resolve(cwd, library),
      installation
    }
    const overrides = yield* overridesOf(values, cwd)
    return yield* loadConfig({ file: chosen, folders, environment, overrides })
  })
