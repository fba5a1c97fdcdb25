import { describe, expect, it } from "vitest"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import { translate } from "../../../src/gremlin/Translator.ts"
import { Bytecode, Instruction } from "../../../src/process/language/Bytecode.ts"
import { type P, type SearchComparison, searchComparisons, TextP } from "../../../src/process/language/Predicate.ts"
import { compilePredicate } from "../../../src/process/predicates/PredicateEvaluation.ts"
import { Geoshape } from "../../../src/structure/geoshapes/Geoshape.ts"
import { resultOf } from "../../gremlin/FakeHost.ts"

const test = (operator: SearchComparison, operand: unknown, value: unknown) =>
  compilePredicate(new TextP(operator, operand), (it) => it)(value)

describe("JanusGraph's predicates over texts", () => {
  const text = "The Quick, brown fox (Vulpes vulpes) jumps 12 times; Ünïcode and 日本 too"
  it.each<readonly [SearchComparison, string, boolean]>([
    ["textContains", "quick", true],
    ["textContains", "FOX  brown", true],
    ["textContains", "qui", false],
    ["textContains", "fox cat", false],
    ["textContains", "ünïcode", true],
    ["textContains", "日", true],
    ["textContains", "...", false],
    ["textContains", "", true],
    ["textContainsPrefix", "JUM", true],
    ["textContainsPrefix", "umps", false],
    ["textContainsRegex", "v.*s", true],
    ["textContainsRegex", "v", false],
    ["textContainsFuzzy", "jumsp", false],
    ["textContainsFuzzy", "jumpt", true],
    ["textContainsPhrase", "brown FOX vulpes", true],
    ["textContainsPhrase", "fox brown", false],
    ["textPrefix", "The Q", true],
    ["textPrefix", "the", false],
    ["textRegex", "The.*too", true],
    ["textRegex", "The", false],
    ["textFuzzy", "the", false]
  ])("%s(%j) is %j", (operator, operand, expected) => {
    expect(test(operator, operand, text)).toBe(expected)
    const negated = operator.replace("text", "textNot") as SearchComparison
    expect(test(negated, operand, text)).toBe(!expected)
    expect(test(operator, operand, 12)).toBe(false)
  })

  it("accept more differences in longer words", () => {
    const fuzzy = (value: string, term: string) => test("textFuzzy", term, value)
    expect([fuzzy("ab", "ac"), fuzzy("abcd", "abce"), fuzzy("abcd", "abef")]).toEqual([false, true, false])
    expect([fuzzy("Jonathan", "Jonahtan"), fuzzy("Jonathan", "Jxxxthan")]).toEqual([true, false])
  })

  it("count a letter in the other case as a difference where they compare whole texts, and not in words", () => {
    const fuzzy = (value: string, term: string) => test("textFuzzy", term, value)
    expect([fuzzy("ab", "AB"), fuzzy("Bern", "bern"), fuzzy("Bern", "bErn")]).toEqual([false, true, false])
    expect([fuzzy("LONDON", "london"), fuzzy(" London ", "london")]).toEqual([false, true])
    expect(test("textNotFuzzy", "london", "LONDON")).toBe(true)
    expect(test("textContainsFuzzy", "london", "in LONDON")).toBe(true)
  })

  it("refuse operands of the wrong type", () => {
    expect(() => test("textContains", 1, "a")).toThrow("textContains() needs a string, but was given 1")
    expect(() => test("geoWithin", "a", "a")).toThrow("geoWithin() needs a shape")
    expect(() => test("textRegex", "(", "a")).toThrow("cannot be used")
  })
})

describe("JanusGraph's predicates over shapes", () => {
  it.each<readonly [SearchComparison, boolean, boolean]>([
    ["geoWithin", true, false],
    ["geoIntersect", true, false],
    ["geoDisjoint", false, true],
    ["geoContains", false, false]
  ])("%s compares the value with the operand", (operator, near, far) => {
    const circle = Geoshape.circle(37.97, 23.72, 50)
    expect(test(operator, circle, Geoshape.point(38, 23.7))).toBe(near)
    expect(test(operator, circle, Geoshape.point(46, 7))).toBe(far)
    expect(test(operator, circle, "38 23.7")).toBe(false)
  })

  it("define geoContains as the inverse of geoWithin", () => {
    expect(test("geoContains", Geoshape.point(38, 23.7), Geoshape.box(37, 23, 39, 24))).toBe(true)
    expect(test("geoContains", Geoshape.box(37, 23, 39, 24), Geoshape.point(38, 23.7))).toBe(false)
  })

  it("refuse shapes that cannot be compared", () => {
    const line = new Geoshape({ kind: "other", bytes: Uint8Array.of(0) })
    expect(() => test("geoWithin", Geoshape.point(1, 1), line)).toThrow("has a form that the server does not know")
  })
})

describe("JanusGraph's predicates in scripts", () => {
  it.each(searchComparisons)("%s is accepted with and without its class", (operator) => {
    const operand = operator.startsWith("geo") ? "Geoshape.circle(1, 2.5, 3)" : "'a'"
    const owner = operator.startsWith("geo") ? "Geo" : "Text"
    for (const predicate of [`${operator}(${operand})`, `${owner}.${operator}(${operand})`]) {
      const given = resultOf(`p = ${predicate}; p`)
      expect(given).toBeInstanceOf(TextP)
      expect((given as P).operator).toBe(operator)
      const value = operator.startsWith("geo") ? Geoshape.circle(1, 2.5, 3) : "a"
      expect((given as P).value).toEqual(value)
    }
  })

  it("are translated back to scripts", () => {
    const script = "g.V().has('text', textContains('a').and(Text.textNotPrefix('b')))"
    const { traversal } = parseScript(script)
    expect(translate(traversal!, "g")).toBe('g.V().has("text", textContains("a").and(textNotPrefix("b")))')
    expect(parseScript(translate(traversal!, "g")).traversal).toEqual(traversal)
  })

  it("accept lines, polygons and well-known text, and are translated back", () => {
    expect(String(resultOf("Geoshape.line([[1, 2], [3.5, 4d]])"))).toBe("LINESTRING (1 2, 3.5 4)")
    expect(String(resultOf("Geoshape.polygon([[0, 0], [0, 1], [1, 1], [0, 0]])"))).toBe(
      "POLYGON ((0 0, 0 1, 1 1, 0 0))"
    )
    expect(String(resultOf("Geoshape.polygon([[0, 0], [0, 1], [1, 1], [1, 0], [0, 0]])"))).toBe("ENVELOPE (0, 1, 1, 0)")
    const points = resultOf("Geoshape.fromWkt('multipoint (1 2, 3 4)')")
    const traversal = new Bytecode([], [new Instruction("inject", [points])])
    const script = translate(traversal, "g")
    expect(script).toBe('g.inject(Geoshape.fromWkt("MULTIPOINT ((1 2), (3 4))"))')
    expect(resultOf(script.slice("g.inject(".length, -1))).toEqual(points)
    expect(() => resultOf("Geoshape.fromWkt('POINT (1')")).toThrow("well-known text needs a number at character 9")
  })

  it("refuse shapes outside the range of coordinates", () => {
    expect(() => resultOf("Geoshape.point(100, 0)")).toThrow("a latitude is from -90 to 90, not 100")
    expect(() => resultOf("Geoshape.polygon(1, 2)")).toThrow("Geoshape.polygon() with 2 arguments does not exist")
  })
})
