import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("A closure that calls itself without end", () => {
  it("fails with an error of the script, whatever stands between two calls", () => {
    const bodies = [
      "c(it)",
      "[1].collect { [1].each { [1].collect { c(it) } } }",
      "[1, 2].sort { a, b -> c(a) }",
      "(it ? (it ? (it ? (it ? [c(it)] : 1) : 1) : 1) : 1)",
      "for (i in [1]) { if (it) { try { switch (1) { case 1: c(it) } } finally { i } } }"
    ]
    for (const body of bodies) {
      const script = `def c; c = { ${body} }; `
      expect(() => resultOf(`${script} c(1)`), body).toThrow(/calls itself more than 500 levels deep/)
      expect(shown(`${script} try { c(1) } catch (StackOverflowError e) { 'caught' }`), body).toBe("caught")
    }
  })
})

describe("A value that a script builds step by step", () => {
  it("is limited when an assignment lengthens a list of more than a million members", () => {
    expect(() => resultOf("def l = []; while (true) l[l.size() + 90000] = 1")).toThrow(
      /more than 2000000 items in total/
    )
  })

  it("is limited when an exception is the cause of the next one", () => {
    const script = "def e = new RuntimeException('a' * 1000); while (true) e = new RuntimeException(e)"
    expect(() => resultOf(script)).toThrow(/a string of a script has at most 1048576 characters/)
  })

  it("is refused when it is a date out of range", () => {
    for (const script of ["new Date(1e308d)", "new Date(9223372036854775808)"]) {
      expect(() => resultOf(script)).toThrow(/takes a Long of milliseconds since 1970/)
    }
    expect(() => resultOf("new Date(300000, 0, 1)")).toThrow(/makes dates at most 100,000,000 days away from 1970/)
    expect(() => resultOf("Date.from(Instant.ofEpochSecond(9999999999999999L))")).toThrow(/the date is out of range/)
    expect(resultOf("new Date(8640000000000000L).getTime()")).toBe(8_640_000_000_000_000n)
  })

  it("is the last date of all", () => {
    expect(resultOf("def never = new Date(Long.MAX_VALUE); [never.time, Date.from(never.toInstant()).time]")).toEqual([
      2n ** 63n - 1n,
      2n ** 63n - 1n
    ])
    expect(resultOf("def never = new Date(Long.MAX_VALUE); never.after(new Date()) && never > new Date()")).toBe(true)
    expect(() => resultOf("new Date(Long.MAX_VALUE).format('yyyy')")).toThrow(/years 0 to 9999|1582/)
    expect(() => resultOf("new Date(Long.MAX_VALUE).getYear()")).toThrow(/100,000,000 days away from 1970/)
  })
})
