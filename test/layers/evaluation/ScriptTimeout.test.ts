import { describe, expect, it } from "vitest"
import { timeoutOfScript } from "../../../src/layers/evaluation/ScriptTimeout.ts"
import { patience } from "../../Limits.ts"

describe("The time limit of a script", () => {
  it.each([
    ["g.V()", undefined],
    ["g.with('evaluationTimeout', t).V()", undefined],
    ["evaluationTimeout", undefined],
    ["g.with('evaluationTimeout',1000L).V()", 1000],
    ['g . with ( "evaluationTimeout" , 1_000 ) .V()', 1000],
    ["g.with('scriptEvaluationTimeout', 5i).V()", 5],
    ["g.with('evaluationTimeout', 0).V()", 0],
    ["g.with('evaluationTimeout', 5L).V().next()\ng.with('evaluationTimeout', 7L).V()", 12],
    ["// g.with('evaluationTimeout', 5L)\ng.with('evaluationTimeout', 7L).V()", 7],
    ["/* g.with('evaluationTimeout', 5L)\n */ g.with('evaluationTimeout', 7L).V()", 7],
    ["g.inject('http://x').with('evaluationTimeout', 7L)", 7],
    ["g.inject(\"a.with('evaluationTimeout', 5L)\").V()", undefined],
    ["g.inject('a\\'.with(\"evaluationTimeout\", 5L)')", undefined],
    ["g.inject('''a'b''').with('evaluationTimeout', 7L)", 7],
    ['g.inject("""\'""", \'a\').with(\'evaluationTimeout\', 7L)', 7],
    ["/* g.with('evaluationTimeout', 5L)", undefined],
    ['\'g.with("evaluationTimeout", 5L)', undefined],
    ["g.with('evaluationTimeout', 5L).V(); a ==~ /.*'.*/; g.with('evaluationTimeout', 7L).V()", 12],
    ["g.with('evaluationTimeout', 5L).V(); a.find(/\"\\/'\"/); g.with('evaluationTimeout', 7L).V()", 12],
    ["f = { return /'/ }; g.with('evaluationTimeout', 7L).V()", 7],
    ["a = /'/ // '\ng.with('evaluationTimeout', 7L).V()", 7],
    ["a = /.with('evaluationTimeout', 5L)/", undefined],
    ["a / 2; g.with('evaluationTimeout', 7L).V(); c / 2", 7],
    ["f(a) /* half */ / 2; g.with('evaluationTimeout', 7L).V(); l[0] / 2", 7],
    ["i++ / 2; g.with('evaluationTimeout', 7L).V(); 'a' / 2", 7],
    ["a = /b/ / 2; g.with('evaluationTimeout', 7L).V(); 'a' / 2", 7]
  ])("is the sum of those outside of comments and texts: %s", (script, expected) => {
    expect(timeoutOfScript(script)).toBe(expected)
  })

  it("is found in linear time", () => {
    const limit = ".with('evaluationTimeout', 5L)"
    for (const part of ["/*", "'''", "'\\", "\\'", '"""', ". ", ".with(", "//", "/", "/\\", "= /", "a /"]) {
      const script = limit + part.repeat(Math.floor(65_000 / part.length))
      const start = performance.now()
      expect(timeoutOfScript(script), part).toBe(5)
      expect(performance.now() - start, part).toBeLessThan(200 * patience)
    }
    expect(timeoutOfScript(limit + " ".repeat(100_000))).toBe(undefined)
  })
})
