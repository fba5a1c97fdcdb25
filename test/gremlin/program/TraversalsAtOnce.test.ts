import { describe, expect, it } from "vitest"
import { BegunTraversal, type TraversalCall } from "../../../src/gremlin/HostCall.ts"
import { evaluate } from "../../../src/gremlin/Interpreter.ts"
import { parseScript } from "../../../src/gremlin/Parser.ts"
import type { Scope } from "../../../src/gremlin/Scope.ts"
import { TraversalError } from "../../../src/process/language/Errors.ts"
import { TimeSlice } from "../../../src/scheduling/TimeSlice.ts"
import { asked, FakeHost } from "../FakeHost.ts"

type Traverse = NonNullable<Scope["traverse"]>

/** Runs a script whose traversals run at once. Gives its value, and what it asked the host. `answer` answers these calls. */
const run = (script: string, traverse: Traverse, answer: unknown = undefined, slice = new TimeSlice()) => {
  const asks: Array<string> = []
  const evaluation = evaluate(parseScript(script), { ...new FakeHost().scope, traverse }, slice)
  for (let step = evaluation.next(); ; ) {
    if (step.done === true) return { asks, value: step.value }
    asks.push(asked(step.value))
    step = evaluation.next(answer)
  }
}

describe("A traversal of a script that runs at once", () => {
  it("asks the host for nothing", () => {
    const calls: Array<string> = []
    const traverse = (call: TraversalCall): unknown => {
      calls.push(asked(call))
      return call.want === "none" ? [] : [1, 2]
    }
    const script = `
      def sum = 0
      for (i in 1..3) sum += g.V(i).values('age').next()
      def all = g.V().toList()
      g.V().drop().iterate()
      [sum, all, g.V().hasNext(), g.V().toSet().size(), g.V().tryNext().isPresent()]`
    expect(run(script, traverse)).toEqual({ asks: [], value: [3, [1, 2], true, 2, true] })
    expect(calls[0]).toBe('list g.V(i).values("age") limit 1 i=1')
    expect(calls).toHaveLength(8)
  })

  it("is continued by the host if it does not end", () => {
    const script = "def found = g.V().toList()\nfound.size() + g.V().toList().size()"
    expect(run(script, () => new BegunTraversal("rest"), [1, 2])).toEqual({ asks: ["begun", "begun"], value: 4 })
  })

  it("fails in the script, which may catch the error", () => {
    const fails = (): never => {
      throw new TraversalError("no such step")
    }
    const script = "def text = ''\ntry { g.V().next() } catch (e) { text = e.message }\ntext"
    expect(run(script, fails).value).toBe("no such step")
    expect(() => run("1\ng.V().next()", fails)).toThrow("no such step")
    expect(() => run("1\ng.V().next()", () => [])).toThrow("Line 2")
  })

  it("lets others run when it has used the time of the slice", () => {
    const slice = new TimeSlice(performance.now() + 60_000)
    const traverse = (): unknown => {
      slice.restart(performance.now() - 1)
      return [7]
    }
    const { asks, value } = run("def x = g.V().next()\nx", traverse, undefined, slice)
    expect(asks[0]).toBe("pause")
    expect(value).toBe(7)
  })

  it("lets others run after an error that took the time of the slice, also when the script has read the clock rarely", () => {
    const slice = new TimeSlice()
    let calls = 0
    const traverse = (): never => {
      calls++
      const until = performance.now() + 30
      while (performance.now() < until);
      throw new TraversalError("no such step")
    }
    const script = "for (i in 1..5000) { i + 1 }; for (i in 1..20) { try { g.V().next() } catch (e) { } }; 1"
    const evaluation = evaluate(parseScript(script), { ...new FakeHost().scope, traverse }, slice)
    slice.restart(performance.now() + 20)
    for (let step = evaluation.next(); calls === 0; step = evaluation.next()) {
      expect(step.done === true ? "done" : step.value.kind).toBe("pause")
      if (calls === 0) slice.restart(performance.now() + 20)
    }
    expect(calls).toBe(1)
  })
})

describe("A call at one place of a script", () => {
  it("finds the method of each type that its value has", () => {
    const script = "[[1, 2, 3], 'ab', [a: 1], [1, 2] as Set, [4], 'abc'].collect { it.size() }"
    expect(run(script, () => []).value).toEqual([3, 2, 1, 2, 1, 3])
    expect(() => run("[[1], 2].collect { it.size() }", () => [])).toThrow("Integer has no method size()")
  })
})

describe("A closure that is called many times", () => {
  it("has variables of its own in each call", () => {
    const cases: ReadonlyArray<readonly [script: string, value: unknown]> = [
      ["fs = []; [1, 2].each { x -> fs << { x } }; fs.collect { it() }", [1, 2]],
      ["[3, 1, 2].sort { a, b -> [a, b].sort { c, d -> d <=> c }[0] <=> [b, a].max() ?: a <=> b }", [1, 2, 3]],
      ["f = { n -> n < 1 ? 0 : n + call(n - 1) }; def call(n) { n < 1 ? 0 : n + call(n - 1) }; [f(3), f(2)]", [6, 3]]
    ]
    for (const [script, value] of cases) expect(run(script, () => []).value, script).toEqual(value)
  })

  it("gets the values that a map has when it is called", () => {
    const script = "m = [a: 1, b: 2]; r = []; m.each { k, v -> m.b = 5; r << v }; r + m.collect { k, v -> v }"
    expect(run(script, () => []).value).toEqual([1, 5, 1, 5])
  })
})
