import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folders: Array<string> = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** A project with one of this project's scripts, and files of the test's own in the place of the rest. */
const project = (script: string, files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-checks-"))
  folders.push(folder)
  mkdirSync(dirname(join(folder, script)), { recursive: true })
  cpSync(join(root, script), join(folder, script))
  for (const [name, text] of Object.entries({ "package.json": '{"type":"module","scripts":{}}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

const outcome = (command: string, args: ReadonlyArray<string>, cwd: string, path = "") => {
  const env = { ...process.env, PATH: `${path}${process.env.PATH}` }
  const { status, stdout } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  return [status, stdout.trim().split("\n").at(-1)]
}

describe(".ci/run", () => {
  /** `npm ci` and `npm test` that end so, the latter with what it prints. */
  const checked = (install: number, tests: number, prints: string) => {
    const npm = `#!/bin/sh\nif [ "$1" = ci ]; then exit ${install}; fi\necho "${prints}"\nexit ${tests}\n`
    const folder = project(".ci/run", { "bin/npm": npm })
    return outcome("bash", [".ci/run"], folder, `${join(folder, "bin")}:`)
  }

  it("ends with the counts of npm test, and with a failure when anything failed", () => {
    expect(checked(0, 0, "12 passed, 0 failed, 3 skipped")).toEqual([0, "12 passed, 0 failed, 3 skipped"])
    expect(checked(0, 1, "12 passed, 2 failed, 3 skipped")).toEqual([1, "12 passed, 2 failed, 3 skipped"])
  })

  it("counts as a failure what fails, or says nothing, without counts", () => {
    expect(checked(0, 1, "12 passed, 0 failed, 3 skipped")).toEqual([1, "12 passed, 1 failed, 3 skipped"])
    expect(checked(0, 0, "killed")).toEqual([1, "0 passed, 1 failed, 0 skipped"])
    expect(checked(1, 0, "12 passed, 0 failed, 3 skipped")).toEqual([1, "0 passed, 1 failed, 0 skipped"])
  })
})

describe("npm test", () => {
  /** A lint, a type check and a run of vitest that end so; the report is vitest's. */
  const tested = (lint: number, types: number, tests: number, report: unknown) => {
    const exit = (status: number): string => `process.exit(${status})\n`
    const write = `import { writeFileSync } from "node:fs"
const file = process.argv.find((word) => word.startsWith("--outputFile.json=")).slice(18)
${report === undefined ? "" : `writeFileSync(file, ${JSON.stringify(JSON.stringify(report))})`}
${exit(tests)}`
    const folder = project("scripts/test.js", {
      "node_modules/@biomejs/biome/bin/biome": exit(lint),
      "node_modules/typescript/bin/tsc": exit(types),
      "node_modules/vitest/vitest.mjs": write
    })
    return outcome(process.execPath, ["scripts/test.js"], folder)
  }
  const report = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

  it("ends with the counts of lint, types and tests together", () => {
    expect(tested(0, 0, 0, report)).toEqual([0, "9 passed, 0 failed, 2 skipped"])
    expect(tested(1, 0, 0, report)).toEqual([1, "8 passed, 1 failed, 2 skipped"])
    expect(tested(0, 1, 1, { ...report, numFailedTests: 4 })).toEqual([1, "8 passed, 5 failed, 2 skipped"])
  })

  it("counts a file that cannot be loaded, and a run that ends without a report or a failed test", () => {
    const broken = { status: "failed", assertionResults: [] }
    expect(tested(0, 0, 1, { ...report, testResults: [broken] })).toEqual([1, "9 passed, 1 failed, 2 skipped"])
    expect(tested(0, 0, 1, report)).toEqual([1, "9 passed, 1 failed, 2 skipped"])
    expect(tested(0, 0, 1, undefined)).toEqual([1, "2 passed, 1 failed, 0 skipped"])
  })
})
