import { truncateSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Logging from "../../../src/layers/observability/Logging.ts"

// Logs lines of 100 bytes to standard output, which is a file that can have only a few of them, then makes room and logs once more.
const [file, format] = process.argv.slice(2) as [string, "json" | "text"]
const text = "x".repeat(100)
const log = Effect.gen(function* () {
  for (let i = 0; i < 20; i++) yield* Effect.logInfo(text)
  // The last line of the file stays one that is not complete.
  truncateSync(file, 250)
  yield* Effect.logInfo("last")
})
await Effect.runPromise(Effect.provide(log, Logging.layer({ format, level: "info", file: undefined })))
