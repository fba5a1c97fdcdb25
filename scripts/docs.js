/**
 * Builds the documentation site in `site/`: README.md, the pages of docs/, the documents beside it, and the API of the
 * library from its doc comments. A link that leads nowhere, and any other warning of TypeDoc, fails the build. The last
 * line has the counts.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Application, Converter } from "typedoc"

const root = fileURLToPath(new URL("..", import.meta.url))
process.chdir(root)

/** The groups of the navigation, in their order, with their pages. */
const groups = {
  "Get started": ["docs/README.md", "docs/get-started/*.md"],
  "How-to": ["docs/how-to/*.md"],
  Reference: ["docs/reference/*.md"],
  Explanation: ["docs/explanation/*.md", "ARCHITECTURE.md"],
  Project: ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
}

/** The group of a page, such as `docs/how-to/connect.md`. */
const groupOf = (file) =>
  Object.keys(groups).find((group) => groups[group].includes(file) || groups[group].includes(`${dirname(file)}/*.md`))

const application = await Application.bootstrapWithPlugins({
  name: "engine-server",
  entryPoints: ["src/index.ts"],
  tsconfig: "tsconfig.json",
  // `npm run check` reports errors of types.
  skipErrorChecking: true,
  readme: "README.md",
  projectDocuments: Object.values(groups).flat(),
  out: "site",
  cleanOutputDir: true,
  disableGit: true,
  disableSources: true,
  excludeExternals: true,
  excludePrivate: true,
  searchInComments: true,
  searchInDocuments: true,
  // A {@link} to a symbol that the library does not export is text.
  externalSymbolLinkMappings: { "engine-server": { "*": "#" } },
  highlightLanguages: [
    "bash",
    "csv",
    "go",
    "groovy",
    "ini",
    "java",
    "javascript",
    "json",
    "properties",
    "python",
    "sql",
    "typescript",
    "yaml"
  ],
  groupOrder: [...Object.keys(groups), "*"],
  navigation: { includeGroups: true },
  validation: { notExported: false, notDocumented: false, invalidLink: true, invalidPath: true, rewrittenLink: true }
})

/** Gives each page its heading as its title, and the group of its folder. */
application.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, document) => {
  const file = `${document.name}.md`
  const heading = /^# (.+)$/m.exec(readFileSync(join(root, file), "utf8"))
  if (heading === null) throw new Error(`${file} has no title`)
  document.name = heading[1]
  document.frontmatter.group = groupOf(file)
})

/** Links of the built pages that lead to no file, or to no place in it. TypeDoc does not check anchors. */
const deadLinks = () => {
  const pages = ["index.html", ...readdirSync(join("site", "documents")).map((file) => join("documents", file))]
  return pages.flatMap((page) =>
    [...readFileSync(join("site", page), "utf8").matchAll(/(?:href|src)="([^"]+)"/g)]
      .map(([, link]) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path, anchor] = link.split("#")
        const target = join("site", path === "" ? page : join(dirname(page), path))
        if (!existsSync(target)) return true
        return target.endsWith(".html") && anchor && !readFileSync(target, "utf8").includes(`id="${anchor}"`)
      })
      .map((link) => `${page} has a dead link: ${link}`)
  )
}

const project = await application.convert()
if (project !== undefined) {
  application.validate(project)
  await application.generateDocs(project, "site")
  for (const link of deadLinks()) application.logger.error(link)
}
const failed = project === undefined || application.logger.hasErrors() || application.logger.hasWarnings()
console.log(failed ? "0 passed, 1 failed, 0 skipped" : "1 passed, 0 failed, 0 skipped")
process.exitCode = failed ? 1 : 0
