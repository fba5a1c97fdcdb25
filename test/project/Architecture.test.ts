import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")

/** Folders whose subfolders the picture leaves to the reader. */
const unfolded = ["steps", "strategies", "protocol"]

/** The paths that the picture of the tree names, by the indentation of its lines. */
const picture = (): ReadonlyArray<string> => {
  const [, block = ""] = /## Source tree\n\n([\s\S]*?)\n\n/.exec(text) ?? []
  const parents: Array<string> = []
  const paths: Array<string> = []
  for (const line of block.split("\n")) {
    const [, indent = "", name] = /^ {4}( *)([\w.]+\/|[\w.]+\.ts)(?:\s|$)/.exec(line) ?? []
    if (name === undefined || indent.length > 8) continue
    const path = [...parents.slice(0, indent.length / 2), name.replace("/", "")]
    parents.splice(0, parents.length, ...path)
    paths.push(path.join("/"))
  }
  return paths
}

const folders = (path: string): ReadonlyArray<string> =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const folder = `${path}/${entry.name}`
      return unfolded.includes(entry.name) ? [folder] : [folder, ...folders(folder)]
    })

describe("ARCHITECTURE.md", () => {
  it("names every folder of src/ in its tree, and no missing path", () => {
    const named = picture()
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
    expect(folders("src").filter((folder) => !named.includes(folder))).toEqual([])
  })

  it("names files that exist", () => {
    const files = ["src", "test", "bench"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => basename(file))
    )
    const named = [...text.matchAll(/`([\w./-]+\.(?:test\.)?ts)`/g)].map(([, file]) => basename(file!))
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((file) => !files.includes(file))).toEqual([])
  })

  it("has a glossary of 20 to 30 terms, sorted, each once", () => {
    const [, section = ""] = text.split("## Glossary")
    const terms = [...section.split("\n## ")[0]!.matchAll(/^\| ([a-z][^|]*) \|/gm)].map(([, term]) => term!).slice(1)
    expect(terms.length).toBeGreaterThanOrEqual(20)
    expect(terms.length).toBeLessThanOrEqual(30)
    expect(terms).toEqual([...new Set(terms)].sort((a, b) => a.localeCompare(b, "en")))
  })
})
