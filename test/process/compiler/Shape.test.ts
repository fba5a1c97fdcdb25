import { describe, expect, it } from "vitest"
import { templateOf } from "../../../src/process/compiler/Shape.ts"
import { gremlin } from "../../../src/process/Gremlin.ts"
import { Bytecode, Instruction, Variable } from "../../../src/process/language/Bytecode.ts"
import { GremlinMap } from "../../../src/structure/Collections.ts"
import { T } from "../../../src/structure/Enums.ts"

const template = (operator: string, argument: unknown, variables: ReadonlyMap<string, unknown> | null = null) =>
  templateOf(
    new Bytecode([], [new Instruction("inject", [1]), new Instruction(operator, [argument])]),
    variables,
    gremlin
  )

describe("the shape of a traversal", () => {
  it("has short constants in it, so that its plan is kept", () => {
    expect(template("intersect", [1, 2, 3]).tokens).toContain(3)
    expect(template("concat", "short").tokens).toContain("short")
  })

  it("has no long ones: a plan with them is made for one run", () => {
    const list = Array.from({ length: 2_000 }, (_, i) => i)
    const { bytecode, tokens } = template("intersect", new Variable("x"), new Map([["x", list]]))
    expect(tokens).toBeUndefined()
    expect(bytecode.stepInstructions[1]!.args[0]).toBe(list)
    expect(template("concat", "x".repeat(2_000)).tokens).toBeUndefined()
  })

  it("has a map with variables in it as one value, so that mergeV() with other values has the same plan", () => {
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

  it("has the traversals in a map: such a plan is made for the values of its variables", () => {
    const map = new GremlinMap([
      ["uid", new Variable("x")],
      ["of", new Bytecode([], [new Instruction("identity", [])])]
    ])
    expect(template("mergeV", map, new Map([["x", 1]])).reusable).toBe(false)
  })

  it("is not kept when it has very many steps", () => {
    const steps = Array.from({ length: 3_000 }, () => new Instruction("identity", []))
    expect(templateOf(new Bytecode([], steps), null, gremlin).tokens).toBeUndefined()
  })
})
