import { describe, expect, it } from "vitest"
import { Bytecode, Instruction } from "../../../../src/process/language/Bytecode.ts"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { emptyGraph } from "../../../storage/memory/Fixture.ts"
import { run } from "../../run.ts"

/** The results of a traversal on a new modern graph. */
const last = (script: string): ReadonlyArray<unknown> => run(toyGraph("modern"), script, { as: text })

describe("onCreate of mergeV() and mergeE()", () => {
  it("may repeat entries of the criteria, but not with another value or another type of number", () => {
    expect(last("g.mergeV([x: 1, y: [1, 2]]).option(onCreate, [x: 1, y: [1, 2], z: 3]).values('z')")).toEqual(["3"])
    expect(last("g.mergeV([x: NaN]).option(onCreate, [x: NaN]).values('x')")).toEqual(["NaN"])
    for (const script of [
      "g.mergeV([x: 1]).option(onCreate, [x: 1L])",
      "g.mergeV([x: 1]).option(onCreate, [x: 1.0])",
      "g.mergeV([x: [1]]).option(onCreate, [x: [1L]])",
      "g.mergeV([(T.id): 99]).option(onCreate, __.constant([(T.id): 99L]))",
      "g.mergeE([(OUT): 1, (IN): 2, (T.label): 'x']).option(onCreate, [(IN): 2L])"
    ]) {
      expect(() => last(script), script).toThrow("option(onCreate) cannot override values from merge() argument")
    }
  })
})

describe("An end of mergeE() that does not exist", () => {
  it("is named, also if its id is an object", () => {
    const graph = emptyGraph({ vertexIdManager: "ANY", edgeIdManager: "ANY", vertexPropertyIdManager: "ANY" })
    const merge = (end: string) => () => run(graph, `g.mergeE([(OUT): ${end}, (IN): 1, (T.label): 'x'])`)
    expect(merge("UUID('0f6a3c8e-2d44-4f7e-9d3a-0e2f0c4b5a69')")).toThrow(
      "mergeE: 0f6a3c8e-2d44-4f7e-9d3a-0e2f0c4b5a69"
    )
    expect(merge("[a: 1]")).toThrow("mergeE: {a=1}")
  })
})

describe("mergeV() and mergeE() without an argument", () => {
  it("take the map of the traverser", () => {
    expect(last("g.inject([name: 'marko']).mergeV()")).toEqual(["v[1]"])
    expect(last("g.inject(null).mergeV().count()")).toEqual(["6"])
  })

  it("are refused at the start of a traversal, where they would match every element", () => {
    for (const operator of ["mergeV", "mergeE"]) {
      const start = new Bytecode([], [new Instruction(operator, [])])
      expect(() => run(toyGraph("modern"), start)).toThrow(`${operator}() needs a map at the start of a traversal`)
    }
    expect(() => last("g.union(__.mergeV())")).toThrow("mergeV() needs a map at the start of a traversal")
  })
})
