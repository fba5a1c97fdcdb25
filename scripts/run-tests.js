/** One run of vitest by scripts/test.js, and what is known of its failures: also where vitest itself ends before its report. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

/** Lines of vitest's standard error that are repeated when it leaves no report. */
const LAST_LINES = 8
/** How long the run waits for output after vitest's end. */
const LAST_OUTPUT_MS = 1_000

const textOf = (path) => (existsSync(path) ? readFileSync(path, "utf8").trim() : "")
const linesOf = (path) => textOf(path).split("\n").filter(Boolean)

/** Runs vitest, and returns how it ended and the end of its standard error, which it also shows. */
const runVitest = async (root, args) => {
  const command = [join(root, "node_modules/vitest/vitest.mjs"), ...args]
  const child = spawn(process.execPath, command, { cwd: root, stdio: ["inherit", "inherit", "pipe"] })
  let last = ""
  child.stderr.setEncoding("utf8").on("data", (text) => {
    process.stderr.write(text)
    last = (last + text).split("\n").slice(-LAST_LINES).join("\n")
  })
  const closed = once(child, "close")
  const [status, signal] = await once(child, "exit")
  // A process that a killed vitest leaves behind holds the pipe open.
  await Promise.race([closed, sleep(LAST_OUTPUT_MS)])
  return { passed: status === 0, ending: signal ?? `exit status ${status}`, last: last.trim().split("\n").join(" | ") }
}

/** The files whose tests had begun and not ended, by the lines of error-reporter.js. */
const unfinished = (root, lines) => {
  const files = new Set()
  for (const line of lines) {
    const [event, file] = [line.slice(0, 5), relative(root, line.slice(6))]
    if (event === "begun") files.add(file)
    else files.delete(file)
  }
  return [...files].join(", ") || "none"
}

/** The name of a failed test, why it failed, and where: the end of a long log may be all that is kept. */
const withReason = ({ fullName, failureMessages: [reason = "no reason"] = [] }) => {
  const [first, ...frames] = reason.split("\n")
  return [`${fullName}: ${first}`, ...frames.filter((frame) => frame.includes("/test/")).slice(0, 1)]
    .map((line) => line.trim())
    .join(" ")
}

/** The failed tests of a report, and the files that cannot be loaded: a line each. */
const failuresOf = (root, report, counts) =>
  report.testResults
    .filter(({ status }) => status === "failed")
    .flatMap((file) => {
      const failed = file.assertionResults.filter((test) => test.status === "failed")
      if (failed.length === 0) counts.failed++
      const names = failed.length === 0 ? ["(the file cannot be loaded)"] : failed.map(withReason)
      return names.map((name) => `${relative(root, file.name ?? "")}: ${name}`)
    })

/** Runs vitest with these arguments. Returns the counts of tests, and a line for each failure. */
export const runTests = async (root, args) => {
  const folder = mkdtempSync(join(tmpdir(), "engine-server-test-"))
  const report = join(folder, "report.json")
  const errors = join(folder, "errors.txt")
  const files = join(folder, "files.txt")
  Object.assign(process.env, { TEST_ERRORS: errors, TEST_FILES: files })
  const reporters = ["--reporter=default", "--reporter=json", `--reporter=${join(root, "scripts/error-reporter.js")}`]
  const { ending, last, passed } = await runVitest(root, ["run", ...reporters, `--outputFile.json=${report}`, ...args])
  const outside = linesOf(errors)
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failures = []
  const failOutside = (what) => {
    counts.failed++
    failures.push(`${what} (${ending}); the end of its standard error: ${last || "nothing"}`)
  }
  try {
    const json = JSON.parse(readFileSync(report, "utf8"))
    const failed = failuresOf(root, json, counts)
    counts.passed = json.numPassedTests
    counts.failed += json.numFailedTests
    counts.skipped = json.numPendingTests + json.numTodoTests
    failures.push(...failed)
    // An unhandled rejection fails the run without a failed test.
    if ((!passed || outside.length > 0) && counts.failed === 0) failOutside("vitest failed outside a test")
  } catch (cause) {
    failOutside(`vitest left no report: ${cause.message}`)
    failures.push(`files that had begun and not ended: ${unfinished(root, linesOf(files))}`)
  }
  failures.push(...outside)
  rmSync(folder, { recursive: true, force: true })
  return { counts, failures }
}
