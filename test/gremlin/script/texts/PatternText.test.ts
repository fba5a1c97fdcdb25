import { describe, expect, it } from "vitest"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

describe("A method that looks for all matches in a long text", () => {
  const begin = "def s = 'ab1, ' * 2000; "
  const searches = [
    "s.split(/\\s*,\\s*/).size()",
    "s.split().size()",
    "s.split(/[,]/, 3).size()",
    "s.replaceAll(/[a-z]+/, '<$0>').size()",
    "s.findAll(/[a-z]+/).size()",
    "(s =~ /[a-z]+/).size()",
    "(s =~ /[a-z]+/)[1999]",
    "(s =~ /([a-z])(\\w)/)[1999]",
    "def n = 0; for (m in s =~ /[a-z]+/) n++; n"
  ]

  it("pauses, and has the value of one that does not", () => {
    for (const search of searches) {
      const pausing = new FakeHost()
      const value = text(pausing.run(begin + search, new TimeSlice(0)))
      expect.soft(pausing.calls.length, search).toBeGreaterThan(500)
      expect.soft(value, search).toBe(text(resultOf(begin + search)))
    }
    expect(resultOf(`${begin}s.split(/\\s*,\\s*/).size()`)).toBe(2000)
  })
})
