import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { ServerSettings } from "./Settings.ts"

export * from "./DefaultSettings.ts"
export * from "./GraphSettings.ts"
export * from "./Settings.ts"
export * from "./TrustSettings.ts"

/** The settings of the running server. */
export class Config extends Context.Tag("engine-server/Config")<Config, ServerSettings>() {}

/** One thing that is wrong in a configuration file, an environment variable or an argument. */
export interface ConfigProblem {
  /** File, `environment` or `command line`. */
  readonly source: string
  /** Line in the file, from 1. */
  readonly line: number | undefined
  /** Setting, such as `authentication.config.tokenTimeout`; empty for the file as a whole. */
  readonly setting: string
  /** What is wrong and what to do. */
  readonly reason: string
}

const location = (problem: ConfigProblem): string =>
  problem.line === undefined ? problem.source : `${problem.source}:${problem.line}`

/** The configuration cannot be used. Lists everything that is wrong with it, in the order of the file. */
export class ConfigInvalid extends Data.TaggedError("ConfigInvalid")<{
  readonly problems: ReadonlyArray<ConfigProblem>
}> {
  override get message(): string {
    const count = this.problems.length === 1 ? "a problem" : `${this.problems.length} problems`
    const lines = this.problems.map(
      (problem) => `  ${location(problem)}: ${problem.setting === "" ? "" : `${problem.setting}: `}${problem.reason}`
    )
    return `The configuration has ${count}:\n${lines.join("\n")}`
  }
}

/** A setting asks for something that this server cannot do, so the server does not start. */
export class SettingRefused extends Data.TaggedError("SettingRefused")<{
  readonly setting: string
  readonly reason: string
}> {
  override get message(): string {
    return `The setting '${this.setting}' cannot be honoured: ${this.reason}`
  }
}
