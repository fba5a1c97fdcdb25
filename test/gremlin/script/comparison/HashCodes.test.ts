// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scripts of Groovy have values in strings
import { describe, expect, it } from "vitest"
import { Detached } from "../../../../src/structure/elements/Element.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

// The expected values are those of Gremlin Server 3.8.1.

describe("A hash code", () => {
  const cases: ReadonlyArray<readonly [script: string, value: string]> = [
    ["'abc'.hashCode()", "96354"],
    ["''.hashCode()", "0"],
    ["1.hashCode()", "1"],
    ["(-1).hashCode()", "-1"],
    ["5L.hashCode()", "5"],
    ["123456789012L.hashCode()", "-1097262584"],
    ["(-5L).hashCode()", "4"],
    ["1.5d.hashCode()", "1073217536"],
    ["0.0d.hashCode()", "0"],
    ["1.5f.hashCode()", "1069547520"],
    ["true.hashCode()", "1231"],
    ["false.hashCode()", "1237"],
    ["[1,2,3].hashCode()", "30817"],
    ["[].hashCode()", "1"],
    ["[a:1,b:2].hashCode()", "192"],
    ["[:].hashCode()", "0"],
    ["([1,2] as Set).hashCode()", "3"],
    ["[null].hashCode()", "31"],
    ["'a'.hashCode() % 10", "7"],
    ["('c' as char).hashCode()", "99"],
    ["5g.hashCode()", "5"],
    ["123456789012345678901234567890g.hashCode()", "1915528825"],
    ["(-123456789012345678901234567890g).hashCode()", "-1915528825"],
    ["new BigDecimal('1.50').hashCode()", "4652"],
    ["new BigDecimal('-1.50').hashCode()", "-4648"],
    ["new Date(0).hashCode()", "0"],
    ["new Date(123456789012L).hashCode()", "-1097262584"],
    ["UUID.fromString('123e4567-e89b-12d3-a456-426614174000').hashCode()", "1256478162"],
    ["[1,[2,'x']].hashCode()", "2135"],
    ["Objects.hash(1, 'a')", "1089"],
    ["Objects.hashCode(null)", "0"],
    ["[a:1].entrySet().iterator().next().hashCode()", "96"],
    ["(byte) 5.hashCode()", "5"],
    ["((byte) 5).hashCode()", "5"],
    ["java.time.Duration.ofSeconds(5).hashCode()", "5"],
    ["Math.abs('hello world'.hashCode()) % 16", "4"]
  ]
  for (const [script, value] of cases) {
    it(`is that of Java: ${script}`, () => {
      expect(text(resultOf(script))).toBe(value)
    })
  }

  it("of an element is that of its id", () => {
    const [marko] = [new Detached().addVertex(7, "person")]
    expect(resultOf("v.hashCode()", [], { v: marko })).toBe(7)
  })

  it("is refused where each server has another one", () => {
    for (const script of [
      "(1..3).hashCode()",
      "[1].toArray().hashCode()",
      "({ it }).call(T.id).hashCode()",
      "String.hashCode()"
    ]) {
      expect(() => resultOf(script), script).toThrow()
    }
  })

  it("of a large value ends", () => {
    expect(() => resultOf("def l = [1]; 20.times { l = [l, l] }; l.hashCode()")).toThrow("in one operation")
    expect(() => resultOf("def l = [1]; l << l; l.hashCode()")).toThrow("into itself")
    expect(typeof resultOf("(2G ** 9999).hashCode()")).toBe("number")
  })
})
