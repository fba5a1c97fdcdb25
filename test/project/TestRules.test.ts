import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

/** The text without its strings, which may be programs of other processes. */
const withoutStrings = (text: string): string =>
  text.replace(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gs, '""')

/** The problems of a test file with timers that outlive a test. */
const lostTimers = (text: string): ReadonlyArray<string> => {
  const code = withoutStrings(text)
  return [
    ...(/\bsetInterval\(/.test(code)
      ? ["begins an interval: use every() of test/Intervals.ts, which also ends it"]
      : []),
    ...(code.includes("vi.useFakeTimers(") && !code.includes("vi.useRealTimers(") ? ["never ends its fake timers"] : [])
  ]
}

describe("A test file", () => {
  it("leaves no timer to later tests", () => {
    const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".test.ts")
    )
    const found = files.flatMap((file) =>
      lostTimers(readFileSync(join(root, "test", file), "utf8")).map((problem) => `test/${file} ${problem}`)
    )
    expect(found).toEqual([])
  })

  it("is reported if it begins an interval of its own, or keeps fake timers", () => {
    expect(lostTimers("const timer = setInterval(look, 1)\nclearInterval(timer)")).toHaveLength(1)
    expect(lostTimers("vi.useFakeTimers()")).toEqual(["never ends its fake timers"])
    expect(lostTimers("vi.useFakeTimers()\nvi.useRealTimers()\nrun(`\nsetInterval(look, 1)`)")).toEqual([])
    expect(lostTimers(`run('print("a"); setInterval(look, 1)')`)).toEqual([])
  })
})
