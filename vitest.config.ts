import { tmpdir } from "node:os"
import { join } from "node:path"
import { configDefaults, defineConfig } from "vitest/config"

/** Where the tests of a run install the package; see test/packed/Package.ts. */
const packed = join(tmpdir(), `engine-server-package-${process.pid}`)
process.env.ENGINE_SERVER_PACKAGE ??= packed

/** They measure how long a server keeps others waiting, or fill its memory: nothing may run beside them. */
const measuring = [
  "test/layers/evaluation/AnswerStalls.test.ts",
  "test/layers/commands/IdleMemory.test.ts",
  "test/layers/requests/Fairness.test.ts",
  "test/layers/evaluation/MemoryPressure.test.ts",
  "test/layers/evaluation/PlanStalls.test.ts",
  "test/layers/evaluation/Stalls.test.ts",
  "test/layers/evaluation/StorageStalls.test.ts",
  "test/layers/evaluation/TextStalls.test.ts",
  "test/layers/evaluation/ValueStalls.test.ts",
  "test/layers/hostile/FloodStalls.test.ts",
  "test/layers/hostile/WebSocketHostile.test.ts"
]

const shared = {
  // The examples in docs/ import the package by its name, as a user's program does.
  resolve: { alias: { "engine-server": new URL("./src/index.ts", import.meta.url).pathname } }
}

const common = { pool: "forks", testTimeout: 300_000, hookTimeout: 300_000 } as const

export default defineConfig({
  test: {
    // One more than vitest takes by itself on two cores: many tests wait for processes and for clocks.
    maxWorkers: 2,
    minWorkers: 1,
    globalSetup: ["test/packed/Setup.ts"],
    projects: [
      {
        ...shared,
        test: {
          ...common,
          name: "tests",
          // A test of correctness that fails once has failed, on every machine.
          retry: 0,
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...measuring, "test/cassandra/**"],
          sequence: { groupOrder: 0 }
        }
      },
      {
        ...shared,
        test: {
          ...common,
          name: "alone",
          include: measuring,
          // Another process can delay the one turn that a test measures.
          retry: 2,
          poolOptions: { forks: { singleFork: true } },
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
