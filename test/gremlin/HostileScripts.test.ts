import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { parseScript, SlicedParse, staticImportsOf } from "../../src/gremlin/Parser.ts"
import { GremlinSyntaxError } from "../../src/gremlin/SyntaxErrors.ts"
import { translate } from "../../src/gremlin/Translator.ts"
import { TimeSlice } from "../../src/scheduling/TimeSlice.ts"
import { patience } from "../Limits.ts"

const megabyte = 1_000_000

/** Repeats a part up to a megabyte. */
const filled = (part: string): string => part.repeat(Math.ceil(megabyte / part.length))

const rejects = (script: string, message: RegExp): void => {
  expect(() => parseScript(script)).toThrow(GremlinSyntaxError)
  expect(() => parseScript(script)).toThrow(message)
}

/** Parses in slices that end as early as possible. */
const inSlices = (script: string) => {
  const parse = new SlicedParse(script)
  for (let slices = 1; ; slices++) {
    const parsed = parse.next(new TimeSlice(0))
    if (parsed !== undefined) return { parsed, slices }
  }
}

describe("Nesting", () => {
  it("is refused above the limit for every construct", () => {
    const nested = [
      ["g.V()", ".where(__.out()", ")"],
      ["g.V().where(", "not(", ")"],
      ["g.inject(", "[", "]"],
      ["g.inject(", "{", "}"],
      ["g.inject(", "[a:", "]"],
      ["g.V().is(", "not(", ")"],
      ["g.V().is(eq(1)", ".and(eq(2)", ")"],
      ["", "(", ")"],
      ["x = ", "!", ""],
      ["x = ", "- ", ""],
      ["x = 1", " ? 1 : 1", ""],
      ["x = 1", " ?: 1", ""],
      ["x", "[x", "]"],
      ["x", ".f(x", ")"],
      ["g.V(", "g.V(", ").next()"]
    ] as const
    for (const [head, open, close] of nested) {
      rejects(`${head}${open.repeat(100_000)}1${close.repeat(100_000)}`, /nested more than 500 levels deep/)
    }
  })

  it("is allowed up to the configured limit", () => {
    const nested = (depth: number): string => `g.inject(${"[".repeat(depth)}${"]".repeat(depth)})`
    expect(parseScript(nested(500)).traversal).toBeDefined()
    rejects(nested(501), /500 levels/)
    expect(() => parseScript(nested(10), { maximumDepth: 5 })).toThrow(/more than 5 levels/)
    expect(() => parseScript(nested(1_000_000), { maximumDepth: 10_000_000 })).toThrow(GremlinSyntaxError)
  })
})

describe("Calls without a value before them", () => {
  /** Quadratic work would take minutes. */
  const LINEAR_MS = 2_000 * patience
  /** Milliseconds until the parser has read the script or refused it. */
  const timeOf = (script: string): number => {
    const begin = performance.now()
    try {
      parseScript(script, { imports: staticImportsOf(["java.lang.Math#*"]) })
    } catch (error) {
      expect(error).toBeInstanceOf(GremlinSyntaxError)
    }
    return performance.now() - begin
  }

  it("of unknown functions are read without a search for similar names", () => {
    const calls = Array.from({ length: 100_000 }, (_, at) => `q${at.toString(36)}();`).join("")
    expect(timeOf(calls)).toBeLessThan(LINEAR_MS)
  })

  it("of imported methods are counted once, also when they nest or are not closed", () => {
    expect(timeOf(filled("max("))).toBeLessThan(LINEAR_MS)
    expect(timeOf(filled(`${"max(".repeat(400)}1${", 2)".repeat(400)};`))).toBeLessThan(LINEAR_MS)
  })
})

describe("The length of a script", () => {
  it("does not count as depth: a megabyte of any construct is accepted", () => {
    const long = [
      `g.V()${filled(".out()")}`,
      `g.inject([${filled("1,")}1])`,
      `g.inject([${filled("a:1,")}a:1])`,
      filled("g.V('a').out('b').has('c', 1);\n"),
      `g.V('${"a".repeat(megabyte)}')`,
      `g.V('${filled("\\n")}')`,
      filled("// comment\n"),
      "a".repeat(9_999)
    ]
    expect(() => parseScript("a".repeat(megabyte))).toThrow("this name has 10000 characters or more")
    for (const script of long) expect(parseScript(script).statements.length).toBeGreaterThanOrEqual(0)
    expect(parseScript(`g.V()${".out()".repeat(10_000)}`).traversal?.stepInstructions.length).toBe(10_001)
  })

  it("does not count as depth in chains of any construct", () => {
    const times = 20_000
    const chains = [
      `g${".with('a', 1)".repeat(times)}.V()`,
      `g.inject({${"1,".repeat(times)}1})`,
      `g.V().is(eq(1)${".or(eq(2))".repeat(times)})`,
      `g.V().is(eq(1)${".or(eq(2)).or(eq(3).and(eq(4)))".repeat(times / 2)})`,
      `g.V().is(eq(1)${".negate()".repeat(times)})`,
      `x = 1${"+1".repeat(times)}`,
      `x = x${".f()".repeat(times)}`,
      `x = x${"[0]".repeat(times)}`,
      `x = 1${" as int".repeat(times)}`,
      "x = 1\n".repeat(times)
    ]
    for (const script of chains) expect(parseScript(script).statements.length).toBeGreaterThan(0)
    expect(() => parseScript(`${"a = ".repeat(times)}1`)).toThrow(/more than 100 variables/)
  })

  it("counts as depth where and() and or() take turns, as each contains all before it", () => {
    const turns = (times: number) => `g.V().is(eq(1)${".and(eq(2)).or(eq(3))".repeat(times)})`
    expect(parseScript(turns(200)).statements.length).toBe(1)
    rejects(turns(300), /nested more than 500 levels deep/)
    rejects(`g.V().is(eq(1)${".or(eq(2)).negate()".repeat(300)})`, /nested more than 500 levels deep/)
  })

  it("does not lift the limits of numbers and ranges", () => {
    rejects(`g.V(${"9".repeat(20_000)})`, /more than 10000 characters/)
    rejects("g.inject(0..1000000)", /ranges of a script have 1000000 items at most/)
    rejects(`g.inject(${"1..400000,".repeat(3)}1)`, /ranges of a script/)
    rejects("g.inject(-2147483648..2147483647)", /too wide/)
  })

  it("has no effect on the limit of ranges in the next script", () => {
    for (let script = 0; script < 4; script++) {
      expect(parseScript("g.inject(0..400000)").traversal?.stepInstructions.length).toBe(1)
    }
  })
})

describe("A broken script", () => {
  it("fails with a syntax error, at whatever character it is cut or changed", () => {
    const whole =
      "g.withStrategies(new SubgraphStrategy(vertices: hasLabel('a'))).V(1, x).has('n', within([1, 2.5d])).by(__.out()).next(); " +
      "y = [a: 1, (T.id): {1}] // c\nz = y.a + \"\\u0041\" ?: datetime('2020-01-01') as String; graph.tx().commit()"
    expect(parseScript(whole).statements.length).toBe(4)
    const tolerated = (script: string): void => {
      try {
        parseScript(script)
      } catch (error) {
        expect(error).toBeInstanceOf(GremlinSyntaxError)
      }
    }
    for (let at = 0; at < whole.length; at += 3) {
      tolerated(whole.slice(0, at))
      tolerated(whole.slice(at))
      for (const garbage of ["\0", "'", "(", "]", "}", "/*", "\ud800", "\\"]) {
        tolerated(whole.slice(0, at) + garbage + whole.slice(at))
      }
    }
    FastCheck.assert(FastCheck.property(FastCheck.string({ unit: "binary", maxLength: 60 }), tolerated))
  })
})

describe("A parse in slices", () => {
  const list = `[${Array.from({ length: 3000 }, (_, index) => index).join(",")}]`
  const map = `[${Array.from({ length: 2000 }, (_, index) => `k${index}: [${index}]`).join(",")}]`
  const scripts = [
    `g.inject(${list}, ${map}).where(within(${list}).or(eq(${map})))${".out('a', \"b\").has('x', gt(1).and(lt(2)))".repeat(500)}.next()`,
    `g${".with('a', 1)".repeat(300)}.withStrategies(ReadOnlyStrategy).V().where(__.inject(${list})${".out()".repeat(400)})`,
    `x = ${list}\n${"y = x[1] + 2 * 3 - x.size()\nz = [a: y, b: {1, y}]\n".repeat(300)}${"1 + ".repeat(500)}1`,
    `x = x${".f(1, [2])[3].y".repeat(300)}\n[1, 2]\n-3`,
    `g.V().is(gt(1)${".and(lt(2)).or(neq(3))".repeat(240)}.negate())`,
    `g.inject({${Array.from({ length: 1000 }, (_, index) => index).join(",")}})`
  ]

  it("has the same result as a parse without slices", () => {
    for (const script of scripts) {
      const { parsed, slices } = inSlices(script)
      const atOnce = parseScript(script)
      expect(slices).toBeGreaterThan(5)
      expect(parsed.statements).toEqual(atOnce.statements)
      expect(parsed.variables).toEqual(atOnce.variables)
      expect(parsed.terminal).toEqual(atOnce.terminal)
      if (atOnce.traversal !== undefined) expect(translate(parsed.traversal!)).toBe(translate(atOnce.traversal))
    }
  })

  it("needs a number of slices that is bounded by the length", () => {
    const { slices } = inSlices(scripts[0]!)
    expect(slices).toBeLessThan(1000)
  })

  it("finds the same errors", () => {
    for (const script of scripts) {
      const broken = `${script} )`
      expect(() => inSlices(broken)).toThrow(GremlinSyntaxError)
    }
  })

  it("count each range once, however many slices read its statement", () => {
    const body = "x = i + 1\n".repeat(100)
    expect(inSlices(`(1..600000).each { i -> ${body} }`).slices).toBeGreaterThan(2)
    expect(inSlices(`for (i in 1..600000) { ${body} }`).slices).toBeGreaterThan(2)
    expect(() => inSlices(`a = 1..600000\nb = 1..600000\n${body}`)).toThrow("this range is too wide")
  })

  it("completes in one slice if the slice is long enough", () => {
    expect(new SlicedParse("g.V()").next(new TimeSlice())?.traversal).toBeDefined()
  })
})
