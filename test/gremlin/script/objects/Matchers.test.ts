import { expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

const shown = (script: string): string => text(resultOf(script))

it("The groups of a matcher are those of the last match", () => {
  const groups = [
    ["m = 'ab' =~ /a|ab/; [m.matches(), m.group()]", "[true, ab]"],
    ["m = 'aa' =~ /a*/; [m.matches(), m.find(), m.group()]", "[true, true, ]"],
    ["m = 'a1b22' =~ /[a-z](\\d+)/; m.find(); m.find(); [m.group(1), m.start(), m.end()]", "[22, 2, 5]"],
    ["m = 'ab' =~ /a(b)?/; if (m) m.group(1)", "b"],
    ["m = 'ab' =~ /a(b)?/; if (m) m.find()", "false"],
    ["m = 'ab' =~ /a(b)?/; m[0]; m.group(1)", "b"],
    ["m = 'abab' =~ /ab/; m.find(); m.matches(); m.find()", "true"],
    ["m = 'abab' =~ /ab/; [m.size(), m.find(), m.reset().find(), m.start()]", "[2, false, true, 0]"]
  ]
  for (const [script, value] of groups) expect(shown(script!), script).toBe(value)
})

it("A matcher has the number of its matches as a property", () => {
  expect(shown("m = 'a1b2' =~ /\\d/; [m.count, m.getCount(), m.find()]")).toBe("[2, 2, false]")
})

it("A matcher without a match has no groups", () => {
  const caught = "catch (e) { e.class.simpleName + ': ' + e.message }"
  expect(shown(`m = 'ab' =~ /a(b)?/; try { m.group(1) } ${caught}`)).toBe("IllegalStateException: No match found")
  expect(shown(`m = 'xa1' =~ /a(\\d)/; m.matches(); try { m.group(1) } ${caught}`)).toBe(
    "IllegalStateException: No match found"
  )
  expect(shown(`m = 'ab' =~ /a(b)?/; m.find(); try { m.group(3) } ${caught}`)).toBe(
    "IndexOutOfBoundsException: No group 3"
  )
})

it("A pattern is made by Pattern.compile() or ~, and has matchers", () => {
  const shownAs = [
    ["import java.util.regex.Pattern; Pattern.compile('a(b)').matcher('ab').matches()", "true"],
    ["java.util.regex.Pattern.matches('a.', 'ab')", "true"],
    ["p = ~/a(b)/; m = p.matcher('xab'); m.find() ? m.group(1) + p.pattern() : ''", "ba(b)"]
  ]
  for (const [script, value] of shownAs) expect(shown(script!), script).toBe(value)
})
