import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { translate } from "../../src/gremlin/Translator.ts"
import { parseFeature } from "../conformance/Feature.ts"

// `npm run conformance` unpacks TinkerPop's feature files to this folder. They are not part of the project.
const cache = fileURLToPath(new URL("../../.cache/conformance/", import.meta.url))

const featureFiles = (): ReadonlyArray<string> =>
  existsSync(cache)
    ? readdirSync(cache, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".feature"))
        .map((file) => join(cache, file))
    : []

/** The traversals of all scenarios: the tested ones, and those that prepare a graph. */
const traversals = (): ReadonlyArray<string> =>
  featureFiles().flatMap((file) =>
    parseFeature(relative(cache, file).replace(/\.feature$/, ""), readFileSync(file, "utf8")).flatMap(({ steps }) =>
      steps.flatMap(({ docString, text }) =>
        docString !== undefined && /^the (traversal|graph initializer) of/.test(text) ? [docString] : []
      )
    )
  )

const found = traversals()
const options = { language: "gremlin-lang" }

describe("The traversals of TinkerPop's feature files", () => {
  const title = "are accepted, and their canonical text has the same meaning"
  it.skipIf(found.length === 0)(
    found.length === 0 ? `${title} (skipped: npm run conformance fetches them)` : title,
    () => {
      expect(found.length).toBeGreaterThan(2000)
      for (const script of found) {
        const parsed = parseScript(script, options)
        expect(parsed.statements.length, script).toBe(1)
        if (parsed.traversal === undefined) continue
        const text = translate(parsed.traversal)
        expect(translate(parseScript(text, options).traversal!), script).toBe(text)
      }
      // UUID() has a new value in each run. All other values are known after parsing.
      const calculated = found.filter((script) => parseScript(script, options).traversal === undefined)
      expect(calculated).toStrictEqual(["g.inject(UUID())"])
    }
  )
})
