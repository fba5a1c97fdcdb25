import { describe, expect, it } from "vitest"
import { parseScript } from "../../src/gremlin/Parser.ts"
import { GremlinSyntaxError } from "../../src/gremlin/SyntaxErrors.ts"
import { FakeHost } from "./FakeHost.ts"

/** What is wrong with a script. */
const problem = (script: string): string => {
  try {
    const { calls, text } = parseScript(script)
    // A function of the session may have the name, so the script fails before its first statement.
    if (calls.size > 0) new FakeHost().run(text)
  } catch (error) {
    expect(error).toBeInstanceOf(GremlinSyntaxError)
    return (error as GremlinSyntaxError).message
  }
  throw new Error(`accepted: ${script}`)
}

describe("A syntax error", () => {
  it("has the line, the column, the text found and the text expected", () => {
    expect(problem("g.V()\n  .out('a' 'b')")).toBe(
      `Line 2, column 12: found "'" where ',' or ')' after an argument of out() was expected`
    )
    expect(problem("g.V(")).toBe("Line 1, column 5: the script ends where a value was expected")
    expect(problem("g.V().out())")).toBe(
      `Line 1, column 12: found ")" where an operator, ';' or the end of the line was expected`
    )
    expect(problem("g.V().is(,)")).toContain('found "," where a value or a predicate was expected')
    const place = { line: 3, column: 9, position: 10, _tag: "GremlinSyntaxError" }
    expect(() => parseScript("\n\n  g.V().foo()")).toThrow(expect.objectContaining(place))
  })

  it("suggests the step with the most similar name", () => {
    expect(problem("g.V().outt()")).toBe("Line 1, column 7: there is no step outt(). Did you mean out()?")
    expect(problem("g.V().where(__.hasLable('x'))")).toContain("Did you mean hasLabel()?")
    expect(problem("g.V().where(hasLable('x'))")).toContain("Did you mean hasLabel()?")
    expect(problem("g.v()")).toContain("a traversal does not begin with v(). Did you mean V()?")
    expect(problem("g.out()")).toContain("begin with V(), as in g.V().out()")
    expect(problem("g.V().qqqqqq()")).toBe("Line 1, column 7: there is no step qqqqqq()")
    expect(problem("g.V().out")).toContain("out needs parentheses: out()")
    expect(problem("g.V().is(P.gtt(1))")).toContain("P has no predicate gtt()")
  })

  it("lists the arguments that a step accepts", () => {
    expect(problem("g.V().limit('a')")).toBe(
      "Line 1, column 13: argument 1 of limit() is a string, but an integer or a Scope (local, global) was expected: " +
        "limit(int) or limit(Scope, int)"
    )
    expect(problem("g.V().limit(1.5)")).toContain("argument 1 of limit() is a decimal number")
    expect(problem("g.V().limit()")).toContain("limit() needs arguments: limit(int)")
    expect(problem("g.V().has('a', 1, 2)")).toContain("has() takes at most 2 arguments")
    expect(problem("g.V().id(1)")).toContain("id() takes no argument")
    expect(problem("g.mergeV()")).toContain("mergeV() needs arguments: mergeV(map or traversal)")
    expect(problem("g.mergeE()")).toContain("mergeE() needs arguments: mergeE(map or traversal)")
    expect(problem("g.V().times(1, 2)")).toContain("times() takes at most 1 argument: times(int)")
    expect(problem("g.V().range(1)")).toContain("1 argument is not enough for range()")
    expect(problem("g.V().order().by(x, y, z)")).toContain("by() takes at most 2 arguments")
    expect(problem("g.V().toE('knows')")).toContain("a Direction (OUT, IN, BOTH) was expected")
    expect(problem("g.V().where(5)")).toContain("a traversal or a predicate was expected")
    expect(problem("g.withBulk(1).V()")).toContain("true or false was expected")
    expect(problem("g.V().next('a')")).toContain("argument 1 of next() is a string")
    expect(problem("g.V().next(-1)")).toContain("next() takes the number of results")
  })

  it("explains the rules of nested traversals", () => {
    for (const script of [
      "g.addE('e').from(h.V(1))",
      "g.addE('e').from(g.with('x').V(1))",
      "g.addE('e').from(graph.traversal().V(1))",
      "graph.traversal().addE('e').from(graph.traversal().V(1))",
      "g.V().map(g.inject(1))",
      "g.V().map(g.io('x'))",
      "g.inject([g.V()])",
      "[g.V()]"
    ]) {
      expect(problem(script), script).toContain(
        "a traversal that begins at a source cannot be nested: begin it with __"
      )
    }
    expect(problem("g.V().where(out().next())")).toContain("a nested traversal is not ended with next()")
    expect(problem("g.V().where(__)")).toContain("__ needs a step after it")
    expect(problem("addV2()")).toContain("there is no step, predicate or function addV2()")
    expect(problem("io('x')")).toContain("io() needs a traversal source before it, such as g.io()")
  })

  it("reports invalid literals", () => {
    expect(problem("g.V(128b)")).toContain("128b is out of range: Byte goes from -128 to 127")
    expect(problem("g.V(9223372036854775808L)")).toContain("Long goes from")
    expect(problem("g.V(08)")).toContain("a leading 0 means octal digits")
    expect(problem("g.V(1_)")).toContain("'_' may stand only between digits")
    expect(problem("g.V(0x_1)")).toContain("'_' may stand only between digits")
    expect(problem("g.V(1.5L)")).toContain("the suffix l is for integers")
    expect(problem("g.V(12abc)")).toContain('"12abc" is not a number')
    expect(problem("g.V(1e99999999999m)")).toContain("exponent out of range")
    expect(problem("g.V('a\\d')")).toContain("\\d is not an escape sequence; write \\\\ for a backslash itself")
    expect(problem("g.V('\\u12')")).toContain("four hexadecimal digits")
    expect(problem("g.V('a)")).toContain("Line 1, column 5: the string that begins here is not closed: close it with '")
    expect(problem("g.V() /* x")).toContain("the comment that begins here is not closed")
    expect(problem("g.inject(datetime('tomorrow'))")).toContain("Can't parse 'tomorrow' as a datetime")
    expect(problem("g.inject(UUID('x'))")).toContain('"x" is not a UUID')
    expect(problem("g.inject('aa'..'bb')")).toContain("may differ only in their last character")
    expect(problem("g.inject(T.foo)")).toContain('T has no constant "foo"')
    expect(problem("g.inject([a: 1, 2])")).toContain("':' between key and value of a map")
    expect(problem("g.inject([1, a: 2])")).toContain("',' or ']' in a list")
    expect(problem("g.inject([1,, 2])")).toContain('found ","')
  })

  it("gives the reason why code is refused", () => {
    const closures = ["g.V().values{it.get()}", "g.V().has('a', {it.get() > 1})", "g.V().is({ x -> x })", "1 -> 2"]
    const classes = [
      "java.lang.Runtime.getRuntime().exec('ls')",
      "Runtime.getRuntime()",
      "new File('/etc/passwd').text",
      "Eval.me('1')",
      "g.V().map(Lambda.function('it'))"
    ]
    const statements = ["class A {}", "package x", "enum E { A }", "synchronized (x) { }", "x = this"]
    for (const script of [...closures, ...classes, ...statements]) {
      expect(problem(script), script).toContain("Scripts have Gremlin and a part of Groovy only")
    }
  })

  it("has a position for every invalid statement", () => {
    for (const script of [
      "1 +",
      "x = ",
      "= 1",
      "g.V()) x",
      "a = 1 b = 2",
      "(1",
      "1 2",
      "@",
      "#",
      "x.",
      "x[1",
      "f() = 1",
      "A B C D E",
      "1 = 2",
      "a ? b",
      "\\"
    ]) {
      expect(problem(script), script).toMatch(/^Line 1, column \d+: /)
    }
  })
})
