import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = mkdtempSync(join(tmpdir(), "engine-server-package-"))
const project = join(folder, "a project")

const npm = (args: ReadonlyArray<string>, cwd: string): string => {
  const { status, stderr, stdout } = spawnSync("npm", args, { cwd, encoding: "utf8" })
  assert.strictEqual(status, 0, `npm ${args.join(" ")}\n${stdout}\n${stderr}`)
  return stdout
}

beforeAll(() => {
  mkdirSync(project)
  npm(["pack", "--pack-destination", folder], root)
  const [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  npm(["init", "--yes"], project)
  npm(["install", "--prefer-offline", "--ignore-scripts", join(folder, tarball)], project)
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the npm package", () => {
  it("has a command that serves in an empty folder", async () => {
    const command = join(project, "node_modules", ".bin", "engine-server")
    const child = spawn(command, ["--port", "0"], { cwd: project, stdio: ["ignore", "pipe", "inherit"] })
    let log = ""
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      log += chunk
      if (log.includes("Channel started")) break
    }
    const port = /Channel started at port (\d+)\./.exec(log)?.[1]
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: '{"engine":"g.V().count()"}' })
    assert.strictEqual(response.status, 200)
    child.stdout.resume()
    child.kill("SIGTERM")
    assert.deepStrictEqual((await once(child, "exit"))[0], 0)
    // What is written is the graph, which is there again at the next start in this folder.
    assert.deepStrictEqual(readdirSync(project).sort(), ["db", "node_modules", "package-lock.json", "package.json"])
    assert.deepStrictEqual(readdirSync(join(project, "db", "graph")).sort(), ["graph.mdb", "graph.mdb-lock"])
  })

  it("has the library with its types, and no sources", () => {
    const installed = join(project, "node_modules", "engine-server")
    const files = readdirSync(join(installed, "dist"))
    assert.includeMembers(files, ["main.js", "index.js", "index.d.ts"])
    assert.notIncludeMembers(readdirSync(installed), ["src"])
    const program = "import('engine-server').then((library) => console.log(typeof library.defaultSettings))"
    const { stderr, stdout } = spawnSync(process.execPath, ["-e", program], { cwd: project, encoding: "utf8" })
    assert.strictEqual(stdout, "function\n", stderr)
  })
})
