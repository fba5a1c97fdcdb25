import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { MANY_RUNS_MS } from "../Limits.ts"
import { modern, startServer } from "../layers/support/TestServers.ts"
import { Client } from "./Client.ts"
import { isDefect } from "./Outcome.ts"
import { readRecording, recorded } from "./programs/Recorded.ts"

const recording = readRecording(fileURLToPath(new URL("programs/recorded.jsonl", import.meta.url)))

/** Programs that run concurrently. */
const CONCURRENT_PROGRAMS = 16
/** Evaluation timeout of a program, ms. On a busy machine a program may take seconds. */
const TIMEOUT_MS = 60_000

it(
  "Programs have the results that the reference had when they were recorded",
  async () => {
    expect(recording.programs.length).toBeGreaterThanOrEqual(500)
    const { authority, log } = await startServer(modern)
    const client = new Client(`ws://${authority}/gremlin`)
    for (let first = 0; first < recording.programs.length; first += CONCURRENT_PROGRAMS) {
      await Promise.all(
        recording.programs.slice(first, first + CONCURRENT_PROGRAMS).map(async (expected) => {
          const { number, program } = expected
          const outcome = await client.run({ source: "g", program, language: "gremlin-groovy" }, TIMEOUT_MS)
          expect(
            recorded(number, program, outcome),
            `program ${number}:\n${program}\n${JSON.stringify(outcome, text)}`
          ).toEqual(expected)
          expect(isDefect(outcome), program).toBe(false)
        })
      )
    }
    expect(log.filter((line) => line.startsWith("ERROR"))).toEqual([])
    client.close()
  },
  MANY_RUNS_MS
)

const text = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)
