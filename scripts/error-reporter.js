import { appendFileSync } from "node:fs"

const append = (variable, text) => {
  if (process.env[variable] !== undefined) appendFileSync(process.env[variable], `${text}\n`)
}

/**
 * A reporter of vitest that writes errors outside tests (a crashed worker, an unhandled rejection) to the file TEST_ERRORS, and which
 * test files have begun and ended to the file TEST_FILES: it is read when vitest itself dies.
 */
export default class ErrorReporter {
  onTestModuleStart({ moduleId }) {
    append("TEST_FILES", `begun ${moduleId}`)
  }

  onTestModuleEnd({ moduleId }) {
    append("TEST_FILES", `ended ${moduleId}`)
  }

  onFinished(_files, errors = []) {
    for (const error of errors) {
      const text = String(error?.stack ?? error?.message ?? error)
      append("TEST_ERRORS", `outside a test: ${text.split("\n", 3).join(" | ")}`)
    }
  }
}
