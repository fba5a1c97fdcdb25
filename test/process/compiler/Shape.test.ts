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

  it("contains the traversals in a map, so that the template is not valid for other values", () => {
    const map = new GremlinMap([
      ["uid", new Variable("x")],
      ["of", new Bytecode([], [new Instruction("identity", [])])]
    ])
    expect(template("mergeV", map, new Map([["x", 1]])).reusable).toBe(false)
  })

  it("has no tokens with very many steps", () => {
    const steps = Array.from({ length: 3_000 }, () => new Instruction("identity", []))
    expect(templateOf(new Bytecode([], steps), null, gremlin).tokens).toBeUndefined()
  })
})
