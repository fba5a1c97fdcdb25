import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { createSourceFile, forEachChild, isStringLiteralLike, type Node, ScriptTarget } from "typescript"
import { describe, expect, it } from "vitest"
import { MAX_UNSLICED_CHARS, parseScript, SlicedParse } from "../../src/gremlin/Parser.ts"
import { GremlinSyntaxError } from "../../src/gremlin/SyntaxErrors.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"

const here = fileURLToPath(new URL(".", import.meta.url))
const recorded = join(here, "../differential/programs/recorded.jsonl")

/** The texts in the tests of the language, most of which are scripts, and the programs that are compared with Groovy. */
const texts = (): ReadonlyArray<string> => {
  const found = new Set<string>()
  const visit = (node: Node): void => {
    if (isStringLiteralLike(node)) found.add(node.text)
    forEachChild(node, visit)
  }
  for (const file of readdirSync(here, { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".ts")) visit(createSourceFile(file, readFileSync(join(here, file), "utf8"), ScriptTarget.Latest))
  }
  for (const line of readFileSync(recorded, "utf8").trim().split("\n")) found.add(JSON.parse(line).program ?? "")
  return [...found].filter((text) => text.length < MAX_UNSLICED_CHARS)
}

/** The script, or the message of its error. */
const outcome = (parse: () => unknown): unknown => {
  try {
    return parse()
  } catch (error) {
    if (error instanceof GremlinSyntaxError) return error.message
    throw error
  }
}

/** Parses in slices that end as early as possible. */
const inSlices = (text: string): unknown => {
  const parse = new SlicedParse(text)
  for (;;) {
    const script = parse.next(new TimeSlice(0))
    if (script !== undefined) return script
  }
}

const expectSame = (text: string): void => {
  const whole = outcome(() => parseScript(text))
  const sliced = outcome(() => inSlices(text))
  if (!isDeepStrictEqual(sliced, whole)) expect(sliced, text).toStrictEqual(whole)
}

/** A slice ends after 32 items of the text at the earliest. As many statements before a script decide where slices end in it. */
const SLICE_ITEMS = 32

describe("A script that is parsed in slices", () => {
  const all = texts()

  it("is the script that is parsed at once, wherever slices end", () => {
    expect(all.length).toBeGreaterThan(5000)
    all.forEach((text, index) => {
      for (const before of [index, index + SLICE_ITEMS / 2]) expectSame("0;".repeat(before % SLICE_ITEMS) + text)
    })
  })

  it("is the same after a comment that is longer than a slice", () => {
    const comment = `/*${"x".repeat(MAX_UNSLICED_CHARS)}*/\n`
    for (const text of all) expectSame(comment + text)
  })

  it("knows the functions that are defined after many brackets", () => {
    expectSame(`x = [${"[],".repeat(20_000)}]\nout(1)\ndef out(x) { x }\n${"def f(x) { x }\n".repeat(100)}`)
  })

  it("begins a list at the beginning of a line", () => {
    const { statements } = inSlices("n = 0\n[1, 2, 3].each { n += it }\nn") as ReturnType<typeof parseScript>
    expect(statements.length).toBe(3)
  })

  it.each([...Array(SLICE_ITEMS).keys()])(
    "reads texts with holes and named arguments once, after %i statements",
    (before) => {
      const items = Array.from({ length: SLICE_ITEMS }, (_, at) => at).join(", ")
      expectSame(`${"0;".repeat(before)}"a\${[${items}]}b\${[${items}]}"`)
      expectSame(`${"0;".repeat(before)}def f(Map m, x) { m }\nf(a: [${items}], [${items}], b: [${items}])`)
    }
  )
})
