import { configDefaults, defineConfig } from "vitest/config"

/** They measure how long a server keeps others waiting, or fill its memory: nothing may run beside them. */
const measuring = [
  "test/layers/evaluation/AnswerStalls.test.ts",
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

/** Processes and clocks of a shared machine are not always on time: there a test that failed is tried once more. */
const retry = process.env.CI === undefined ? 0 : 1

const common = { pool: "forks", retry, testTimeout: 300_000, hookTimeout: 300_000 } as const

export default defineConfig({
  test: {
    // One more than vitest takes by itself on two cores: many tests wait for processes and for clocks.
    maxWorkers: 2,
    minWorkers: 1,
    projects: [
      {
        ...shared,
        test: {
          ...common,
          name: "tests",
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
          // What they measure is the server's, but one turn of a shared machine is not.
          retry: 2,
          poolOptions: { forks: { singleFork: true } },
          sequence: { groupOrder: 1 }
        }
      }
    ]
  }
})
