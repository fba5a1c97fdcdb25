import { describe, expect, it } from "vitest"
import { parseFormat } from "../../../src/process/scalars/Format.ts"
import { double } from "../../../src/structure/numbers/Numbers.ts"

describe("parseFormat", () => {
  it("replaces placeholders by values", () => {
    const template = parseFormat("%{name} is %{_} years old")
    expect(template.names).toEqual(["name", "_"])
    expect(template.render(["marko", 29])).toBe("marko is 29 years old")
    expect(template.render([null, double(29)])).toBe("null is 29.0 years old")
  })

  it("keeps text without placeholders", () => {
    for (const format of ["Hello world", "", "100%", "%{open", "{a}", "%%{escaped}", "%%%{escaped}"]) {
      expect(parseFormat(format).names).toEqual([])
      expect(parseFormat(format).render([])).toBe(format)
    }
  })

  it("accepts adjacent placeholders, and placeholders after an escaped one", () => {
    expect(parseFormat("%{a}%{b}").render([1, 2])).toBe("12")
    expect(parseFormat("%%{a}%{b}").render([2])).toBe("%%{a}2")
    expect(parseFormat("%{}").names).toEqual([""])
  })

  it("parses a long format of unclosed placeholders in linear time", () => {
    expect(parseFormat("%{".repeat(200_000)).names).toEqual([])
    expect(parseFormat("%%{".repeat(200_000)).names).toEqual([])
  })
})
