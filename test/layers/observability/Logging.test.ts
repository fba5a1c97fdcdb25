import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logging from "../../../src/layers/observability/Logging.ts"
import type { LoggingSettings } from "../../../src/services/Config.ts"
import { newFolder } from "../../Folders.ts"
import { bundled } from "../support/ServerProcess.ts"

const logFile = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "engine-server-log-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "service.log")
)

const logged = (file: string, settings: Partial<LoggingSettings>, log: Effect.Effect<unknown>) =>
  Effect.provide(log, Logging.layer({ format: "text", level: "info", file, ...settings }))

describe("The log", () => {
  it.scopedLive("has lines of text with time, level, message and annotations", () =>
    Effect.gen(function* () {
      const file = yield* logFile
      const log = Effect.logWarning("Slow request").pipe(Effect.annotateLogs({ user: "a b", ms: 12 }))
      yield* logged(file, {}, Effect.zipRight(log, Effect.logDebug("not this")))
      assert.match(readFileSync(file, "utf8"), /^\d{4}-\d\d-\d\dT[\d:.]+Z WARN {2}Slow request user="a b" ms=12\n$/)
    })
  )

  it.scopedLive("has one JSON object a line when it is configured", () =>
    Effect.gen(function* () {
      const file = yield* logFile
      const log = Effect.logInfo("two\nlines").pipe(Effect.annotateLogs("requestId", "r"))
      yield* logged(file, { format: "json" }, log)
      const { time, ...rest } = JSON.parse(readFileSync(file, "utf8"))
      assert.match(time, /^\d{4}-/)
      assert.deepStrictEqual(rest, { level: "INFO", message: "two\nlines", requestId: "r" })
    })
  )

  it.scopedLive("escapes text that would start a line or move the cursor", () =>
    Effect.gen(function* () {
      const file = yield* logFile
      const text = "a\n2026-01-01T00:00:00.000Z INFO  forged\u001b[2J\u2028\u202e"
      yield* logged(file, {}, Effect.logInfo(text).pipe(Effect.annotateLogs("script", text)))
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      assert.strictEqual(lines.length, 2)
      assert.match(lines[1] ?? "", /^ {2}2026/)
      for (const hidden of ["\u001b", "\u2028", "\u202e"]) assert.notInclude(lines.join(), hidden)
    })
  )

  it.scopedLive("is opened again on SIGHUP", () =>
    Effect.gen(function* () {
      const file = yield* logFile
      const log = Effect.gen(function* () {
        yield* Effect.logInfo("before")
        renameSync(file, `${file}.1`)
        process.emit("SIGHUP")
        yield* Effect.logInfo("after")
      })
      yield* logged(file, {}, log)
      assert.include(readFileSync(`${file}.1`, "utf8"), "before")
      assert.include(readFileSync(file, "utf8"), "after")
      assert.notInclude(readFileSync(`${file}.1`, "utf8"), "after")
    })
  )

  it.effect.skipIf(process.platform !== "linux")("ends nothing when its disk is full", () =>
    logged("/dev/full", {}, Effect.zipRight(Effect.logInfo("first"), Effect.logInfo("second")))
  )

  it.effect("fails with a typed error when it cannot be opened", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(logged("/nowhere/at/all.log", {}, Effect.void))
      assert.strictEqual(error._tag, "LogFileUnusable")
      assert.include(error.message, "/nowhere/at/all.log")
    })
  )
})

describe.skipIf(process.platform === "win32")("A log on standard output that is a file without room", () => {
  it.live.each(["text", "json"])("counts the lines that are missing, and joins no lines (%s)", (format) =>
    Effect.gen(function* () {
      const bundle = yield* Effect.promise(() => bundled({ OutputLogger: "test/layers/observability/OutputLogger.ts" }))
      const file = join(newFolder(), "out.log")
      // A block has 512 bytes in a POSIX shell. A program that ignores the signal gets an error for a larger file.
      const limited = 'trap "" XFSZ; ulimit -f 1; exec "$@" >> "$0"'
      const words = ["-c", limited, file, process.execPath, join(bundle, "OutputLogger.mjs"), file, format]
      const { status, stderr } = spawnSync("sh", words, { encoding: "utf8", timeout: 60_000 })
      assert.deepStrictEqual([status, stderr], [0, ""])
      const lines = readFileSync(file, "utf8").trimEnd().split("\n")
      assert.lengthOf(lines, 4)
      const [missing, last] = lines.slice(-2)
      assert.match(missing ?? "", /Here 1\d lines are missing, which could not be written/)
      assert.match(last ?? "", /last/)
      if (format === "json") for (const line of [missing, last]) JSON.parse(line ?? "")
    })
  )
})
