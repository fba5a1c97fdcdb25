import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { changedTests } from "../../scripts/changed.js"
import { project } from "./Projects.ts"

/** A work tree with these files committed. */
const workTree = (files: Readonly<Record<string, string>>): string => {
  const folder = project("scripts/changed.js", files)
  const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd: folder })
  git("init", "--quiet")
  git("add", ".")
  git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "first")
  return folder
}
const write = (folder: string, file: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), "export const changed = 1\n")
}

const files = {
  "src/a/B.ts": "export const b = 1\n",
  "src/a/C.ts": "export const c = 1\n",
  "test/a/B.test.ts": 'import { b } from "../../src/a/B.ts"\n',
  "test/a/D.test.ts": 'import { d } from "../help.ts"\n',
  "test/help.ts": "export const d = 1\n"
}

describe("npm test -- --changed", () => {
  it("runs nothing when all files are committed", () => {
    expect(changedTests(workTree(files))).toEqual([])
  })

  it("runs the tests that import a changed file of src/ or test/", () => {
    const folder = workTree(files)
    write(folder, "src/a/B.ts")
    expect(changedTests(folder)).toEqual(["test/a/B.test.ts"])
    write(folder, "test/help.ts")
    expect(changedTests(folder)).toEqual(["test/a/B.test.ts", "test/a/D.test.ts"])
  })

  it("runs a changed test, and a new one", () => {
    const folder = workTree(files)
    write(folder, "test/a/D.test.ts")
    write(folder, "test/a/New.test.ts")
    expect(changedTests(folder)).toEqual(["test/a/D.test.ts", "test/a/New.test.ts"])
  })

  it("runs the tests of files that are staged, and of files that are gone", () => {
    const folder = workTree(files)
    write(folder, "src/a/B.ts")
    execFileSync("git", ["add", "."], { cwd: folder })
    expect(changedTests(folder)).toEqual(["test/a/B.test.ts"])
    rmSync(join(folder, "test/help.ts"))
    expect(changedTests(folder)).toEqual(["test/a/B.test.ts", "test/a/D.test.ts"])
  })

  it("runs the tests that import a changed file of JavaScript, whatever its name", () => {
    const folder = workTree({
      ...files,
      "test/ä.js": "",
      "test/a/E.test.ts": 'import "x"\nimport { e } from "../ä.js"\n'
    })
    write(folder, "test/ä.js")
    expect(changedTests(folder)).toEqual(["test/a/E.test.ts"])
  })

  it("runs the folder that mirrors a changed file which no test imports", () => {
    const folder = workTree(files)
    write(folder, "src/a/C.ts")
    expect(changedTests(folder)).toEqual(["test/a/"])
  })
})
