import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
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
