import { describe, expect, it } from "vitest"
import { results, toy } from "../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("from() and to() of path(), simplePath() and cyclicPath()", () => {
  it("cut the path at the last objects with the labels", () => {
    const names = "by('name')"
    expect(given(`g.V().as('x').out().as('y').out().path().from('y').${names}`)).toEqual([
      "path[josh, ripple]",
      "path[josh, lop]"
    ])
    expect(given(`g.V().as('x').out().as('y').out().path().from('x').to('y').${names}`)).toEqual([
      "path[marko, josh]",
      "path[marko, josh]"
    ])
  })

  it("name labels that are on the path", () => {
    for (const step of ["path()", "simplePath()", "cyclicPath()"]) {
      expect(() => given(`g.V().out().${step}.from('x')`)).toThrow("Could not locate path from-label: x")
      expect(() => given(`g.V().as('a').out().${step}.to('x')`)).toThrow("Could not locate path to-label: x")
    }
  })
})

describe("ProductiveByStrategy over group()", () => {
  const grouped = (by: string): ReadonlyArray<string> =>
    given(`g.withStrategies(ProductiveByStrategy).V(1, 3).group().by('name').by(${by})`)

  it("gives null for a value traversal that gives nothing, and leaves out what has no value of a key", () => {
    expect(grouped("__.values('age')")).toEqual(["{marko=29, lop=null}"])
    expect(grouped("'age'")).toEqual(["{marko=[29], lop=[]}"])
  })
})

describe("as() behind as()", () => {
  it("gives an object that stays where it is each label once", () => {
    for (const step of [
      "identity()",
      "barrier()",
      "sideEffect(__.identity())",
      "union(__.identity().as('c'))",
      "is(P.neq(2))"
    ]) {
      expect(given(`g.V(1).as('c').${step}.as('c').select(Pop.all, 'c')`), step).toEqual(["[v[1]]"])
      expect(given(`g.V(1).as('c').${step}.as('c').select(Pop.mixed, 'c')`), step).toEqual(["v[1]"])
      expect(given(`g.V(1).as('c').${step}.as('d').select('c', 'd')`), step).toEqual(["{c=v[1], d=v[1]}"])
      expect(given(`g.V(1).as('c').${step}.as('c').path()`), step).toEqual(["path[v[1]]"])
    }
    expect(given("g.union(__.V(1).as('c')).as('c').select(Pop.mixed, 'c')")).toEqual(["v[1]"])
  })

  it("labels both objects where the traverser has moved between them", () => {
    expect(given("g.V(1).as('c').map(__.identity()).as('c').select(Pop.all, 'c')")).toEqual(["[v[1], v[1]]"])
    expect(given("g.V(6).as('c').out().barrier().as('c').select(Pop.all, 'c')")).toEqual(["[v[6], v[3]]"])
  })
})

describe("sacks that merge", () => {
  it.each([
    ["inject(5, 5).path().sack()", ["2", "2"]],
    ["inject(5, 5).barrier().path().sack()", ["2", "2"]],
    ["V(1, 1).path().sack()", ["1", "1"]],
    ["V(6, 6).as('a').out().select('a').sack()", ["2", "2"]],
    ["V(1, 2).constant(1).as('b').barrier().select('b').sack()", ["2", "2"]],
    ["V(1, 2).as('a').constant(1).as('b').barrier().select('a').sack()", ["1", "1"]],
    ["V(1, 1, 2).order().path().sack()", ["2", "2", "1"]],
    ["V(6, 6).repeat(__.out()).times(1).path().sack()", ["2", "2"]]
  ])("meet where traversers with equal paths do: %s", (script, sacks) => {
    expect(given(`g.withSack(1, Operator.sum).${script}`)).toEqual(sacks)
  })
})

describe("withBulk(false)", () => {
  it("counts traversers with equal paths once where they meet", () => {
    expect(given("g.withBulk(false).V(1, 1).barrier().path()")).toEqual(["path[v[1]]"])
    expect(given("g.withBulk(false).V(1, 1).as('a').barrier().select('a')")).toEqual(["v[1]"])
    expect(given("g.withBulk(false).V(1, 2).as('a').constant(1).barrier().select('a').by('name')")).toEqual([
      "marko",
      "vadas"
    ])
  })
})
