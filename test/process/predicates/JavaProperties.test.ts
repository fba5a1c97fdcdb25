import { describe, expect, it } from "vitest"
import { regularExpression, wholeExpression } from "../../../src/process/predicates/RegularExpression.ts"

/** Characters that the classes of ASCII and of Unicode treat differently. */
const characters = [..."aZ5! \t_\x7féÉ٣Ⅰⓐ\u01c5α一·\u2003\u00ad\u0301\u203f\u200d\uff21\u0378"]

/** Properties with those of the characters that Java 17 matches. */
const properties: ReadonlyArray<readonly [string, string]> = [
  ["Digit", "5"],
  ["IsDigit", "5٣"],
  ["Isdigit", "5٣"],
  ["Alnum", "aZ5"],
  ["IsAlnum", "aZ5éÉ٣Ⅰⓐ\u01c5α一\uff21"],
  ["Alpha", "aZ"],
  ["IsAlpha", "aZéÉⅠⓐ\u01c5α一\uff21"],
  ["IsAlphabetic", "aZéÉⅠⓐ\u01c5α一\uff21"],
  ["IsLetter", "aZéÉ\u01c5α一\uff21"],
  ["IsLower", "aéⓐα"],
  ["IsLowercase", "aéⓐα"],
  ["IsUpper", "ZÉⅠ\uff21"],
  ["IsUppercase", "ZÉⅠ\uff21"],
  ["IsTitlecase", "\u01c5"],
  ["Punct", "!_"],
  ["IsPunct", "!_·\u203f"],
  ["IsPunctuation", "!_·\u203f"],
  ["Graph", "aZ5!_"],
  ["IsGraph", "aZ5!_éÉ٣Ⅰⓐ\u01c5α一·\u00ad\u0301\u203f\u200d\uff21"],
  ["IsPrint", "aZ5! _éÉ٣Ⅰⓐ\u01c5α一·\u2003\u00ad\u0301\u203f\u200d\uff21"],
  ["Blank", " \t"],
  ["IsBlank", " \t\u2003"],
  ["Space", " \t"],
  ["IsSpace", " \t\u2003"],
  ["IsWhite_Space", " \t\u2003"],
  ["IsCntrl", "\t\x7f"],
  ["IsControl", "\t\x7f"],
  ["XDigit", "a5"],
  ["IsXDigit", "a5٣\uff21"],
  ["IsHex_Digit", "a5٣\uff21"],
  ["IsWord", "aZ5_éÉ٣Ⅰⓐ\u01c5α一\u0301\u203f\u200d\uff21"],
  ["IsJoin_Control", "\u200d"],
  ["IsASCII", "aZ5! \t_\x7f"],
  ["IsLu", "ZÉ\uff21"]
]

describe("javaProperty", () => {
  it.each(properties)("matches \\p{%s} as Java does", (name, matched) => {
    const test = wholeExpression(`\\p{${name}}`)
    expect(characters.filter(test).join("")).toBe(matched)
    const inClass = wholeExpression(`[\\p{${name}}]`)
    expect(characters.filter(inClass).join("")).toBe(matched)
    const negated = wholeExpression(`\\P{${name}}`)
    expect(characters.filter((text) => !negated(text)).join("")).toBe(matched)
  })

  it.each(["IsLower", "IsUppercase", "IsTitlecase"])("matches letters of every case for \\p{%s} with (?i)", (name) => {
    const test = wholeExpression(`(?i)\\p{${name}}`)
    expect(characters.filter(test).join("")).toBe("aZéÉⅠⓐ\u01c5α\uff21")
  })

  it("negates a property in a class if RE2 has it as one property, and else refuses it", () => {
    const test = wholeExpression("[\\P{IsDigit}]")
    expect(characters.filter((text) => !test(text)).join("")).toBe("5٣")
    expect(() => regularExpression("[\\P{IsAlnum}]")).toThrow("\\P{IsAlnum} in a class is not supported here")
    expect(() => regularExpression("[\\P{IsAlnum}]")).toThrow("Use [^\\p{IsAlnum}], a class of its own, instead")
    expect(characters.filter(wholeExpression("[^\\p{IsAlnum}]"))).toEqual(
      characters.filter((text) => !wholeExpression("\\p{IsAlnum}")(text))
    )
  })

  it("counts a property as the classes that it consists of", () => {
    expect(() => regularExpression("\\p{IsGraph}".repeat(14))).not.toThrow()
    expect(() => regularExpression("\\p{IsGraph}".repeat(15))).toThrow(
      "this one has 105. Some properties count as several"
    )
  })
})
