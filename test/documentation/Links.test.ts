import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const inFolder = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join(folder, file))
const pages = [...readdirSync(root).filter((file) => file.endsWith(".md")), ...inFolder("docs")]

/** A page without its blocks of code. */
const prose = (page: string): string =>
  readFileSync(join(root, page), "utf8").replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "")

/**
 * The anchors of a page's headings, as GitHub and TypeDoc make them. A heading with code has none that a link may use:
 * GitHub keeps the words of code in an anchor, and TypeDoc leaves them out.
 */
const anchors = (page: string): ReadonlyArray<string> =>
  [...prose(page).matchAll(/^#+ ([^`\n]+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-")
  )

describe("The pages of the documentation", () => {
  it("link to pages, files and headings that exist", () => {
    const broken = pages.flatMap((page) =>
      [...prose(page).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
        .map(([, link, source]) => (link ?? source)!)
        .filter((link) => !/^https?:/.test(link))
        .filter((link) => {
          const [path = "", anchor] = link.split("#")
          const target = path === "" ? page : relative(root, join(root, dirname(page), path))
          if (!existsSync(join(root, target))) return true
          return anchor !== undefined && !anchors(target).includes(anchor)
        })
        .map((link) => `${page}: ${link}`)
    )
    expect(broken).toEqual([])
  })

  it("begin with a title and a sentence that says whom they are for", () => {
    const others = inFolder("docs").filter(
      (page) => !/^# .+\n\nThis page is for (people|everybody)\b/.test(readFileSync(join(root, page), "utf8"))
    )
    expect(others).toEqual([])
  })

  it("are reached from docs/README.md", () => {
    const contents = readFileSync(join(root, "docs", "README.md"), "utf8")
    const missing = inFolder("docs").filter((page) => !contents.includes(`](${relative("docs", page)})`))
    expect(missing).toEqual([join("docs", "README.md")])
  })

  it("stand in the folder of their kind", () => {
    const folders = new Set(inFolder("docs").map((page) => dirname(relative("docs", page))))
    expect([...folders].sort()).toEqual([".", "explanation", "get-started", "how-to", "reference"])
  })
})

describe("The sources", () => {
  it("name pages and files of docs/ that exist", () => {
    const folders = ["src", "test", "bench", "bin", "conf", "scripts"]
    const files = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.(ts|js|mjs|sh|ya?ml|service|properties)$/.test(file) && !file.includes("fixtures"))
        .map((file) => join(folder, file))
    )
    const broken = files.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\bdocs\/[\w./-]*\.(?:md|js)\b/g)]
        .filter(([path]) => !existsSync(join(root, path)))
        .map(([path]) => `${file}: ${path}`)
    )
    expect(broken).toEqual([])
  })
})
