import { describe, expect, it } from "vitest"
import { indexIn, lastIndexIn, TextSearch } from "../../../src/structure/characters/TextSearch.ts"
import { ValueTooLarge } from "../../../src/structure/errors/ValueErrors.ts"

let state = 11
const next = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below

/** Letters of which nearly all are the same, so that what is looked for nearly stands everywhere. */
const monotonous = (length: number): string => Array.from({ length }, () => (next(300) === 0 ? "b" : "a")).join("")

describe("A search for a long text", () => {
  it("finds what indexOf and lastIndexOf find", () => {
    for (let round = 0; round < 60; round++) {
      const wanted = monotonous(260 + next(300))
      const nearly = (wanted.slice(0, -1) + wanted.slice(0, next(wanted.length))).concat("c").repeat(30)
      const text = nearly + monotonous(20_000) + (round % 3 === 0 ? "" : wanted) + "a".repeat(next(2_000))
      const search = new TextSearch(wanted)
      expect(search.indexIn(text)).toBe(text.indexOf(wanted))
      expect(search.indexIn(text, 777)).toBe(text.indexOf(wanted, 777))
      expect(lastIndexIn(text, wanted)).toBe(text.lastIndexOf(wanted))
    }
  })

  it("takes time in proportion to the texts, where indexOf takes their product", () => {
    const text = "a".repeat(1_000_000)
    const wanted = `${"a".repeat(5_000)}b${"a".repeat(5_000)}`
    const begin = process.cpuUsage()
    expect([indexIn(text, wanted), lastIndexIn(text, wanted)]).toEqual([-1, -1])
    expect(indexIn(text + wanted, wanted)).toBe(text.length)
    expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(1_500)
  })

  it("is refused only where it would take too long", () => {
    const text = "a".repeat(5_000_000)
    const wanted = `${"a".repeat(5_000)}b${"a".repeat(5_000)}`
    expect(() => indexIn(text, wanted)).toThrow(ValueTooLarge)
    const different = Array.from({ length: 400 }, (_, i) => String.fromCharCode(0x100 + i)).join("")
    expect(indexIn(text + different, different)).toBe(text.length)
    expect(indexIn(text, "ab")).toBe(-1)
  })
})
