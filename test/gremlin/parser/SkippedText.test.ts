import { describe, expect, it } from "vitest"
import { SkippedText } from "../../../src/gremlin/parser/SkippedText.ts"

const covers = (before: string): boolean => {
  const skipped = new SkippedText(`${before}\nHERE\n'''" */ /`)
  return skipped.covers(before.length + "\nHERE".length)
}

describe("A place in a script", () => {
  it.each([
    String.raw`p.replaceAll(/\/*$/, "")`,
    String.raw`~/https?:\/\/[^\/]*/`,
    String.raw`x = [/\\/, /*/]`.replace("/*/", "/a*/"),
    "p.replaceAll(/'''/, '').replaceAll(/\"/, '')",
    "list.collect { return /* a comment */ /it's/ }",
    "case /it's/: 1",
    "println /it's/",
    "x = y instanceof /it's/",
    "x = 4 / 2; y = (4) / 2 // it's",
    "x = y.return / 2",
    "x = i++ / 2; y = it's",
    "x = i-- / 2; y = it's",
    "x = (i /* a */ // b\n /* c */ / 2); y = it's",
    "x = [i // \n / 2]; y = it's",
    "x = foo() // call it.\n/'''/.size()",
    "x = foo { y = [1]\n/'''/.size() }",
    `x = "\${m["it's"]} and \${f("a(", '[')}"\n/'''/.size()`,
    `x = """\${f("a(", { "}" })}"""\n/'''/.size()`,
    `x = "\${l.collect { "\${it}'s" }}"`,
    `x = 1 + /a\${b / c}'''/`,
    "it's"
  ])("is outside of the comments and strings of %s", (before) => {
    expect(covers(before)).toBe(false)
  })

  it.each([
    "/*",
    "x = '''",
    'x = """',
    "x = 1 + /",
    "return /it's",
    `x = """\${y} and`,
    `x = "\${y} and \${'''`,
    "x = 4 / 2 /* /a/",
    "x = 1 + /* a */ /it's",
    "return // a\n /it's",
    "x = i // \n / 2; y = it's"
  ])("is inside of %s", (before) => {
    expect(covers(before)).toBe(true)
  })

  it("is looked for in slices", () => {
    const skipped = new SkippedText("[]".repeat(50_000))
    expect(skipped.reads(100_000, { isOverNow: () => true })).toBe(false)
    expect(skipped.reads(100_000, { isOverNow: () => false })).toBe(true)
  })

  it("is outside of a string of many megabytes", () => {
    const text = `"${"x".repeat(20_000_000)}"`
    expect(new SkippedText(`${text}\nHERE`).covers(text.length + 5)).toBe(false)
  })

  it("is outside of a comment that never ends, and that very many others follow", () => {
    const text = `if (true) /a/* 1\n${"/* ".repeat(300_000)}`
    expect(new SkippedText(text).covers(text.length)).toBe(false)
  })

  it.each([
    ["slashes", "=/${"],
    ["slashes, with line ends", "=/${\n"],
    ["three quotes", '"""${'],
    ["double quotes in slashes", '"=/${'],
    ["slashes in three quotes", '"""${=/${']
  ])("is outside of very many holes whose strings in %s never end", (_, hole) => {
    const text = `${hole.repeat(8_000)}${"}".repeat(16_000)}${"a".repeat(200_000)}\ndef f(`
    const skipped = new SkippedText(text)
    const begin = performance.now()
    skipped.covers(text.length)
    expect(performance.now() - begin).toBeLessThan(2_000)
  })

  it("is inside of a string in slashes that follows one that nothing closes", () => {
    expect(covers("x = /${1} it's\n\ny = 1 + /it's")).toBe(true)
    expect(covers("x = /${1} its\n\ny = 1 + /it's/")).toBe(false)
  })
})
