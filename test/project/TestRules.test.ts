import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "./Projects.ts"

/** The text without its strings, which may be programs of other processes. */
const withoutStrings = (text: string): string =>
  text.replace(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/gs, '""')

/** The name of a test outside of a describe(), whose subject is a capitalised word, a value of the test, or code such as `add()`. */
const ownName = /^(?:it|test)(?:\.\w+)*(?:\(\[.*\]\))?\(\s*["`](?![A-Z%$]|[\w.]+\(|npm )([^"`]*)/gm

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

/** The waits of a test file that last a second, which is the default of vitest, and too short on a machine with other work. */
const hurriedWaits = (text: string): ReadonlyArray<string> =>
  Array.from(withoutStrings(text).matchAll(/vi\.wait(?:For|Until)\(/g), ({ index, input }) => {
    let depth = 0
    let end = index
    do {
      if (input[end] === "(") depth++
      else if (input[end] === ")" && --depth === 0) break
    } while (++end < input.length)
    return input.slice(index, end + 1)
  }).filter((call) => !/\bLIMIT\b|\btimeout:/.test(call))

const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".test.ts")
)
const textOf = (file: string): string => readFileSync(join(root, "test", file), "utf8")

describe("The name of a test", () => {
  it("begins with its subject", () => {
    const found = files.flatMap((file) =>
      [...textOf(file).matchAll(ownName)].map(([, name]) => `test/${file}: ${name}`)
    )
    expect(found).toEqual([])
  })

  it("is reported if it begins with a verb or an article in lower case", () => {
    const named = (name: string): boolean => [...`it("${name}", () => {`.matchAll(ownName)].length > 0
    expect(["finds a vertex", "the graph is empty", "A graph is empty", "add() adds"].map(named)).toEqual([
      true,
      true,
      false,
      false
    ])
  })
})

describe("A test file", () => {
  it("leaves no timer to later tests", () => {
    const found = files.flatMap((file) => lostTimers(textOf(file)).map((problem) => `test/${file} ${problem}`))
    expect(found).toEqual([])
  })

  it("waits longer than a second for a condition", () => {
    const found = files.flatMap((file) => hurriedWaits(textOf(file)).map((wait) => `test/${file}: ${wait}`))
    expect(found).toEqual([])
  })

  it("is reported if a wait has no limit", () => {
    const wait = "vi.waitFor(() => expect(read()).toBe(1))"
    expect(hurriedWaits(`await ${wait}\nawait vi.waitFor(() => expect(read()).toBe(1), LIMIT)\n`)).toEqual([wait])
    expect(hurriedWaits("vi.waitFor(\n  () => expect(a).toBe(b),\n  { timeout: CONDITION_MS }\n)")).toEqual([])
  })

  it("is reported if it begins an interval of its own, or keeps fake timers", () => {
    expect(lostTimers("const timer = setInterval(look, 1)\nclearInterval(timer)")).toHaveLength(1)
    expect(lostTimers("vi.useFakeTimers()")).toEqual(["never ends its fake timers"])
    expect(lostTimers("vi.useFakeTimers()\nvi.useRealTimers()\nrun(`\nsetInterval(look, 1)`)")).toEqual([])
    expect(lostTimers(`run('print("a"); setInterval(look, 1)')`)).toEqual([])
  })
})
