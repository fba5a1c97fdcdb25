// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { TimeSlice } from "../../../../src/scheduling/TimeSlice.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { FakeHost, resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A method of a string with a closure", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["'abc'.replaceAll('b') { it.toUpperCase() }", "aBc"],
    ["'a1b22'.replaceAll(/\\d+/) { \"<$it>\" }", "a<1>b<22>"],
    ["'a1b22'.replaceAll(/([a-z])(\\d+)/) { all, x, y -> y + x }", "1a22b"],
    ["'a1b22'.replaceAll(/([a-z])(\\d+)/) { it.class.simpleName }", "ArrayListArrayList"],
    ["'a1b22'.replaceAll(/([a-z])(\\d+)/) { it[2] + it[1] }", "1a22b"],
    ["'a1b22'.replaceAll(/([a-z])(\\d+)/) { a -> a.size() }", "33"],
    ["'aXbX'.replaceFirst('X') { 'y' }", "aybX"],
    ["'aXbX'.replaceAll('X') { '$1' }", "a$1b$1"],
    ["'aXbX'.replaceAll(~/X/) { null }", "anullbnull"],
    ["def r = []; 'a1b22'.eachMatch(/\\d+/) { r << it }; r", "[1, 22]"],
    ["def r = []; 'a1b22'.eachMatch(/([a-z])(\\d+)/) { a, b, c -> r << c }; r", "[1, 22]"],
    ["'a1b22'.find(/\\d+/) { it + '!' }", "1!"],
    ["'a1b22'.find(/([a-z])(\\d+)/) { all, x, y -> y }", "1"],
    ["'ab'.find(/\\d/) { 1 }", "null"],
    ["'a1b22'.findAll(/\\d+/) { it.toInteger() }", "[1, 22]"],
    ["'a1b22'.findAll(/([a-z])(\\d+)/) { all, x, y -> y }", "[1, 22]"],
    ["def r = []; 'a\\nb'.eachLine { r << it }; r", "[a, b]"],
    ["def r = []; 'a\\nb'.eachLine { l, i -> r << i + l }; r", "[0a, 1b]"],
    ["'abc'.codePointAt(0)", "97"],
    ["'abc'.isAllWhitespace()", "false"],
    ["'abc'.getAt(1)", "b"],
    ["'abcdef'.dropWhile { it < 'c' }", "cdef"],
    ["'abcdef'.takeWhile { it < 'c' }", "ab"],
    ["'abc'.takeBetween('a', 'c')", "b"],
    ["def m = [a:1,b:2]; m.replaceAll { k, v -> v * 2 }; m", "{a=2, b=4}"],
    ["'a1'.replaceAll('[0-9]') { x -> (x.toInteger() + 1).toString() }", "a2"],
    ["'aaa'.replaceAll('a') { 'b' } + 'x'.replaceAll('y') { 'z' }", "bbbx"],
    ["'a.b'.replaceAll('.') { '*' }", "***"],
    ["'a.b'.replaceFirst('.') { '*' }", "*.b"],
    ["'abc'.replaceAll('(b)') { a, b -> a + b }", "abbc"],
    ["'abc'.replaceAll('(b)') { it }", "a[b, b]c"],
    ["'ab'.eachMatch('x') { }", "ab"]
  ]
  for (const [script, value] of cases) {
    it(`gives the value of Groovy: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("ends within the limits of a text", () => {
    expect(() => resultOf("('a' * 2000).replaceAll('a') { 'b' * 1000 }")).toThrow("at most 1048576")
  })

  it("takes no arguments that mean another method", () => {
    expect(() => resultOf("[1, 2].groupBy(1) { it }")).toThrow("before the closure")
    expect(() => resultOf("[1, 2].sum(10) { it }")).toThrow("before the closure")
  })

  it("finds the matches one after the other", () => {
    // Each of these matches reads the whole text, so that all of them take more than a minute.
    const many = "('x' * 60000)"
    const pattern = "'x.*y|x'"
    expect(text(resultOf(`${many}.find(${pattern}) { it }`))).toBe("x")
    expect(text(resultOf(`${many}.find(${pattern})`))).toBe("x")
    expect(text(resultOf(`${many}.replaceFirst(${pattern}) { 'yy' }.size()`))).toBe("60001")
    expect(text(resultOf(`${many}.replaceFirst(${pattern}, 'yy').size()`))).toBe("60001")
    for (const method of ["findAll", "eachMatch", "replaceAll"]) {
      const script = `${many}.${method}(${pattern}) { throw new Exception('it runs') }`
      expect(() => resultOf(script), method).toThrow("it runs")
    }
  })

  it("looks at the clock before each match that may read much", () => {
    let asked = 0
    class CountingSlice extends TimeSlice {
      override isOverNow(): boolean {
        asked++
        return false
      }
    }
    const script = "('x' * 20000).replaceAll('x') { it }.size()"
    expect(text(new FakeHost().run(script, new CountingSlice()))).toBe("20000")
    expect(asked).toBeGreaterThan(10_000)
  })
})

describe("A method of a string without a closure", () => {
  it("lets the host end it when the matches of a pattern take long", () => {
    for (const method of ["findAll('x.*y|x')", "replaceAll('x.*y|x', 'y')", "split('x.*y|x')"]) {
      let pauses = 0
      const host = new FakeHost(() => {
        if (++pauses === 20) throw new Error("the time is over")
      })
      expect(() => host.run(`('x' * 60000).${method}`, new TimeSlice(0)), method).toThrow("the time is over")
    }
    expect(text(resultOf("('x' * 60000).findAll('x').size()"))).toBe("60000")
  })
})
