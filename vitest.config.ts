import { defineConfig } from "vitest/config"

export default defineConfig({
  // The examples in docs/ import the package by its name, as a user's program does.
  resolve: { alias: { "engine-server": new URL("./src/index.ts", import.meta.url).pathname } },
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
