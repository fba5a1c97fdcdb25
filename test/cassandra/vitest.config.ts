import { defineConfig } from "vitest/config"

/** npm run test:cassandra: tests with a real Cassandra, one file at a time. */
export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/cassandra/**/*.test.ts"],
    globalSetup: ["test/cassandra/Setup.ts"],
    pool: "forks",
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
