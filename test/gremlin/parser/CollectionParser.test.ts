import { describe, expect, it } from "vitest"
import { text } from "../../../src/structure/texts/Text.ts"
import { resultOf } from "../FakeHost.ts"

describe("A key of a map in parentheses", () => {
  it.each([
    ["m = [(String): 'text', (Integer): 'number']; [m[String], m[Integer], m.size()]", "[text, number, 2]"],
    ["m = [(Vertex): 1]; m.keySet().first().simpleName", "Vertex"],
    ["String = 'k'; [(String): 1]", "{k=1}"],
    ["k = 'x'; [(k): 1]", "{x=1}"],
    ["[(id): 1, (T.label): 2]", "{id=1, label=2}"]
  ])("is a class, a variable or a constant: %s", (script, value) => {
    expect(text(resultOf(script))).toBe(value)
  })
})
