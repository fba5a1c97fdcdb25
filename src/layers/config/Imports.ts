import { importProblem } from "../../gremlin/Parser.ts"
import { isClass } from "../../gremlin/parser/Imports.ts"
import { jvmName } from "./ClassNames.ts"
import type { FileSettings } from "./Fields.ts"
import { IMPORTS } from "./Legacy.ts"
import type { Report } from "./Report.ts"
import { suggestion } from "./Suggestions.ts"

/** Settings of ImportGremlinPlugin. */
const KEYS = ["classImports", "methodImports", "enumImports", "appliesTo"]

const textsOf = (value: unknown): ReadonlyArray<string> => (value == null ? [] : [value].flat().map(String))

/**
 * Reads the `methodImports` of ImportGremlinPlugin. Classes and constants need no import. Warns of classes and methods that scripts
 * do not have, because the scripts that use them fail.
 */
export const readMethodImports = (
  engines: NonNullable<FileSettings["scriptEngines"]>,
  report: Report
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [engine, { plugins = {} }] of Object.entries(engines)) {
    for (const [plugin, config] of Object.entries(plugins)) {
      if (jvmName(plugin) !== IMPORTS || typeof config !== "object" || config === null) continue
      const at = ["scriptEngines", engine, "plugins", plugin]
      const { classImports, methodImports }: Readonly<Record<string, unknown>> = { ...config }
      for (const key of Object.keys(config).filter((key) => !KEYS.includes(key))) {
        report.fail([...at, key], `there is no such setting${suggestion(key, KEYS)}`)
      }
      for (const name of textsOf(classImports)) {
        if (!isClass(name)) report.warn([...at, "classImports"], `scripts do not have the class ${name}`)
      }
      for (const written of textsOf(methodImports)) {
        const { isMalformed, problem } = importProblem(written) ?? {}
        if (problem === undefined) found.push(written.trim())
        else report[isMalformed === true ? "fail" : "warn"]([...at, "methodImports"], problem)
      }
    }
  }
  return found
}
