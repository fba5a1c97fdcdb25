import { cpSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { ended, project, root } from "./Projects.ts"

/** A minimal checkout whose dist/ contains files of an older build. */
const checkout = (): string => {
  const folder = project("scripts/build.js", {
    "package.json": JSON.stringify({
      name: "small",
      version: "1.0.0",
      type: "module",
      files: ["dist"],
      scripts: { prepack: "node scripts/build.js --types" }
    }),
    "src/main.ts": 'await import("./part.ts")\n',
    "src/index.ts": 'export { part } from "./part.ts"\n',
    "src/part.ts": 'export const part = "is loaded"\nconsole.log(part)\n',
    "package-lock.json": "{}",
    ...Object.fromEntries(
      ["bin/engine-server.js", "bin/compile-cache.js"].map((name) => [name, readFileSync(join(root, name), "utf8")])
    ),
    "dist/main.js": "old",
    "dist/removed.d.ts": "old",
    "dist/chunks/part-OLD.js": "old",
    "dist/chunks/part-OLDER.js": "older"
  })
  for (const name of ["tsconfig.json", "tsconfig.build.json"]) cpSync(join(root, name), join(folder, name))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  utimesSync(join(folder, "dist", "chunks", "part-OLDER.js"), twoHoursAgo, twoHoursAgo)
  utimesSync(join(folder, "dist", "main.js"), twoHoursAgo, twoHoursAgo)
  return folder
}

/** Runs a command, which must succeed, and returns its output. */
const run = async (folder: string, command: string, ...words: ReadonlyArray<string>): Promise<string> => {
  const { status, stderr, stdout } = await ended(command, words, { cwd: folder })
  expect([status, stderr]).toEqual([0, stderr])
  return stdout
}

const scriptsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:js|ts)$/.test(name))

const chunk = expect.stringMatching(/^chunks\/part-(?!OLD)\w+\.js$/)

it("A build leaves nothing of older builds in dist/", async () => {
  const folder = checkout()
  await run(folder, process.execPath, "scripts/build.js")
  expect(scriptsIn(join(folder, "dist")).sort()).toEqual([chunk, "index.js", "library.js", "main.js"])
  expect(await run(folder, process.execPath, "dist/main.js")).toBe("is loaded\n")
  expect(readdirSync(join(folder, ".cache"))).toEqual([])
})

it("npm pack ships what its build has made, and nothing else", async () => {
  const folder = checkout()
  const [packed] = JSON.parse((await run(folder, "npm", "pack", "--json", "--silent")).replace(/^[^[]*(?=\[)/, ""))
  const paths = (packed.files as ReadonlyArray<{ readonly path: string }>).map(({ path }) => path)
  const scripts = paths.filter((path) => /\.(?:js|ts)$/.test(path)).map((path) => path.replace(/^dist\//, ""))
  expect(scripts.sort()).toEqual([chunk, "index.d.ts", "index.js", "library.js", "main.d.ts", "main.js", "part.d.ts"])
})

it("The build before a start leaves chunks of the last hour, which a running server may still load", async () => {
  const folder = checkout()
  expect(await run(folder, process.execPath, "bin/engine-server.js")).toBe("is loaded\n")
  const left = scriptsIn(join(folder, "dist")).sort()
  expect(left).toContain("chunks/part-OLD.js")
  expect(left.filter((name) => name !== "chunks/part-OLD.js")).toEqual([chunk, "index.js", "library.js", "main.js"])
})

it("A build that fails leaves dist/ as it was", async () => {
  const folder = checkout()
  writeFileSync(join(folder, "src", "part.ts"), "export const\n")
  const before = scriptsIn(join(folder, "dist"))
  const { status, stderr } = await ended(process.execPath, ["scripts/build.js"], { cwd: folder })
  expect([status, stderr]).toEqual([1, expect.stringContaining("src/part.ts:2:0")])
  expect(scriptsIn(join(folder, "dist"))).toEqual(before)
  expect(readFileSync(join(folder, "dist", "main.js"), "utf8")).toBe("old")
})
