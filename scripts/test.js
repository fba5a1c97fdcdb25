/**
 * npm test: runs lint and format, types, tests. Every phase runs, even after a failure. Lint and types count as one test each. A
 * test file that cannot be loaded counts as one failure. The last line has the counts of the whole run.
 *
 * Lint and types run beside the tests, with a lower priority: type checks use one core, and tests often wait. Their output follows
 * the output of the tests. With given files they run before the tests, because tests that measure may be among these.
 *
 * Arguments are passed on to vitest: `npm test -- test/protocol` runs one folder. `npm test -- --changed` runs the tests of files
 * that are not committed (changed.js).
 *
 * Without files, lengthy tests are left out (test/Tiers.ts). With --full (`npm run test:full`) all tests run, and unused exports and
 * dependencies fail. The system tests then run against the built package: those of the tiers only, the others once more.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { setPriority, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { changedTests } from "./changed.js"
import { runTests } from "./run-tests.js"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** The option that adds lengthy tests and the system tests of the package. */
const FULL = "--full"
const total = { passed: 0, failed: 0, skipped: 0 }
/** What failed, a line each. The end of a long log shows it, and .ci/run repeats it. */
const failures = []

const add = (phase, counts) => {
  for (const key of Object.keys(total)) total[key] += counts[key]
  console.log(`${phase}: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
}

/** Starts the command of a package with this Node.js. npx would download a missing package. */
const start = (script, args, stdio) =>
  spawn(process.execPath, [join(root, "node_modules", script), ...args], { cwd: root, stdio })

/** The priority of checks beside the tests: they use the time in which tests wait. */
const BESIDE = 10

/** Whether a command with a low priority succeeds, and its output. */
const runBeside = async (script, args) => {
  const child = start(script, args, ["ignore", "pipe", "pipe"])
  try {
    if (child.pid !== undefined) setPriority(child.pid, BESIDE)
  } catch {
    // It has already ended.
  }
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
  const [status] = await once(child, "close")
  return { passed: status === 0, output }
}

/** Programs whose success counts as one test, with the arguments of each run. */
const checks = [
  ["lint", "@biomejs/biome/bin/biome", ["check", "."]],
  ["types", "typescript/bin/tsc", ["--noEmit"], ["--noEmit", "-p", "console"]]
]

/** Starts all checks, one after the other. The result prints and counts them when they have ended. */
const startChecks = () => {
  const outcomes = (async () => {
    const ended = []
    for (const [phase, script, ...runs] of checks) {
      const outcome = { phase, passed: true, output: "" }
      for (const args of runs) {
        if (!outcome.passed) break
        const { output, passed } = await runBeside(script, args)
        Object.assign(outcome, { passed, output: outcome.output + output })
      }
      ended.push(outcome)
    }
    return ended
  })()
  return async () => {
    for (const { output, passed, phase } of await outcomes) {
      process.stdout.write(output)
      if (!passed) failures.push(phase)
      add(phase, { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 })
    }
  }
}

const tests = async (phase, more) => {
  const run = await runTests(root, more)
  failures.push(...run.failures.map((failure) => `${phase}: ${failure}`))
  add(phase, run.counts)
}

/** Lets the first run leave the package for the second one, and removes it at the end. A folder that is named is kept. */
const keepPackage = () => {
  if (process.env.ENGINE_SERVER_PACKAGE !== undefined) return
  const folder = join(tmpdir(), `engine-server-package-${process.pid}`)
  process.env.ENGINE_SERVER_PACKAGE = folder
  process.on("exit", () => {
    for (const path of [folder, `${folder}.making`]) rmSync(path, { recursive: true, force: true })
  })
}

const CHANGED = "--changed"
const isFull = process.argv.includes(FULL)
const given = process.argv.slice(2).filter((word) => word !== FULL && word !== CHANGED)
const changed = process.argv.includes(CHANGED) ? changedTests(root) : undefined
if (isFull) checks.push(["unused exports", "knip/bin/knip.js", []])
const hasFiles = given.some((word) => !word.startsWith("-"))
const hasTests = changed?.length !== 0
const reportChecks = startChecks()
if (hasFiles) await reportChecks()
if (hasTests) {
  // The system tests of the tiers run only against the package then: each takes long. Both runs use the same package.
  if (isFull && !hasFiles) {
    process.env.TEST_PACKED_FOLLOWS = "1"
    keepPackage()
  }
  await tests("tests", isFull || hasFiles ? given : ["--project=tests", ...given, ...(changed ?? [])])
  delete process.env.TEST_PACKED_FOLLOWS
} else console.log("No file of src/ or test/ differs from the last commit: no tests run.")
if (!hasFiles) await reportChecks()
if (isFull) {
  // vitest.config.ts defines the projects "packed", "packed alone" and "packed workers" only with TEST_PACKED. The given files may have no system tests.
  process.env.TEST_PACKED = "1"
  await tests("system tests of the package", [
    "--project=packed*",
    ...(given.length > 0 ? ["--passWithNoTests"] : []),
    ...given
  ])
}

for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
// A count that is no number is no success.
process.exit(total.failed === 0 ? 0 : 1)
