import { describe, expect, it } from "vitest"
import { Planner } from "../../../src/process/compiler/Planner.ts"
import { templateOf } from "../../../src/process/compiler/Shape.ts"
import { gremlin } from "../../../src/process/Gremlin.ts"
import { Bytecode, Instruction, Lambda, StrategySpec, Variable } from "../../../src/process/language/Bytecode.ts"
import { ClosureSource } from "../../../src/process/language/Closure.ts"
import { Parameter } from "../../../src/process/language/Operand.ts"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { Cardinality, T } from "../../../src/structure/scalars/Enums.ts"

const template = (operator: string, argument: unknown, variables: ReadonlyMap<string, unknown> | null = null) =>
  templateOf(
    new Bytecode([], [new Instruction("inject", [1]), new Instruction(operator, [argument])]),
    variables,
    gremlin
  )

describe("The shape of a traversal", () => {
  it("contains short constants, so that its plan can be cached", () => {
    expect(template("intersect", [1, 2, 3]).tokens).toContain(3)
    expect(template("concat", "short").tokens).toContain("short")
  })

  it("has no tokens with long constants, so that its plan is not cached", () => {
    const list = Array.from({ length: 2_000 }, (_, i) => i)
    const { bytecode, tokens } = template("intersect", new Variable("x"), new Map([["x", list]]))
    expect(tokens).toBeUndefined()
    expect(bytecode.stepInstructions[1]!.args[0]).toBe(list)
    expect(template("concat", "x".repeat(2_000)).tokens).toBeUndefined()
  })

  it("treats a map with variables as one parameter, so that mergeV() with other values has the same plan", () => {
    const map = new GremlinMap([
      [T.label, "person"],
      ["uid", new Variable("x")]
    ])
    const first = template("mergeV", map, new Map([["x", 1]]))
    const second = template("mergeV", map, new Map([["x", 2]]))
    expect(first.reusable).toBe(true)
    expect(second.tokens).toEqual(first.tokens)
    const [, whole] = first.fill(new Map([["x", 3]]))!
    expect([...(whole as GremlinMap)]).toEqual([
      [T.label, "person"],
      ["uid", 3]
    ])
    expect(first.fill(new Map())).toBeUndefined()
  })

  it("contains the lists in a list that have variables or enum values, because a run supplies no members of them", () => {
    const { bytecode, reusable } = template(
      "is",
      [[new Variable("x"), 1], [T.id, [2]], new Variable("x")],
      new Map([["x", 5]])
    )
    const [nested, withEnum, parameter] = bytecode.stepInstructions[1]!.args[0] as ReadonlyArray<unknown>
    expect(nested).toEqual([5, 1])
    expect(withEnum).toEqual([T.id, [2]])
    expect(parameter).toBeInstanceOf(Parameter)
    expect(reusable).toBe(false)
  })

  it("contains the traversals in a map, so that the template is not valid for other values", () => {
    const map = new GremlinMap([
      ["uid", new Variable("x")],
      ["of", new Bytecode([], [new Instruction("identity", [])])]
    ])
    expect(template("mergeV", map, new Map([["x", 1]])).reusable).toBe(false)
  })

  it("contains the keys of property(), but not its values, whatever stands for the cardinality", () => {
    const parameters = (...args: ReadonlyArray<unknown>) =>
      templateOf(new Bytecode([], [new Instruction("property", args)]), new Map([["x", Cardinality.list]]), gremlin)
        .parameters
    expect(parameters("k", 1, "m", 2)).toEqual([1, 2])
    for (const cardinality of [Cardinality.list, null, new Variable("x")]) {
      expect(parameters(cardinality, "k", 1)).toEqual([1])
      expect(parameters(cardinality, "k", 1, "m", 2)).toEqual([1, 2])
    }
  })

  it("has no tokens with very many steps", () => {
    const steps = Array.from({ length: 3_000 }, () => new Instruction("identity", []))
    expect(templateOf(new Bytecode([], steps), null, gremlin).tokens).toBeUndefined()
  })
})

describe("The shapes of traversals with different constants", () => {
  const set = (...members: ReadonlyArray<unknown>) => new GremlinSet(members)
  const map = (...entries: ReadonlyArray<readonly [unknown, unknown]>) => new GremlinMap(entries)
  const child = (operator: string) => new Bytecode([new Instruction(operator, [])], [])
  const pairs: ReadonlyArray<readonly [what: string, first: unknown, second: unknown]> = [
    ["a list with the word of a set", [["set", "x"], set("p", "q")], [set("x", ["set", "p"]), "q"]],
    ["a list with the word of a map", [["map", "x"], map(["p", "q"])], [map(["x", ["map", "p"]]), "q"]],
    ["a set of entries", set("x", "y"), map(["x", "y"])],
    ["a list of members", ["x"], set("x")],
    ["the text -0", "-0", -0],
    ["the number 0", 0, -0]
  ]

  it.each(pairs)("differ for %s", (_what, first, second) => {
    for (const [one, other] of [
      [first, second],
      [[first], [second]]
    ]) {
      expect(template("concat", one).tokens).not.toEqual(template("concat", other).tokens)
    }
  })

  it("differ if the source of a child and a constant of its parent are the same text", () => {
    const parent = (...args: ReadonlyArray<unknown>) => new Instruction("concat", args)
    const one = new Bytecode([], [parent(child("f"), "g", 0)])
    const other = new Bytecode([], [parent("f", 0, new Bytecode([], [])), new Instruction("g", [])])
    expect(templateOf(one, null, gremlin).tokens).not.toEqual(templateOf(other, null, gremlin).tokens)
  })

  it("differ if a strategy and a constant of its parent are the same text", () => {
    const parent = (...args: ReadonlyArray<unknown>) => new Instruction("concat", args)
    const options = new Map<string, unknown>([
      ["k", "v"],
      ["l", 0]
    ])
    const one = new Bytecode([], [parent(new StrategySpec("Named", options), "g", 1, "x")])
    const steps = [parent("Named", 2, "k", "v"), new Instruction("l", []), new Instruction("g", ["x"])]
    expect(templateOf(one, null, gremlin).tokens).not.toEqual(templateOf(new Bytecode([], steps), null, gremlin).tokens)
  })

  it("find no plan of each other", () => {
    const planner = new Planner(gremlin, { cacheSize: 100 })
    const source = { instructions: [] }
    const stored = (value: unknown) =>
      new Bytecode([new Instruction("withSideEffect", ["a", value])], [new Instruction("inject", [1])])
    for (const [, first, second] of pairs) {
      const plans = [first, second].map((value) => planner.prepare(stored(value), null, source).plan)
      expect(plans[1]).not.toBe(plans[0])
      for (const [i, value] of [first, second].entries()) {
        expect(planner.prepare(stored(value), null, source).plan).toBe(plans[i])
      }
    }
  })
})

/** A closure that cannot be called. */
class Named extends ClosureSource {
  readonly text: string
  readonly parameterCount: number
  readonly #isPure: boolean
  constructor(text: string, parameterCount = 1, isPure = false) {
    super()
    this.text = text
    this.parameterCount = parameterCount
    this.#isPure = isPure
  }
  override get isPure(): boolean {
    return this.#isPure
  }
}

describe("The plan of a traversal with closures", () => {
  const planner = new Planner(gremlin, { cacheSize: 10 })
  const source = { instructions: [] }
  const filter = (argument: unknown): Bytecode => new Bytecode([], [new Instruction("filter", [argument])])
  const prepared = (bytecode: Bytecode, closure?: ClosureSource) =>
    planner.prepare(bytecode, new Map(closure === undefined ? [] : [["c", closure]]), source)

  it("is shared by other closures, which are parameters", () => {
    const bytecode = filter(new Variable("c"))
    const [one, other] = [new Named("one"), new Named("other")]
    const [first, second] = [prepared(bytecode, one), prepared(bytecode, other)]
    expect(second.plan).toBe(first.plan)
    expect([first.parameters, second.parameters]).toEqual([[one], [other]])
    const third = prepared(filter(other))
    expect(third.plan).toBe(first.plan)
    expect(third.parameters).toEqual([other])
  })

  it("is that of its number of parameters, and of whether a call may be repeated", () => {
    const bytecode = new Bytecode([], [new Instruction("order", []), new Instruction("by", [new Variable("c")])])
    const key = prepared(bytecode, new Named("key"))
    const comparator = prepared(bytecode, new Named("comparator", 2))
    const pure = prepared(bytecode, new Named("pure", 1, true))
    expect(new Set([key.plan, comparator.plan, pure.plan]).size).toBe(3)
    expect(prepared(bytecode, new Named("again", 2)).plan).toBe(comparator.plan)
  })

  it("takes no lambda of another language", () => {
    expect(() => prepared(filter(new Lambda("lambda x: x", "gremlin-python", 1)))).toThrow(/gremlin-python/)
    const first = prepared(filter(new Lambda("it.get()", "gremlin-groovy", 1)))
    expect(prepared(filter(new Lambda("true", "gremlin-groovy", 1))).plan).toBe(first.plan)
  })
})
