import { describe, expect, it } from "vitest"
import { instantOf } from "../../../src/structure/times/Instants.ts"
import { results, run, toy } from "../run.ts"

const answers = (script: string) => results(toy(), script)
const failing = (script: string) => () => run(toy(), script)

describe("min() and max()", () => {
  it("compare values of one type, and ignore null", () => {
    expect(answers("g.inject('b', null, 'a').max()")).toEqual(["b"])
    expect(answers("g.inject(true, false).min()")).toEqual(["false"])
    expect(answers("g.inject(1, 2.5d, 3l).max()")).toEqual(["3.0"])
    expect(answers("g.inject(null).max()")).toEqual(["null"])
  })

  it("compare instants by their time", () => {
    const variables = new Map([
      ["a", instantOf(5, 0)],
      ["b", instantOf(5, 1)],
      ["c", instantOf(253_402_300_800, 0)]
    ])
    expect(results(toy(), "g.inject(b, c, a).max()", { variables })).toEqual(["+10000-01-01T00:00:00Z"])
    expect(results(toy(), "g.inject(b, c, a).min()", { variables })).toEqual(["1970-01-01T00:00:05Z"])
  })

  it("fail for values of different types", () => {
    expect(failing("g.inject('a', 1).max()")).toThrow(
      "max() cannot compare a with 1: one is a String, the other a Number"
    )
    expect(failing("g.inject([1, 'a']).min(local)")).toThrow("min() cannot compare")
  })

  it("fail for values without an order, also for a single one", () => {
    for (const values of [
      "V(1)",
      "E(7)",
      "V(1).properties('age')",
      "inject([1])",
      "inject([:])",
      "V(1).path()",
      "inject([a:1]).unfold()"
    ]) {
      expect(failing(`g.${values}.max()`), values).toThrow("is neither smaller nor larger than another")
    }
    expect(failing("g.V().sack(max)")).toThrow("max() cannot compare")
    expect(failing("g.withSack(1).V().sack(max)")).toThrow("max() cannot compare")
  })
})

describe("sum(local), mean(local), min(local) and max(local)", () => {
  it("fail for a map, whose members are entries", () => {
    expect(failing("g.inject([a:1]).sum(local)")).toThrow("number")
    expect(failing("g.inject([a:1]).mean(local)")).toThrow("number")
    expect(failing("g.inject([a:1]).max(local)")).toThrow("max() cannot compare")
    expect(answers("g.inject([a:1, b:5]).select(values).max(local)")).toEqual(["5"])
    expect(answers("g.inject([:]).sum(local)")).toEqual([])
  })
})

describe("Operator.and and Operator.or", () => {
  it("accept booleans, and ignore null", () => {
    expect(answers("g.withSack(true).inject(false).sack(and).sack()")).toEqual(["false"])
    expect(answers("g.withSack(false).inject(true).sack(or).sack()")).toEqual(["true"])
    expect(answers("g.withSack(true).inject(1).sack(and).by(constant(null)).sack()")).toEqual(["true"])
  })

  it("fail for other values", () => {
    expect(failing("g.withSack('a').V().sack(and)")).toThrow("Operator.and needs two booleans")
    expect(failing("g.withSack([]).V().sack(or)")).toThrow("Operator.or needs two booleans")
  })
})

describe("order(local)", () => {
  it("does not change a path", () => {
    expect(answers("g.V(4).in().path().order(local)")).toEqual(["path[v[4], v[1]]"])
  })
})

describe("where(within(label))", () => {
  it("uses the collection under the label", () => {
    expect(answers("g.withSideEffect('x', [2, 3]).inject(1, 2).where(within('x'))")).toEqual(["2"])
    expect(failing("g.V().as('a').out().where(within('a'))")).toThrow(
      "P.within() in where() takes the label of a collection"
    )
    expect(failing("g.withSideEffect('x', [:]).V().where(without('x'))")).toThrow("takes the label of a collection")
  })

  it("refuses several labels, of which all but the first would be ignored", () => {
    expect(failing("g.V().as('a').out().as('b').where(without('a', 'b'))")).toThrow(
      "takes one label, whose object is a collection"
    )
  })
})

describe("select() of one label", () => {
  it("uses the last of several modulators", () => {
    expect(answers("g.V(1).as('a').select('a').by().by('name')")).toEqual(["marko"])
    expect(answers("g.V(1).as('a').out('knows').as('b').select('a', 'b').by('name').by('age')")).toHaveLength(2)
  })
})
