/**
 * npm run test:cassandra: runs tests with a real Cassandra. Arguments are passed on to vitest. The last line has the counts. With
 * --optional, where Maven or a Java for Cassandra is not installed, it says so and counts one skipped test.
 */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { runTests } from "../../scripts/run-tests.js"

const OPTIONAL = "--optional"
const root = fileURLToPath(new URL("../..", import.meta.url))
const args = process.argv.slice(2).filter((word) => word !== OPTIONAL)

/** The first line that a command prints; undefined if it is not installed. */
const firstLine = (command) => {
  try {
    return execFileSync(command, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split(
      "\n"
    )[0]
  } catch (error) {
    if (error.code === "ENOENT") return undefined
    throw error
  }
}

/** What is not installed; undefined if nothing is missing. */
const missing = () => {
  const homes = [process.env.CASSANDRA_JAVA_HOME, process.env.JAVA_HOME].filter((home) => home !== undefined)
  const commands = [...homes.map((home) => join(home, "bin", "java")), "java"]
  // As in Java.ts.
  if (!commands.some((command) => /\b(?:11|17)\.\d/.test(firstLine(command) ?? ""))) return "Java 11 or 17"
  return firstLine("mvn") === undefined ? "Maven" : undefined
}

const reason = process.argv.includes(OPTIONAL) ? missing() : undefined
if (reason !== undefined) {
  console.log(`test:cassandra: not run, ${reason} is not installed`)
  console.log("0 passed, 0 failed, 1 skipped")
} else {
  const { counts, failures } = await runTests(root, ["--config", "test/cassandra/vitest.config.ts", ...args])
  for (const failure of failures) console.log(`failed: ${failure}`)
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  process.exitCode = counts.failed === 0 ? 0 : 1
}
