import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"
import { LengthyFirst } from "./test/LengthyFirst.ts"
import { CONDITION_MS, HOOK_MS, LENGTHY_MS, USUAL_MS } from "./test/Limits.ts"
import { systemTests } from "./test/packed/SystemTests.ts"
import { lengthy, measuring, solitary, withWorkers } from "./test/Tiers.ts"

const root = fileURLToPath(new URL(".", import.meta.url))

/** Where the tests of a run install the package; see test/packed/Package.ts. */
process.env.ENGINE_SERVER_PACKAGE ??= join(tmpdir(), `engine-server-package-${process.pid}`)
const packed = process.env.ENGINE_SERVER_PACKAGE

const packedLibrary = join(packed, "node_modules", "engine-server", "dist", "index.js")

const shared = {
  // The examples in docs/ import the package by its name, as a user's program does.
  resolve: { alias: { "engine-server": new URL("./src/index.ts", import.meta.url).pathname } }
}

/** Every project has this setup file. */
const REPORTS = "test/TestReports.ts"

/** The first hook that needs the package makes it, which takes up to a minute on a slow machine. */
const common = {
  pool: "forks",
  poolOptions: { forks: { isolate: true } },
  testTimeout: USUAL_MS,
  hookTimeout: HOOK_MS,
  expect: { poll: { timeout: CONDITION_MS } },
  setupFiles: [REPORTS] as string[]
} as const

/** Files of one process share the modules of src/; SharedSources.ts forgets all others before each file. */
const sharing = {
  poolOptions: { forks: { isolate: false } },
  setupFiles: [REPORTS, "test/SharedSources.ts"]
}

/** One process at a time, and a new one for each file. */
const alone = { forks: { singleFork: true, isolate: true } } as const

/** Lengthy tests start many processes or write much data; measuring tests repeat what they measure. */
const lengthyTimeout = { testTimeout: LENGTHY_MS } as const

/** Files of tests of the whole system, which also run against the built package. */
const system = systemTests(root)

/**
 * Whether a file of the tiers runs against the sources. Where the run against the package follows (`npm run test:full`), it runs the
 * system tests of the tiers, and each of them runs once. Files with tests that only the sources allow skip these in the package.
 */
const runsHere = (file: string): boolean =>
  process.env.TEST_PACKED_FOLLOWS === undefined ||
  !system.includes(file) ||
  /\b(?:isPacked|sourcesOnly)\b/.test(readFileSync(join(root, file), "utf8"))

/** One of the projects that run system tests against the built package. */
const againstThePackage = <Options extends object>(name: string, include: ReadonlyArray<string>, options: Options) => ({
  // Tests of the library import it by the name of the package, or by its entry.
  resolve: { alias: [{ find: /^engine-server$|^.*\/src\/index\.ts$/, replacement: packedLibrary }] },
  test: {
    ...common,
    ...lengthyTimeout,
    name,
    include: [...include],
    ...sharing,
    setupFiles: [...sharing.setupFiles, "test/packed/Made.ts"],
    env: { ENGINE_SERVER_PACKED: "1" },
    ...options
  }
})

/** With TEST_PACKED=1, as the second phase of `npm run test:full` sets it. */
const packedProjects =
  process.env.TEST_PACKED === undefined
    ? []
    : [
        againstThePackage(
          "packed",
          system.filter((file) => !measuring.includes(file) && !solitary.includes(file)),
          { retry: 0, sequence: { groupOrder: 3 } }
        ),
        againstThePackage(
          "packed alone",
          system.filter((file) => solitary.includes(file)),
          { retry: 0, poolOptions: alone, sequence: { groupOrder: 4 } }
        ),
        againstThePackage(
          "packed measuring",
          system.filter((file) => measuring.includes(file)),
          { retry: 2, poolOptions: alone, sequence: { groupOrder: 5 } }
        ),
        againstThePackage("packed workers", withWorkers, {
          retry: 0,
          env: { ENGINE_SERVER_PACKED: "1", ENGINE_SERVER_WORKERS: "2" },
          sequence: { groupOrder: 6 }
        })
      ]

export default defineConfig({
  test: {
    // One more than vitest takes by itself on two cores: many tests wait for processes and for clocks.
    maxWorkers: 2,
    minWorkers: 1,
    // Files of one worker share its process, so that packages are loaded once: the built package, too, which has no state that changes.
    isolate: false,
    poolOptions: { forks: { isolate: false } },
    globalSetup: ["test/packed/Setup.ts", "test/project/RepositoryRoot.ts"],
    sequence: { sequencer: LengthyFirst },
    projects: [
      {
        ...shared,
        test: {
          ...common,
          ...sharing,
          name: "tests",
          // A test of correctness that fails once has failed, on every machine.
          retry: 0,
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...measuring, ...solitary, ...lengthy, "test/cassandra/**"],
          sequence: { groupOrder: 0 }
        }
      },
      {
        ...shared,
        test: {
          ...common,
          ...lengthyTimeout,
          ...sharing,
          name: "long",
          retry: 0,
          include: lengthy.filter(runsHere),
          sequence: { groupOrder: 0 }
        }
      },
      {
        ...shared,
        test: {
          ...common,
          ...lengthyTimeout,
          name: "alone",
          include: solitary.filter(runsHere),
          retry: 0,
          poolOptions: alone,
          sequence: { groupOrder: 1 }
        }
      },
      {
        ...shared,
        test: {
          ...common,
          ...lengthyTimeout,
          name: "measuring",
          include: measuring.filter(runsHere),
          // Another process can delay the one turn that a test measures.
          retry: 2,
          poolOptions: alone,
          sequence: { groupOrder: 2 }
        }
      },
      ...packedProjects
    ]
  }
})
