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
    ["V(6, 6).repeat(__.out()).times(1).path().sack()", ["2", "2"]],
    ["V(1, 1).group('x').sack()", ["2", "2"]],
    ["V(1, 1).groupCount('x').sack()", ["2", "2"]],
    ["V(1, 1).tree('x').path().sack()", ["2", "2"]],
    ["E(7, 7).subgraph('x').sack()", ["2", "2"]],
    ["V(1, 1).union(__.order()).sack()", ["2", "2"]],
    ["V(1, 1).union(__.identity()).sack()", ["1", "1"]]
  ])("meet where traversers with equal paths do: %s", (script, sacks) => {
    expect(given(`g.withSack(1, Operator.sum).${script}`)).toEqual(sacks)
  })
})

describe("withBulk(false)", () => {
  it("counts equal traversers once behind steps that put them into a side effect, which sees each", () => {
    for (const step of ["group('x')", "groupCount('x')", "tree('x')"]) {
      expect(given(`g.withBulk(false).V(1, 1).${step}`), step).toEqual(["v[1]"])
    }
    expect(given("g.withBulk(false).V(1, 1).groupCount('x').cap('x')")).toEqual(["{v[1]=2}"])
    expect(given("g.withBulk(false).V(1, 1).group('x').cap('x')")).toEqual(["{v[1]=[v[1], v[1]]}"])
  })

  it("counts equal traversers once at barrier(n) until it holds n different ones", () => {
    expect(given("g.withBulk(false).V(1, 1).barrier(1)")).toEqual(["v[1]", "v[1]"])
    expect(given("g.withBulk(false).V(1, 1, 1, 2).barrier(2)")).toEqual(["v[1]", "v[2]"])
    expect(given("g.withBulk(false).V(1, 2, 1, 2).barrier(2)")).toEqual(["v[1]", "v[2]", "v[1]", "v[2]"])
    expect(given("g.withBulk(false).V(1, 2, 1, 2).barrier(3)")).toEqual(["v[1]", "v[2]"])
    expect(given("g.V(1, 2, 1, 2).barrier(1).id()")).toEqual(["1", "2", "1", "2"])
  })

  it("counts equal traversers once in front of a branch with a barrier", () => {
    expect(given("g.withBulk(false).V(1, 1).union(__.count())")).toEqual(["1"])
    expect(given("g.withBulk(false).V(1, 1).union(__.local(__.count()))")).toEqual(["1"])
    expect(given("g.withBulk(false).V(1, 1).choose(__.identity(), __.count())")).toEqual(["1"])
    expect(given("g.withBulk(false).V(1, 1).union(__.identity())")).toEqual(["v[1]", "v[1]"])
  })

  it("counts traversers with equal paths once where they meet", () => {
    expect(given("g.withBulk(false).V(1, 1).barrier().path()")).toEqual(["path[v[1]]"])
    expect(given("g.withBulk(false).V(1, 1).as('a').barrier().select('a')")).toEqual(["v[1]"])
    expect(given("g.withBulk(false).V(1, 2).as('a').constant(1).barrier().select('a').by('name')")).toEqual([
      "marko",
      "vadas"
    ])
  })
})

describe("where() with the label of a side effect", () => {
  it("finds no NaN in it, which is equal to nothing", () => {
    expect(given("g.inject(NaN, 1).aggregate('x').where(P.within('x'))")).toEqual(["1"])
    expect(given("g.inject(NaN, 1).aggregate('x').where(P.without('x'))")).toEqual(["NaN"])
    expect(given("g.inject([NaN], [1]).aggregate('x').where(P.within('x'))")).toEqual(["[1]"])
  })
})

describe("by() of select()", () => {
  it("is not asked of a null that one label names", () => {
    for (const by of ["__.constant(1)", "__.fold()", "__.is(1)", "'name'", "T.id"]) {
      expect(given(`g.inject(null).as('b').select('b').by(${by})`), by).toEqual(["null"])
      expect(given(`g.inject([b: null]).select('b').by(${by})`), by).toEqual(["null"])
      expect(given(`g.inject([b: null]).select(__.constant('b')).by(${by})`), by).toEqual(["null"])
    }
    expect(given("g.inject(null, 1, null, 2).as('b').select('b').by(__.is(2))")).toEqual(["null", "null", "2"])
    expect(given("g.inject(null).as('b').as('c').select('b', 'c').by(__.constant(1))")).toEqual(["{b=1, c=1}"])
  })
})
