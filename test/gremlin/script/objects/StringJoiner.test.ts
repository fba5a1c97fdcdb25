import { describe, expect, it } from "vitest"
import { text } from "../../../../src/structure/texts/Text.ts"
import { resultOf } from "../../FakeHost.ts"

const shown = (script: string): string => text(resultOf(script))

describe("A StringJoiner", () => {
  it("joins texts", () => {
    expect(shown("j = new StringJoiner(', '); j.add('a').add('b'); j.toString()")).toBe("a, b")
    expect(shown("j = new StringJoiner('-', '[', ']'); ['a', 'b', 'c'].each { j.add(it) }; \"$j\"")).toBe("[a-b-c]")
    expect(
      shown("import java.util.StringJoiner\nj = new StringJoiner('-', '[', ']'); [j.toString(), j.length()]")
    ).toBe("[[], 2]")
    expect(
      shown("j = new StringJoiner('-'); j.setEmptyValue('none'); e = j.toString(); j.add(''); [e, j.length()]")
    ).toBe("[none, 0]")
    expect(
      shown(
        "j = new StringJoiner('-').add('a'); k = new StringJoiner('+', '<', '>').add('b').add('c'); j.merge(k).toString()"
      )
    ).toBe("a-b+c")
    expect(shown("new StringJoiner(',').add(null).add(new StringBuilder('x')).toString()")).toBe("null,x")
    expect(shown("new StringJoiner(',') instanceof StringJoiner")).toBe("true")
  })

  it("takes texts only, and is as short as any text", () => {
    expect(() => resultOf("new StringJoiner(',').add(1)")).toThrow(/a text was expected, not Integer/)
    expect(() => resultOf("new StringJoiner(',', '[')")).toThrow(/takes a separator, or/)
    expect(() => resultOf("new StringJoiner(',').remove(1)")).toThrow(/has no method remove\(\) with 1 arguments/)
    expect(() => resultOf("j = new StringJoiner(','); while (true) j.add('a' * 100000)")).toThrow(/1,?048,?576|too l/)
  })
})
