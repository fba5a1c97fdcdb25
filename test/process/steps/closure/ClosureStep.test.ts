import { describe, expect, it } from "vitest"
import { Bytecode, Instruction, StrategySpec } from "../../../../src/process/language/Bytecode.ts"
import type { ClosureCall } from "../../../../src/process/language/Closure.ts"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import type { Vertex } from "../../../../src/structure/elements/Element.ts"
import { LaterGraph } from "../../../storage/LaterGraph.ts"
import { child, get, TestClosure } from "../../Closures.ts"
import { results, runLater, toy } from "../../run.ts"

/** The same for a function without effects. As in scripts, begin() throws its errors. */
class PureClosure extends TestClosure {
  override get isPure(): boolean {
    return true
  }
  override begin(args: readonly unknown[]): ClosureCall {
    const call = super.begin(args)
    const { result } = call
    return { advance: () => call.advance(), result, close: () => {} }
  }
}

const nameOf = (vertex: unknown): unknown => (vertex as Vertex).properties(["name"])[0]!.value

const run = (...steps: ReadonlyArray<readonly [string, ...unknown[]]>): readonly string[] =>
  results(
    toy(),
    new Bytecode(
      [],
      steps.map(([operator, ...args]) => new Instruction(operator, args))
    )
  )

it("A closure gives no traverser as a result", () => {
  const given = child(new TestClosure((it) => it))
  expect(() => run(["V"], ["map", given])).toThrow("give it.get()")
  expect(run(["V", 1], ["sideEffect", given], ["count"])).toEqual(["1"])
})

describe("A closure without effects", () => {
  /** Fails at lop, the third vertex. */
  const ageOf = child(
    new PureClosure((it) => {
      const [age] = (get(it) as Vertex).properties(["age"])
      if (age === undefined) throw new Error("no age")
      return age.value
    })
  )

  it("ends a traversal only after the traversers before have gone through all later steps", () => {
    expect(run(["V"], ["map", ageOf], ["limit", 2])).toEqual(["29", "27"])
    expect(run(["V"], ["filter", ageOf], ["limit", 2], ["values", "name"])).toEqual(["marko", "vadas"])
    expect(() => run(["V"], ["map", ageOf], ["limit", 3])).toThrow("no age")
    expect(() => run(["V"], ["filter", ageOf], ["count"])).toThrow("no age")
    expect(() => run(["V", 3, 1], ["map", ageOf], ["limit", 1])).toThrow("no age")
  })

  it("has the same results with profile(), in a child, and over a store that answers later", async () => {
    expect(() => run(["V"], ["map", ageOf], ["profile"])).toThrow("no age")
    const ages = new Bytecode(
      [],
      [
        new Instruction("out", []),
        new Instruction("filter", [child(new PureClosure((it) => nameOf(get(it)) !== "lop"))])
      ]
    )
    expect(run(["V"], ["where", ages], ["values", "name"])).toEqual(["marko", "josh"])
    const traversal = new Bytecode(
      [],
      [new Instruction("V", []), new Instruction("map", [ageOf]), new Instruction("limit", [2])]
    )
    expect(await runLater(new LaterGraph(toyGraph("modern")), traversal)).toEqual([29, 27])
  })
})

describe.each([0, 1])("A closure that pauses %i times", (pauses) => {
  const closure = (body: (argument: unknown) => unknown): Bytecode => child(new TestClosure(body, pauses))

  it("decides in filter() which traversers pass", () => {
    expect(run(["V"], ["filter", closure((it) => nameOf(get(it)) === "lop")], ["values", "name"])).toEqual(["lop"])
    expect(run(["V"], ["not", closure((it) => nameOf(get(it)) !== "lop")], ["values", "name"])).toEqual(["lop"])
  })

  it("gives a value for each traverser in map(), and all members in flatMap()", () => {
    expect(run(["V", 1, 2], ["map", closure((it) => nameOf(get(it)))])).toEqual(["marko", "vadas"])
    expect(run(["V", 1, 2], ["map", closure(() => null)])).toEqual(["null", "null"])
    expect(run(["V", 1], ["flatMap", closure((it) => [nameOf(get(it)), 2])])).toEqual(["marko", "2"])
  })

  it("runs in sideEffect() for each traverser, in order", () => {
    const seen: unknown[] = []
    run(["V"], ["sideEffect", closure((it) => seen.push(nameOf(get(it))))])
    // The test runs the traversal at several widths.
    expect(seen.slice(0, 6)).toEqual(["marko", "vadas", "lop", "josh", "ripple", "peter"])
  })

  it("ends a loop in until(), and emits in emit()", () => {
    const body = new Bytecode([], [new Instruction("both", [])])
    const after = closure((it) => (get(it, "loops") as number) >= 2)
    expect(run(["V", 2], ["repeat", body], ["until", after], ["count"])).toEqual(["3"])
    const out = new Bytecode([], [new Instruction("out", [])])
    const emitted = closure((it) => nameOf(get(it)) === "ripple")
    expect(run(["V", 1], ["repeat", out], ["emit", emitted], ["values", "name"])).toEqual(["ripple"])
  })

  it("gives the key of by()", () => {
    const by = child(new TestClosure((it) => String(nameOf(it)).length, pauses), "object")
    expect(run(["V"], ["order"], ["by", by], ["values", "name"], ["limit", 1])).toEqual(["lop"])
    expect(run(["V"], ["group"], ["by", by], ["by", new Bytecode([], [new Instruction("count", [])])])).toEqual([
      "{5=3, 3=1, 4=1, 6=1}"
    ])
  })

  it("sees the path, bulk and side effects of its traverser", () => {
    const names = closure((it) => (get(it, "path") as { objects: unknown[] }).objects.map(nameOf))
    expect(run(["V", 1], ["out", "knows"], ["out"], ["map", names])[0]).toBe("[marko, josh, ripple]")
    expect(run(["V", 1], ["map", closure((it) => get(it, "bulk"))])).toEqual(["1"])
    expect(() => run(["V"], ["map", closure((it) => get(it, "getClass"))])).toThrow("no method getClass()")
    expect(() => run(["V"], ["map", closure((it) => get(it, "sack", 1))])).toThrow("cannot set the sack")
  })
})

it("LambdaRestrictionStrategy refuses closures", () => {
  const strategies = [new Instruction("withStrategies", [new StrategySpec("LambdaRestrictionStrategy", new Map())])]
  const steps = [new Instruction("V", []), new Instruction("filter", [child(new TestClosure(() => true))])]
  expect(() => results(toy(), new Bytecode(strategies, steps))).toThrow("contains a lambda step")
})

it("The step of closures cannot be named by a driver", () => {
  expect(() => run(["V"], ["closure", "it.get()"])).toThrow("Could not locate method")
})
