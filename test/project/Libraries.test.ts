import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(read("package.json")) as Manifest
const all = { ...manifest.dependencies, ...manifest.devDependencies }

/** The first cells of the table of libraries: names and versions. */
const table = read("ARCHITECTURE.md")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|")[1]!.trim())
  .join(", ")

describe("The libraries", () => {
  it("are pinned exactly", () => {
    const loose = Object.entries(all).filter(([, version]) => !/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/.test(version))
    assert.deepEqual(loose, [])
  })

  it("are imported by the server, or named in the table as the peer of one that is", () => {
    const sources = readdirSync(new URL("../../src", import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => read(`src/${file}`))
      .join("\n")
    const rows = read("ARCHITECTURE.md").split("\n")
    const unused = Object.keys(manifest.dependencies)
      // Types that the declarations of the package name.
      .filter((name) => !name.startsWith("@types/"))
      .filter((name) => !sources.includes(`"${name}"`) && !sources.includes(`"${name}/`))
      .filter((name) => !rows.some((row) => row.startsWith(`| ${name} `) && row.includes("only as the peer")))
    assert.deepEqual(unused, [])
  })

  it("are in the table of ARCHITECTURE.md, with the line that is pinned", () => {
    const missing = Object.entries(all)
      .filter(([name]) => !name.startsWith("@types/"))
      .filter(([name, version]) => {
        const [major = "", minor = ""] = version.replace(/^npm:[a-z]+@/, "").split(".")
        const own = name.replace(/\d+$/, "")
        // "gremlin 3.8, 3.7, 3.6": a name may have several.
        const lines = new RegExp(`(?:^|, )${own} ([\\d., ]+)`).exec(table)?.[1] ?? ""
        return ![major, `${major}.${minor}`].some((line) => lines.split(", ").includes(line))
      })
    assert.deepEqual(missing, [])
  })
})
