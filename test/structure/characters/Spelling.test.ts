import { describe, expect, it } from "vitest"
import { closest } from "../../../src/structure/characters/Spelling.ts"

const steps = ["values", "valueMap", "hasLabel", "has", "out", "outE", "count"]

describe("closest()", () => {
  it("finds the word in which a character is missing, added, replaced or swapped with the next one", () => {
    const meant = { value: "values", valuees: "values", valies: "values", coutn: "count", hasLable: "hasLabel" }
    for (const [word, step] of Object.entries(meant)) expect([word, closest(word, steps)]).toEqual([word, step])
  })

  it("ignores case, hyphens and underscores", () => {
    expect(closest("haslabel", steps)).toBe("hasLabel")
    expect(closest("VALUE_MAP", steps)).toBe("valueMap")
    expect(closest("read_only", ["read-only"])).toBe("read-only")
  })

  it("takes one error in each four characters, and three at most", () => {
    expect(closest("values1234", steps)).toBeUndefined()
    expect(closest("evaluationTmieot", ["evaluationTimeout"])).toBe("evaluationTimeout")
    expect(closest("keepAliveIntervals123", ["keepAliveInterval"])).toBeUndefined()
  })

  it("takes the closest word, and the first of equally close ones", () => {
    expect(closest("outs", ["oust", "outs1", "out"])).toBe("oust")
    expect(closest("valu", ["values", "value"])).toBe("value")
  })

  it("finds nothing for a word of one character, an empty one, and one that is very long", () => {
    expect(closest("x", ["y", "z"])).toBeUndefined()
    expect(closest("", ["y"])).toBeUndefined()
    expect(closest("_", ["g"])).toBeUndefined()
    expect(closest("a".repeat(65), ["a".repeat(64)])).toBeUndefined()
  })

  it("compares at most 1,000 words", () => {
    const many = Array.from({ length: 1_000 }, (_, at) => `zzz${at}`)
    expect(closest("count", [...many.slice(1), "conut"])).toBe("conut")
    expect(closest("count1", [...many.map((name) => name.padStart(6, "z")), "conut1"])).toBeUndefined()
  })
})
