import { describe, expect, it } from "vitest"
import { results, toy } from "../../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("select() of a label that a traversal returns", () => {
  it("gives all objects of the label without a Pop, and a single one as it is", () => {
    const repeated = "g.V(1).as('a').out('created').as('a')"
    expect(given(`${repeated}.select(__.constant('a'))`)).toEqual(["[v[1], v[3]]"])
    expect(given(`${repeated}.select(Pop.last, __.constant('a'))`)).toEqual(["v[3]"])
    expect(given(`${repeated}.select(Pop.first, __.constant('a'))`)).toEqual(["v[1]"])
    expect(given(`${repeated}.select(__.constant('a')).by(__.count(Scope.local))`)).toEqual(["2"])
    expect(given("g.V(1).as('a').out('created').as('b').select(__.constant('a'))")).toEqual(["v[1]"])
  })

  it("reads whole paths, in which an equal object is another one", () => {
    expect(given("g.inject(2).as('a').map(__.constant(2)).barrier().as('a').select(__.constant('a'))")).toEqual([
      "[2, 2]"
    ])
  })
})
