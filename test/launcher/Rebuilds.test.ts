import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { newFolder } from "../Folders.ts"

const bin = fileURLToPath(new URL("../../bin", import.meta.url))

/** A checkout whose build makes a program that prints nothing, and says that it was called. */
const checkout = () => {
  const root = newFolder()
  cpSync(bin, join(root, "bin"), { recursive: true })
  for (const folder of ["src", "scripts", "dist"]) mkdirSync(join(root, folder))
  writeFileSync(join(root, "package.json"), '{"type":"module"}')
  for (const file of ["package-lock.json", "src/main.ts", "src/other.ts"]) writeFileSync(join(root, file), "")
  const build =
    'import { writeFileSync } from "node:fs"\nexport const build = async () => {\n  writeFileSync("dist/main.js", "")\n  console.log("built")\n}\n'
  writeFileSync(join(root, "scripts", "build.js"), build)
  const isBuilt = (): boolean => {
    const words = [join(root, "bin", "engine-server.js")]
    const { stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" })
    expect(stderr).toBe("")
    return stdout === "built\n"
  }
  const touch = (file: string, seconds: number): void => {
    const time = new Date(Date.now() + 1_000 * seconds)
    utimesSync(join(root, file), time, time)
  }
  return { isBuilt, touch }
}

it("A command of a checkout builds the server when a source is newer", () => {
  const { isBuilt, touch } = checkout()
  expect([isBuilt(), isBuilt()]).toEqual([true, false])
  touch("dist/main.js", -60)
  touch("src/main.ts", -30)
  expect([isBuilt(), isBuilt()]).toEqual([true, false])
})

it("A source from the future does not make each command build the server, but a change of another one does", () => {
  const { isBuilt, touch } = checkout()
  touch("src/main.ts", 3_600)
  expect([isBuilt(), isBuilt()]).toEqual([true, false])
  touch("src/other.ts", -3_600)
  expect([isBuilt(), isBuilt()]).toEqual([true, false])
})
