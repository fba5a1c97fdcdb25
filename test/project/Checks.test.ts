import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { describe, expect, it } from "vitest"
import type { TestSpecification, Vitest } from "vitest/node"
import { LengthyFirst } from "../LengthyFirst.ts"
import { systemTests } from "../packed/SystemTests.ts"
import { lengthy, measuring, solitary } from "../Tiers.ts"
import { outcome, project, root } from "./Projects.ts"

describe(".ci/run", () => {
  /** Simulates `npm ci` and `npm run test:full` with exit codes, the latter with output. */
  const checked = (install: number, tests: number, prints: string, names = false) => {
    const npm = `#!/bin/sh\nif [ "$1" = ci ]; then exit ${install}; fi\n[ "$*" = "run test:full" ] || exit 9\necho "${prints}"\nexit ${tests}\n`
    const folder = project(".ci/run", { "bin/npm": npm })
    return outcome("bash", [".ci/run"], folder, `${join(folder, "bin")}:`, names)
  }

  it("repeats the names of failed tests at its end", async () => {
    const prints = "failed: tests: test/A.test.ts: a sentence\nmore output\n1 passed, 1 failed, 0 skipped"
    expect((await checked(0, 1, prints, true)).slice(3)).toEqual([
      "failed: tests: test/A.test.ts: a sentence",
      "failed: 1 in 'npm run test:full'"
    ])
  })

  it("ends with the counts of npm run test:full, and with a failure when anything failed", async () => {
    expect(await checked(0, 0, "12 passed, 0 failed, 3 skipped")).toEqual([0, "12 passed, 0 failed, 3 skipped"])
    expect(await checked(0, 1, "12 passed, 2 failed, 3 skipped")).toEqual([1, "12 passed, 2 failed, 3 skipped"])
  })

  it("counts the build of the documentation as one check", async () => {
    const built = (status: number, prints: string) => {
      const npm = `#!/bin/sh\ncase "$*" in\n"run docs") echo "${prints}"; exit ${status} ;;\n"run test:full") echo "1 passed, 0 failed, 0 skipped" ;;\nesac\n`
      const files = { "bin/npm": npm, "package.json": '{"type":"module","scripts":{"docs":"node scripts/docs.js"}}' }
      const folder = project(".ci/run", files)
      return outcome("bash", [".ci/run"], folder, `${join(folder, "bin")}:`)
    }
    expect(await built(0, "1 passed, 0 failed, 0 skipped")).toEqual([0, "2 passed, 0 failed, 0 skipped"])
    expect(await built(1, "0 passed, 1 failed, 0 skipped")).toEqual([1, "1 passed, 1 failed, 0 skipped"])
  })

  it("counts a run that fails, or prints nothing, without counts as a failure", async () => {
    expect(await checked(0, 1, "12 passed, 0 failed, 3 skipped")).toEqual([1, "12 passed, 1 failed, 3 skipped"])
    expect(await checked(0, 0, "killed")).toEqual([1, "0 passed, 1 failed, 0 skipped"])
    expect(await checked(1, 0, "12 passed, 0 failed, 3 skipped")).toEqual([1, "0 passed, 1 failed, 0 skipped"])
  })
})

describe("the configuration of vitest", () => {
  interface Project {
    readonly test: {
      readonly name: string
      readonly include: ReadonlyArray<string>
      readonly retry?: number
      readonly setupFiles?: ReadonlyArray<string>
      readonly poolOptions: { readonly forks: { readonly isolate: boolean } }
    }
  }

  /** The configuration in CI, and its projects with those of the built package. `phase`: a variable of the run. */
  const configured = async (phase = "TEST_PACKED") => {
    const before = process.env.CI
    process.env.CI = "true"
    process.env[phase] = "1"
    try {
      const file = new URL(`../../vitest.config.ts?${phase}`, import.meta.url).href
      const { default: config } = (await import(file)) as typeof import("../../vitest.config.ts")
      return { retry: config.test?.retry, projects: (config.test?.projects ?? []) as ReadonlyArray<Project> }
    } finally {
      delete process.env[phase]
      if (before === undefined) delete process.env.CI
      else process.env.CI = before
    }
  }

  it("retries failed tests only in files that measure time, also in CI", async () => {
    const { projects, retry } = await configured()
    expect(retry).toBeUndefined()
    expect(projects.map(({ test }) => [test.name, test.retry])).toEqual([
      ["tests", 0],
      ["long", 0],
      ["alone", 0],
      ["measuring", 2],
      ["packed", 0],
      ["packed alone", 0],
      ["packed measuring", 2],
      ["packed workers", 0]
    ])
  })

  it("shares no modules of tests between files", async () => {
    const { projects } = await configured()
    const sharing = projects.filter(({ test }) => !test.poolOptions.forks.isolate)
    expect(sharing.map(({ test }) => [test.name, test.setupFiles])).toEqual([
      ["tests", ["test/TestReports.ts", "test/SharedSources.ts"]],
      ["long", ["test/TestReports.ts", "test/SharedSources.ts"]],
      ["packed", ["test/TestReports.ts", "test/SharedSources.ts", "test/packed/Made.ts"]],
      ["packed workers", ["test/TestReports.ts", "test/SharedSources.ts", "test/packed/Made.ts"]]
    ])
  })

  it("runs a system test of the tiers against the sources only if some of its tests need them, where the package follows", async () => {
    const { projects } = await configured("TEST_PACKED_FOLLOWS")
    const here = projects.filter(({ test }) => test.name !== "tests").flatMap(({ test }) => test.include)
    const followed = systemTests(root).filter((file) => [...lengthy, ...measuring, ...solitary].includes(file))
    const needsSources = (file: string) => /sourcesOnly\(|isPacked/.test(readFileSync(join(root, file), "utf8"))
    expect(here.filter((file) => followed.includes(file)).sort()).toEqual(followed.filter(needsSources))
    expect(here.filter((file) => /Fuzz|WorkersOnLmdb/.test(file))).toEqual(["test/layers/graphs/WorkersOnLmdb.test.ts"])
  })

  it("begins with the lengthy files, then with the largest ones, where no durations are known", async () => {
    const sizes = new Map([
      ["test/a.test.ts", 9],
      ["test/console/Views.test.ts", 7],
      ["test/layers/graphs/LmdbCrash.test.ts", 2],
      ["test/b.test.ts", 10]
    ])
    const cache = {
      getFileTestResults: () => undefined,
      getFileStats: (key: string) => ({ size: sizes.get(key.slice("tests:".length)) })
    }
    const sequencer = new LengthyFirst({ config: { root }, cache } as unknown as Vitest)
    const files = Array.from(sizes.keys(), (name) => ({ project: { name: "tests" }, moduleId: join(root, name) }))
    const sorted = await sequencer.sort(files as unknown as Array<TestSpecification>)
    expect(sorted.map(({ moduleId }) => relative(root, moduleId))).toEqual([
      "test/console/Views.test.ts",
      "test/layers/graphs/LmdbCrash.test.ts",
      "test/b.test.ts",
      "test/a.test.ts"
    ])
  })

  it("lets the process of a test read the acknowledgements of its reports, in every project", async () => {
    const { projects } = await configured()
    for (const { test } of projects) expect(test.setupFiles, test.name).toContain("test/TestReports.ts")
  })

  it("is not overridden by a retry option of a test", () => {
    const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    const asking = files.filter(
      (file) => file.endsWith(".ts") && /\bretry:\s*[1-9]/.test(readFileSync(join(root, "test", file), "utf8"))
    )
    expect(asking).toEqual([])
  })
})

describe("The limit of a test", () => {
  /** The limits in numbers above 30 seconds that a text gives to tests. */
  const longLimits = (text: string): ReadonlyArray<string> =>
    Array.from(
      text.matchAll(/^ *\}, ([\d_]+)\)$|^ +([\d_]+)\n *\)$|\b(?:it|describe)\b.*\btimeout: ([\d_]+)/gm),
      ([, ...groups]) => groups.find((group) => group !== undefined) ?? ""
    ).filter((limit) => Number(limit.replaceAll("_", "")) > 30_000)

  it("has the name of its reason if it is longer than 30 seconds", () => {
    const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    const unnamed = files
      .filter((file) => file.endsWith(".test.ts") && !file.startsWith("cassandra"))
      .filter((file) => !lengthy.includes(`test/${file}`))
      .flatMap((file) => longLimits(readFileSync(join(root, "test", file), "utf8")).map((limit) => `${file} ${limit}`))
    expect(unnamed).toEqual([])
  })

  it("is found after the function and in the options of a test", () => {
    const [over, under] = ["60_000", "30_000"]
    for (const limit of [over, under]) {
      const found = limit === over ? [limit] : []
      expect(longLimits(`it("works", () => {\n}, ${limit})\n`)).toEqual(found)
      expect(longLimits(`it(\n  "works",\n  () => {},\n  ${limit}\n)\n`)).toEqual(found)
      expect(longLimits(`it("works", { timeout: ${limit} }, () => {})\n`)).toEqual(found)
    }
  })
})

describe("test/Tiers.ts", () => {
  it("names files that exist, each once", () => {
    const files = [...measuring, ...solitary, ...lengthy]
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  })
})

describe("the configuration of biome", () => {
  const { overrides } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) as {
    readonly overrides: ReadonlyArray<{ readonly includes: ReadonlyArray<string>; readonly linter: object }>
  }
  /** The files that are exempt from a rule. */
  const exceptions = (rule: string): ReadonlyArray<string> =>
    overrides
      .filter(({ linter }) => JSON.stringify(linter).includes(`"${rule}":"off"`))
      .flatMap((each) => each.includes)

  it("exempts no file that is short enough or missing", () => {
    const lines = (file: string): number => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length
    expect(exceptions("noExcessiveLinesPerFile").filter((file) => lines(file) <= 300)).toEqual([])
  })

  it("exempts no more files than allowed", () => {
    expect(exceptions("noExcessiveLinesPerFile").length).toBe(0)
    expect(exceptions("noExcessiveLinesPerFunction").length).toBe(0)
    expect(exceptions("useMaxParams").length).toBeLessThanOrEqual(7)
  })
})
