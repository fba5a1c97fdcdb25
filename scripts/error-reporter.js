import { appendFileSync } from "node:fs"

/** A reporter of vitest that writes errors outside tests (a crashed worker, an unhandled rejection) to the file TEST_ERRORS. */
export default class ErrorReporter {
  onFinished(_files, errors = []) {
    for (const error of errors) {
      appendFileSync(
        process.env.TEST_ERRORS,
        `outside a test: ${String(error?.stack ?? error?.message ?? error)
          .split("\n", 3)
          .join(" | ")}\n`
      )
    }
  }
}
