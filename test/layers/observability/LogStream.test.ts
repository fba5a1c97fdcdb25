import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { LogStream } from "../../../src/layers/observability/LogStream.ts"

const KILOBYTE = "x".repeat(1_023)

const read = (stream: PassThrough): ReadonlyArray<string> =>
  String(stream.read() ?? "")
    .split("\n")
    .filter((line) => line !== KILOBYTE && line !== "")

it("A log that nobody reads leaves lines out, those of the audit last, and counts them when it is read again", async () => {
  const stream = new PassThrough({ highWaterMark: 16_384 })
  const log = new LogStream(stream, (missing) => `${missing} missing`)
  for (let i = 0; i < 3_000; i++) log.write(KILOBYTE, false)
  const waiting = stream.writableLength
  expect(waiting).toBeLessThan(1_100_000)
  log.write("audit", true)
  for (let i = 0; i < 10_000; i++) log.write(KILOBYTE, true)
  expect(stream.writableLength).toBeLessThan(4_300_000)
  const lines: Array<string> = []
  stream.on("readable", () => lines.push(...read(stream)))
  await expect.poll(() => stream.writableLength).toBe(0)
  log.write("last", false)
  await expect.poll(() => lines.at(-1)).toBe("last")
  expect(lines).toEqual([
    expect.stringMatching(/^\d+ missing$/),
    "audit",
    expect.stringMatching(/^\d+ missing$/),
    "last"
  ])
  log.close()
  expect(stream.listenerCount("drain")).toBe(0)
})
