import { describe, expect, it } from "vitest"
import { ScriptMatcher } from "../../../../src/gremlin/script/objects/Matchers.ts"
import { ScriptPattern } from "../../../../src/gremlin/script/values/Patterns.ts"
import { compiledPattern } from "../../../../src/process/predicates/RegularExpression.ts"
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

describe("A search for all matches whose pattern reads far ahead", () => {
  it("pauses also in a shorter text, and when a property or a truth test makes it", () => {
    const begin = "def s = 'a' * 1000; def m = s =~ /a(a*b)?/; "
    for (const search of [
      "s.findAll(/a(a*b)?/).size()",
      "s.replaceAll(/a(a*b)?/, 'x').size()",
      "s.split(/a(a*b)?/).size()",
      "m.count",
      "m.size()",
      "m ? 1 : 2; m ? 1 : 2; m.count",
      "m[999]"
    ]) {
      const pausing = new FakeHost()
      const value = text(pausing.run(begin + search, new TimeSlice(0)))
      expect.soft(pausing.calls.length, search).toBeGreaterThan(500)
      expect.soft(value, search).toBe(text(resultOf(begin + search)))
    }
  })

  it("finds only the next match when the truth of the matcher is asked", () => {
    const { compiled, source } = new ScriptPattern("a", compiledPattern("a"))
    let found = 0
    const counting = {
      ...compiled,
      finder: (searched: string) => {
        const next = compiled.finder(searched)
        return () => {
          found++
          return next()
        }
      },
      all: () => expect.fail("all matches were found at once")
    }
    const matcher = new ScriptMatcher("aaa", new ScriptPattern(source, counting))
    const asked = [matcher.found, matcher.found, matcher.found, matcher.found, matcher.found]
    expect(asked).toEqual([true, true, true, false, false])
    expect(found).toBe(4)
  })

  it("continues where the truth tests of the matcher have stopped", () => {
    const tested = "def s = 'ab' * 500; def m = s =~ /[ab]/; m ? 1 : 0; m ? 1 : 0; m ? 1 : 0; "
    expect(text(resultOf(`${tested}m.group() + m.start() + ' ' + m.find() + m.start() + ' ' + m.size()`))).toBe(
      "a2 true3 1000"
    )
  })
})
