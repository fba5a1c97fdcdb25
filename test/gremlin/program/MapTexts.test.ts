// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../FakeHost.ts"

describe("The text of a map in a script", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["[a: 1, b: null].toString()", "[a:1, b:null]"],
    ["[:].toString() + [[:]]", "[:][[:]]"],
    ["\"${[a: [b: [1, [c: 'x y']]]]}\"", "[a:[b:[1, [c:x y]]]]"],
    ["'' + [a: 1]", "[a:1]"],
    ["[a: 1] as String", "[a:1]"],
    ["[[a: 1], [b: 2]].join('; ')", "[a:1]; [b:2]"],
    ["[a: [b: 1]].values().toString()", "[[b:1]]"],
    ["([[a: 1]] as Set).toString()", "[[a:1]]"],
    ["[1, 2, 3].groupBy { it % 2 }.toString()", "[1:[1, 3], 0:[2]]"],
    ["[a: 1].toMapString()", "[a:1]"],
    ['try { throw new RuntimeException("m: ${[a: 1]}") } catch (e) { e.message }', "m: [a:1]"]
  ]
  for (const [script, value] of cases) {
    it(`is Groovy's: ${script}`, () => {
      expect(resultOf(script)).toBe(value)
    })
  }

  it("is Java's in String.valueOf(), and inside of entries", () => {
    expect(resultOf("String.valueOf([a: [b: 1]])")).toBe("{a={b=1}}")
    expect(resultOf("[a: [b: 1]].find { true }.toString()")).toBe("a={b=1}")
    expect(resultOf("[[a: [b: 1]].entrySet(), [c: 1]].toString()")).toBe("[[a={b=1}], [c:1]]")
  })

  it("is printed in Groovy's form, and sent to clients in Java's", () => {
    const host = new FakeHost()
    expect(text(host.run("println([a: [1]]); [a: [1]]"))).toBe("{a=[1]}")
    expect(host.printed).toBe("[a:[1]]\n")
  })
})
