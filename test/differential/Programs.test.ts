import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { programOf, programText, smallerPrograms } from "./programs/Program.ts"

const programs = (count: number) => Array.from({ length: count }, (_, number) => programOf(7, number))

describe("The generator of programs", () => {
  it("returns the same program for the same seed and number", () => {
    expect(programText(programOf(7, 3))).toBe(programText(programOf(7, 3)))
    expect(programText(programOf(8, 3))).not.toBe(programText(programOf(7, 3)))
  })

  it("returns programs that the parser accepts, with every kind of statement", () => {
    const texts = programs(500).map(programText)
    for (const text of texts) expect(() => parseScript(text), text).not.toThrow()
    for (const word of [
      "if (",
      "else",
      "for (",
      "while (",
      "switch (",
      "try {",
      "finally",
      "def f",
      ".each {",
      "return "
    ]) {
      expect(
        texts.some((text) => text.includes(word)),
        word
      ).toBe(true)
    }
  })

  it("makes programs smaller", () => {
    const [program] = programs(1)
    for (const smaller of smallerPrograms(program!)) {
      expect(programText(smaller).length).toBeLessThan(programText(program!).length)
    }
  })
})
