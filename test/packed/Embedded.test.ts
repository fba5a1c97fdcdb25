import { execFile } from "node:child_process"
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { transform } from "esbuild"
import { afterAll, describe, expect, it } from "vitest"
import { blocksOf } from "../documentation/Blocks.js"
import { root as sources } from "../project/Projects.ts"
import "./Made.ts"
import { packedProject } from "./Package.ts"

const page = join(sources, "docs", "how-to", "embedded-graph-in-tests.md")
const typeScript = (path: string): ReadonlyArray<string> =>
  blocksOf(path).flatMap(({ code, language }) => (language === "ts" ? [code] : []))
const examples = typeScript(page)
const embedding = typeScript(join(sources, "docs", "how-to", "embed.md"))

/** A project with the package, and with the driver and Vitest if `links` says so. */
const project = (name: string, links: ReadonlyArray<string>): string => {
  const folder = join(packedProject(), name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, "node_modules", "@types"), { recursive: true })
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  for (const link of links) symlinkSync(join(sources, "node_modules", link), join(folder, "node_modules", link))
  return folder
}

const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The output of a program, which may end with an error. Asynchronous, because vitest must hear from its worker. */
const output = (args: ReadonlyArray<string>, cwd: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd }, (_, stdout, stderr) => resolve(stderr + stdout))
  })

describe("The pages of the library", () => {
  it("have examples that compile under strict, without skipLibCheck", async () => {
    const folder = project("examples", ["vitest"])
    folders.push(folder)
    const [person, vitest, jest, settings] = examples
    const wrong = `import { startServer } from "engine-server"
// @ts-expect-error: it is a number
const server = await startServer({ port: "1" })
// @ts-expect-error: there is no such step
server.traversal().W()
`
    const embed = Object.fromEntries(embedding.map((code, index) => [`embed${index}`, code]))
    const files = { person: person!, vitest: vitest!, jest: jest!, settings: settings!, wrong, ...embed }
    for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, `${name}.ts`), code)
    const compiler = join(sources, "node_modules", "typescript", "bin", "tsc")
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "node,jest"]
    const roots = ["--typeRoots", join(sources, "node_modules", "@types")]
    const names = Object.keys(files).map((name) => `${name}.ts`)
    expect(await output([compiler, ...options, ...roots, ...names], folder)).toBe("")
  })

  it("have a cluster that starts, replaces its workers and ends", async () => {
    const folder = project("cluster", [])
    folders.push(folder)
    const code = embedding.find((one) => one.includes("EngineServer.cluster("))!
    writeFileSync(join(folder, "cluster.mjs"), (await transform(code, { loader: "ts" })).code)
    expect(await output(["cluster.mjs"], folder)).toMatch(/listening on \d+: \d+ workers/)
  })
})

describe("server.traversal() of the package", () => {
  const program = `import { startServer } from "engine-server"
const server = await startServer()
try {
  const g = server.traversal()
  await g.addV("a").iterate()
  console.log((await g.V().count().next()).value)
} catch (error) { console.log(error.message) }
await server.close()`

  const run = (folder: string): Promise<string> => {
    writeFileSync(join(folder, "program.mjs"), program)
    return output(["program.mjs"], folder)
  }

  it("says which package is missing, and works with it", async () => {
    const folder = project("driver", [])
    folders.push(folder)
    expect(await run(folder)).toMatch(/^server\.traversal\(\) needs the driver .*: npm install gremlin@3\.8\n$/)
    const driver = join(packedProject(), "node_modules", "gremlin")
    expect(existsSync(driver)).toBe(false)
    symlinkSync(join(sources, "node_modules", "gremlin"), driver)
    try {
      expect(await run(folder)).toBe("1\n")
    } finally {
      rmSync(driver)
    }
  })
})
