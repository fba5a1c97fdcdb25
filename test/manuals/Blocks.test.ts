import { describe, expect, it } from "vitest"
import { asciidocBlocks, markdownBlocks, typedLines } from "./Blocks.ts"
import { reasonOf, report, verdictOf } from "./Report.ts"
import { statementsOf } from "./Statements.ts"

const texts = (lines: readonly string[]): string[] => statementsOf(lines).map(({ text }) => text)

describe("A page in Markdown", () => {
  it("has the blocks that its fences mark as Groovy, without their indentation", () => {
    const page = ["text", "  ```groovy", "  x = 1", "    y = 2", "  ```", "```java", "int z;", "```"].join("\n")
    expect(markdownBlocks("a.md", page)).toEqual([{ page: "a.md", line: 3, dataset: "", lines: ["x = 1", "  y = 2"] }])
  })
})

describe("A page in AsciiDoc", () => {
  it("has blocks with a data set, and blocks that are only shown", () => {
    const block = (attributes: string): string => `${attributes}\n----\ng.V()\n----\n`
    const page = `${block("[gremlin-groovy,modern]")}${block("[gremlin-groovy]")}${block("[source,groovy]")}${block("[source,java]")}`
    expect(asciidocBlocks("a.asciidoc", page).map(({ dataset, line }) => [dataset, line])).toEqual([
      ["modern", 3],
      ["empty", 7],
      ["", 11]
    ])
  })
})

describe("The lines that a reader types", () => {
  it("are the lines with a prompt if the block has prompts", () => {
    const lines = ["gremlin> g.V().", "......1>   count()", "==>6", "gremlin> :help", "gremlin> x"]
    expect(typedLines({ page: "", line: 1, dataset: "", lines })).toEqual(["g.V().", "  count()", ":help", "x"])
  })
  it("have no callouts", () => {
    const lines = ["g.V() <1>", "g.E() <2> <3>", "x <y"]
    expect(typedLines({ page: "", line: 1, dataset: "", lines })).toEqual(["g.V()", "g.E()", "x <y"])
  })
})

describe("The statements of a block", () => {
  it("continue over open brackets, points and operators", () => {
    expect(texts(["g.V().", "  out()", "f(1,", "  2)", "a", "  .b()", "c"])).toEqual([
      "g.V().\n  out()",
      "f(1,\n  2)",
      "a\n  .b()",
      "c"
    ])
  })
  it("continue over `catch` and closed braces", () => {
    expect(texts(["try {", "  a()", "}", "catch (e) {", "}", "b"])).toEqual(["try {\n  a()\n}\ncatch (e) {\n}", "b"])
  })
  it("ignore brackets in strings and comments", () => {
    expect(texts(["x = '('", "y = 1 // (", 'z = """', "(", '"""', "w"])).toEqual([
      "x = '('",
      "y = 1 // (",
      'z = """\n(\n"""',
      "w"
    ])
  })
  it("leave out commands of the console and comments", () => {
    expect(statementsOf([":set x", "// text", "", "a"])).toEqual([{ line: 3, text: "a" }])
  })
})

describe("The report of a run", () => {
  const block = { page: "a.md", line: 10, dataset: "", lines: [] }
  const error = (message: string) => ({ kind: "error", code: 597, message }) as const
  const results = (...texts: string[]) => ({ kind: "results", texts }) as const
  const line = (here: ReturnType<typeof error> | ReturnType<typeof results>, there?: typeof here) => ({
    block,
    statement: { line: 2, text: "x" },
    here,
    there,
    isAlone: false
  })

  it("counts refusals by their reason without names, numbers and places", () => {
    expect(reasonOf("Line 3, column 14: there is no 'a' in 12")).toBe("there is no '...' in N")
    expect(report([line(error("Line 1, column 2: no 'a'")), line(error("Line 9, column 9: no 'b'"))])).toContain(
      "2 x no '...'\n    a.md:12  x"
    )
  })
  it("compares results without their order and without large numbers", () => {
    expect(verdictOf(line(results("b", "a"), results("a", "b")))).toBe("same")
    expect(verdictOf(line(results("t 1234567"), results("t 7654321")))).toBe("same")
    expect(verdictOf(line(results("1"), results("2")))).toBe("different")
    expect(verdictOf(line(error("x"), results("2")))).toBe("refused")
    expect(verdictOf(line(error("x"), error("y")))).toBe("fails on both")
  })
  it("compares maps inside of maps without their order", () => {
    expect(verdictOf(line(results("{a={p=4, s=2}, b=1}"), results("{b=1, a={s=2, p=4}}")))).toBe("same")
    expect(verdictOf(line(results("{a={p=4, s=2}}"), results("{a={p=2, s=4}}")))).toBe("different")
  })
  it("counts blocks by the worst of their statements, and gives the reason of a difference that it knows", () => {
    const random = { ...line(results("1"), results("2")), statement: { line: 0, text: "g.V().coin(0.5)" } }
    const other = { ...line(results("1"), results("2")), block: { ...block, line: 20 } }
    const both = { ...line(error("x"), error("y")), block: { ...block, line: 30 } }
    const text = report([random, other, line(results("1"), results("1")), both])
    expect(text).toContain(
      "3 blocks, 0 of them alone:\n  explained: 1\n  different: 1\n  fails on both: 1\n4 statements:"
    )
    expect(text).toContain("1 x differs: the result is random\n    a.md:10  g.V().coin(0.5)")
    expect(text).toContain("different: a.md:22  x\n    here:  1\n    there: 2")
  })
})
