import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { newFolder } from "../Folders.ts"
import atEnd from "../packed/Setup.ts"
import { ended, outcome, project, root } from "./Projects.ts"

/** A project with the command, and programs in place of those that it runs. */
const testCommand = (programs: Readonly<Record<string, string>>): string =>
  project("scripts/test.js", {
    "node_modules/knip/bin/knip.js": "",
    "scripts/changed.js": "export const changedTests = () => []\n",
    "scripts/run-tests.js": readFileSync(join(root, "scripts/run-tests.js"), "utf8"),
    ...programs
  })

describe("npm test", () => {
  /** Whether {@link tested} also returns what failed. */
  let names = false
  /** Simulates lint, type check and vitest with exit codes and vitest's report. */
  const tested = (lint: number, types: number, tests: number, report: unknown, ...more: ReadonlyArray<string>) => {
    const exit = (status: number): string => `process.exit(${status})\n`
    const write = `import { writeFileSync } from "node:fs"
const file = process.argv.find((word) => word.startsWith("--outputFile.json=")).slice(18)
const isPacked = process.argv.includes("--project=packed*")
if (isPacked !== (process.env.TEST_PACKED === "1")) throw new Error("the project is not there")
const isShort = process.argv.includes("--project=tests")
if (isShort === ${more.length > 0}) throw new Error("npm test without arguments leaves out the tests that take long")
${report === undefined ? "" : `writeFileSync(file, ${JSON.stringify(JSON.stringify(report))})`}
${exit(tests)}`
    const folder = testCommand({
      "node_modules/@biomejs/biome/bin/biome": exit(lint),
      "node_modules/typescript/bin/tsc": exit(types),
      "node_modules/vitest/vitest.mjs": write
    })
    return outcome(process.execPath, ["scripts/test.js", ...more], folder, "", names)
  }
  const report = { numPassedTests: 7, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] }

  it("ends with the counts of lint, types and tests together", async () => {
    expect(await tested(0, 0, 0, report)).toEqual([0, "9 passed, 0 failed, 2 skipped"])
    expect(await tested(1, 0, 0, report)).toEqual([1, "8 passed, 1 failed, 2 skipped"])
    expect(await tested(0, 1, 1, { ...report, numFailedTests: 4 })).toEqual([1, "8 passed, 5 failed, 2 skipped"])
  })

  it("counts the system tests that run on the package, too, with --full", async () => {
    expect(await tested(0, 0, 0, report, "--full")).toEqual([0, "17 passed, 0 failed, 4 skipped"])
    expect(await tested(0, 0, 1, { ...report, numFailedTests: 1 }, "--full")).toEqual([
      1,
      "17 passed, 2 failed, 4 skipped"
    ])
  })

  it("packs the package once for both runs with --full, and removes it at the end", async () => {
    const folder = testCommand({
      "node_modules/@biomejs/biome/bin/biome": "",
      "node_modules/typescript/bin/tsc": "",
      "node_modules/vitest/vitest.mjs": `import { existsSync, mkdirSync, writeFileSync } from "node:fs"
const place = process.env.ENGINE_SERVER_PACKAGE
const isSecond = process.argv.includes("--project=packed*")
if (existsSync(place) !== isSecond) throw new Error("the second run has not the package of the first one")
mkdirSync(place, { recursive: true })
writeFileSync("place", place)
writeFileSync(process.argv.find((word) => word.startsWith("--outputFile.json=")).slice(18), ${JSON.stringify(JSON.stringify(report))})
`
    })
    const env = { ...process.env, ENGINE_SERVER_PACKAGE: undefined }
    const { status, stdout } = await ended(process.execPath, ["scripts/test.js", "--full"], { cwd: folder, env })
    expect([status, stdout]).toEqual([0, expect.stringContaining("17 passed, 0 failed, 4 skipped")])
    expect(existsSync(readFileSync(join(folder, "place"), "utf8"))).toBe(false)
  })

  it("leaves the package of the first run with --full for the second one", () => {
    const place = join(newFolder(), "package")
    vi.stubEnv("ENGINE_SERVER_PACKAGE", place)
    for (const [follows, isLeft] of [
      ["1", true],
      [undefined, false]
    ] as const) {
      vi.stubEnv("TEST_PACKED_FOLLOWS", follows)
      const end = atEnd()
      mkdirSync(place)
      end()
      expect(existsSync(place)).toBe(isLeft)
      rmSync(place, { recursive: true, force: true })
    }
    vi.unstubAllEnvs()
  })

  it("names what failed before the counts, with its reason and its place", async () => {
    names = true
    const failureMessages = [
      "AssertionError: expected 2 to be 1\n    at node_modules/x.js:1:1\n    at /p/test/X.test.ts:7:3"
    ]
    const assertionResults = [
      { status: "failed", fullName: "A graph keeps a name", failureMessages },
      { status: "passed", fullName: "another" }
    ]
    const testResults = [{ name: "x", status: "failed", assertionResults }]
    const [, , ...failures] = await tested(1, 0, 1, { ...report, numFailedTests: 1, testResults })
    names = false
    const expected = "x: A graph keeps a name: AssertionError: expected 2 to be 1 at /p/test/X.test.ts:7:3"
    expect(failures).toEqual([expect.stringMatching(new RegExp(`^failed: tests: .*${expected}$`)), "failed: lint"])
  })

  it("checks types beside the tests, and before the tests of the files that it is given", async () => {
    // Each program ends when the other has begun.
    const meets = (own: string, other: string): string => `import { existsSync, writeFileSync } from "node:fs"
writeFileSync("${own}.begun", "")
for (let waited = 0; !existsSync("${other}.begun"); waited++) {
  if (waited > 300) throw new Error("${other} has not begun")
  await new Promise((resolve) => setTimeout(resolve, 100))
}
`
    const folder = testCommand({
      "node_modules/@biomejs/biome/bin/biome": 'console.log("lint says this")\n',
      "node_modules/typescript/bin/tsc": `${meets("types", "tests")}console.log("types say this")\n`,
      "node_modules/vitest/vitest.mjs": `${meets("tests", "types")}
writeFileSync(process.argv.find((word) => word.startsWith("--outputFile.json=")).slice(18), ${JSON.stringify(JSON.stringify(report))})
`
    })
    const run = (...files: ReadonlyArray<string>) =>
      ended(process.execPath, ["scripts/test.js", ...files], { cwd: folder })
    const { status, stdout } = await run()
    expect([status, stdout]).toEqual([0, expect.stringMatching(/tests: 7.*lint says this.*types say this/s)])
    expect((await run("test/protocol")).stdout).toMatch(/lint says this.*types say this.*tests: 7/s)
  })

  it("runs all tests of the files that it is given", async () => {
    expect(await tested(0, 0, 0, report, "test/launcher")).toEqual([0, "9 passed, 0 failed, 2 skipped"])
  })

  it("counts a file that cannot be loaded, and a run that ends without a report or a failed test", async () => {
    const broken = { status: "failed", assertionResults: [] }
    expect(await tested(0, 0, 1, { ...report, testResults: [broken] })).toEqual([1, "9 passed, 1 failed, 2 skipped"])
    expect(await tested(0, 0, 1, report)).toEqual([1, "9 passed, 1 failed, 2 skipped"])
    expect(await tested(0, 0, 1, undefined)).toEqual([1, "2 passed, 1 failed, 0 skipped"])
  })

  it("fails if vitest ends well and its report has no counts, or an error happened outside the tests", async () => {
    expect((await tested(0, 0, 0, { testResults: [] }))[0]).toBe(1)
    expect((await tested(0, 0, 0, {}))[0]).toBe(1)
    const folder = testCommand({
      "node_modules/@biomejs/biome/bin/biome": "",
      "node_modules/typescript/bin/tsc": "",
      "node_modules/vitest/vitest.mjs": `import { writeFileSync } from "node:fs"
writeFileSync(process.env.TEST_ERRORS, "outside a test: lost\\n")
writeFileSync(process.argv.find((word) => word.startsWith("--outputFile.json=")).slice(18), ${JSON.stringify(JSON.stringify(report))})
`
    })
    const { status, stdout } = await ended(process.execPath, ["scripts/test.js"], { cwd: folder })
    expect([status, stdout]).toEqual([1, expect.stringContaining("failed: tests: outside a test: lost")])
  })

  it("says how vitest ended without a report, what it printed last, and which files had begun", async () => {
    const folder = testCommand({
      "node_modules/@biomejs/biome/bin/biome": "",
      "node_modules/typescript/bin/tsc": "",
      "node_modules/vitest/vitest.mjs": `import { writeFileSync } from "node:fs"
const file = (name) => process.cwd() + "/test/" + name
writeFileSync(process.env.TEST_FILES, ["begun " + file("A"), "begun " + file("B"), "ended " + file("A")].join("\\n"))
console.error("out of memory")
process.kill(process.pid, "SIGKILL")
`
    })
    const [, , ...failures] = await outcome(process.execPath, ["scripts/test.js"], folder, "", true)
    expect(failures).toEqual([
      expect.stringMatching(/^failed: tests: vitest left no report: .* \(SIGKILL\); .*: out of memory$/),
      "failed: tests: files that had begun and not ended: test/B"
    ])
  })

  it("is told by vitest which files have begun and ended", async () => {
    const { default: ErrorReporter } = (await import(
      new URL("../../scripts/error-reporter.js", import.meta.url).href
    )) as {
      readonly default: new () => Record<
        "onTestModuleStart" | "onTestModuleEnd",
        (module: { moduleId: string }) => void
      >
    }
    const file = join(newFolder(), "files")
    vi.stubEnv("TEST_FILES", file)
    const reporter = new ErrorReporter()
    reporter.onTestModuleStart({ moduleId: "/a" })
    reporter.onTestModuleEnd({ moduleId: "/a" })
    vi.unstubAllEnvs()
    expect(readFileSync(file, "utf8")).toBe("begun /a\nended /a\n")
  })
})
