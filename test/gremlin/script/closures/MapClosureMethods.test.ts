// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A method of a map", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["def m = [a:1]; m.merge('a', 5) { x, y -> x + y }; m", "{a=6}"],
    ["def m = [a:1]; m.merge('b', 5) { x, y -> x + y }; m", "{a=1, b=5}"],
    ["def m = [a:1]; m.merge('a', 5, { x, y -> null }); m", "{}"],
    ["def m = [a:1]; m.computeIfAbsent('b') { it + 'x' }; m", "{a=1, b=bx}"],
    ["def m = [a:1]; m.computeIfPresent('a') { k, v -> v + 1 }; m", "{a=2}"],
    ["def m = [a:1]; m.computeIfPresent('z') { k, v -> v + 1 }", "null"],
    ["def m = [a:1]; m.compute('a') { k, v -> v + 1 }", "2"],
    ["def m = [a:1]; m.compute('z') { k, v -> v == null ? 1 : 2 }; m", "{a=1, z=1}"],
    ["def m = [a:1]; m.compute('a') { k, v -> null }; m", "{}"],
    ["def m = [a:1]; m.replace('a', 5); m", "{a=5}"],
    ["def m = [a:1]; m.replace('z', 5); m", "{a=1}"],
    ["def m = [a:1]; m.replace('a', 1, 5)", "true"],
    ["def m = [a:1,b:2]; m.keySet().remove('a'); m", "{b=2}"],
    ["def m = [b:1,a:2]; m.drop(1)", "{a=2}"],
    ["def m = [b:1,a:2]; m.take(1)", "{b=1}"],
    ["def m = [b:1,a:2]; m.takeWhile { k, v -> v < 2 }", "{b=1}"],
    ["def m = [b:1]; m.size() + m.keySet().size()", "2"],
    ["def m = [b:null]; m.computeIfAbsent('b') { 7 }; m", "{b=7}"],
    ["[1,2,3].removeIf { it > 1 }", "true"],
    ["[a:1].forEach { k, v -> }", "null"],
    ["def m=[a:1,b:2]; m.keySet().removeAll(['a']); m", "{b=2}"],
    ["def m=[a:1,b:2]; m.keySet().retainAll(['a']); m", "{a=1}"],
    ["def m=[a:1,b:2]; m.keySet().clear(); m", "{}"],
    ["def m=[a:1,b:2]; m.keySet().removeIf { it == 'a' }; m", "{b=2}"],
    ["def m=[a:1,b:2]; def k = m.keySet(); m.c = 3; k.size()", "3"],
    ["def m=[a:1,b:2]; m.keySet() + 'z'", "[a, b, z]"],
    ["def m=[a:1,b:2]; m.values().sum()", "3"],
    ["def m=[a:1,b:2]; m.values().sort()", "[1, 2]"],
    ["def m=[b:2,a:1]; m.values().sort(false)", "[1, 2]"],
    ["def m=[b:2,a:1]; m.keySet().sort()", "[a, b]"],
    ["def m=[b:2,a:1]; m.keySet() as List", "[b, a]"]
  ]
  for (const [script, value] of cases) {
    it(`has the effect of Groovy: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("is refused for the values of a map, whose change would change the map", () => {
    for (const change of ["values().removeIf { it > 1 }", "values().clear()", "values().remove(1)"]) {
      expect(() => resultOf(`def m = [a: 1, b: 2]; m.${change}; m`), change).toThrow(
        "values() cannot be changed in scripts"
      )
    }
    expect(() => resultOf("def m = [a: 1]; m.keySet() << 'z'")).toThrow("no key can be added")
  })

  it("merges no null", () => {
    for (const map of ["[:]", "[a: 1]"]) {
      expect(() => resultOf(`${map}.merge('a', null) { a, b -> 1 }`), map).toThrow(
        "merge() takes a value that is not null"
      )
    }
  })

  it("keeps names of JavaScript's objects as keys", () => {
    expect(
      text(
        resultOf("def m = [:]; m.merge('__proto__', 1) { a, b -> a + b }; m.compute('constructor') { k, v -> k }; m")
      )
    ).toBe("{__proto__=1, constructor=constructor}")
  })
})
