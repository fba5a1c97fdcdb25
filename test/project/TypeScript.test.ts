import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"))

describe("The project", () => {
  it("is checked with the strictest options of TypeScript", () => {
    expect(read("tsconfig.json").compilerOptions).toMatchObject({
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true
    })
  })

  it("is a package of ES modules for Node.js 20.19 and later, with the lines of libraries that it was written for", () => {
    const { dependencies, devDependencies, engines, name, type } = read("package.json")
    expect({ engines, name, type }).toEqual({
      engines: { node: ">=20.19 <21 || >=22.2" },
      name: "engine-server",
      type: "module"
    })
    const lines: Record<string, string> = {
      effect: "3.22",
      "@effect/platform": "0.97",
      "@effect/platform-node": "0.108",
      "@effect/vitest": "0.30",
      typescript: "5.9",
      vitest: "3.2",
      ws: "8",
      yaml: "2"
    }
    for (const [library, line] of Object.entries(lines)) {
      const version: string = { ...dependencies, ...devDependencies }[library]
      expect(version.startsWith(`${line}.`), `${library} ${version}`).toBe(true)
    }
  })

  it("names the version of effect that a program beside the library needs", () => {
    const page = readFileSync(new URL("../../docs/how-to/embed.md", import.meta.url), "utf8")
    expect(page).toContain(`npm install effect@${read("package.json").dependencies.effect}`)
  })
})
