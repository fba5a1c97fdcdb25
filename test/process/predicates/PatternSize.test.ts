import { RE2JS } from "re2js"
import { describe, expect, it } from "vitest"
import { rewriteJavaPattern } from "../../../src/process/predicates/JavaPattern.ts"
import { patternSize } from "../../../src/process/predicates/PatternSize.ts"

const patterns = [
  "abc",
  "[ab]{1000}",
  "(?:ab|c){100}",
  "((a{2}){3}){4}",
  "(a|b{3,7}c){10,20}x{5,}",
  "[\\p{Alpha}]{10}[^]x]{20}\\p{Lu}{30}\\x{1F600}{40}",
  "\\Q{1000}\\E",
  "a{,5}{x}",
  "(?i:mar)+ko*?"
]

describe("patternSize", () => {
  it.each(patterns)("is the compiled size of %s or a little more", (pattern) => {
    const rewritten = rewriteJavaPattern(pattern)
    const states = RE2JS.compile(rewritten).programSize()
    expect(patternSize(rewritten)).toBeGreaterThanOrEqual(states - 2)
    expect(patternSize(rewritten)).toBeLessThanOrEqual(3 * states)
  })

  it("does not compile the pattern", () => {
    expect(patternSize("[ab]{1000}".repeat(400))).toBe(400_000)
    expect(patternSize("((x{1000}){1000}){1000}")).toBeGreaterThan(1e9)
  })
})
