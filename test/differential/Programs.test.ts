import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import type { Outcome } from "./Outcome.ts"
import { programOf, programText, smallerPrograms } from "./programs/Program.ts"
import { reasonOf } from "./programs/ProgramRules.ts"

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

describe("An intended difference of programs", () => {
  it("is an answer of this server, not a missing one or a defect", () => {
    const reference: Outcome = { kind: "error", code: 500, message: "java.util.ConcurrentModificationException" }
    const reason = (candidate: Outcome) => reasonOf("x[0..1] = [1]", reference, candidate)
    expect(reason({ kind: "values", values: [] })).toContain("a loop over the list")
    expect(reason({ kind: "timeout" })).toBeUndefined()
    expect(reason({ kind: "lost", reason: "no answer" })).toBeUndefined()
    expect(reason({ kind: "error", code: 500, message: "This is a defect" })).toBeUndefined()
  })
})
