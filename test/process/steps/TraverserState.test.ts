import { describe, expect, it } from "vitest"
import { GremlinMap, GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { results, toy } from "../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("from() and to() of path(), simplePath() and cyclicPath()", () => {
  it("end the path at the last objects with the labels", () => {
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

  it("accept only labels of the path", () => {
    for (const step of ["path()", "simplePath()", "cyclicPath()"]) {
      expect(() => given(`g.V().out().${step}.from('x')`)).toThrow("Could not locate path from-label: x")
      expect(() => given(`g.V().as('a').out().${step}.to('x')`)).toThrow("Could not locate path to-label: x")
    }
  })

  it("refuse a label of from() that comes after the label of to()", () => {
    for (const step of ["path()", "simplePath()", "cyclicPath()"]) {
      expect(() => given(`g.V(1).as('x').out().as('a').out().${step}.from('a').to('x')`), step).toThrow(
        "Could not isolate path because from comes after to: a->x"
      )
    }
    expect(given("g.V(1).as('a').out('created').as('b').path().from('b').to('b')")).toEqual(["path[v[3]]"])
  })
})

describe("group() with ProductiveByStrategy", () => {
  const grouped = (by: string): ReadonlyArray<string> =>
    given(`g.withStrategies(ProductiveByStrategy).V(1, 3).group().by('name').by(${by})`)

  it("has null for a value traversal without a result, and drops objects without a key", () => {
    expect(grouped("__.values('age')")).toEqual(["{marko=29, lop=null}"])
    expect(grouped("'age'")).toEqual(["{marko=[29], lop=[]}"])
  })
})

describe("as() after as()", () => {
  it("adds each label once to an object that does not change", () => {
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

  const repeated = (first: string, second: string) =>
    given(`g.inject(${first}).as('c').map(__.constant(${second})).barrier().as('c').select(Pop.all, 'c')`)

  it("labels a scalar that is equal to the last one with a label only once", () => {
    expect(repeated("2.0d", "2.0d")).toEqual(["[2.0]"])
    expect(repeated("NaN", "NaN")).toEqual(["[NaN]"])
    expect(repeated("2", "2L")).toEqual(["[2, 2]"])
    expect(repeated("0.0d", "-0.0d")).toEqual(["[0.0, -0.0]"])
    const uuid = "UUID('00000000-0000-0000-0000-000000000001')"
    expect(repeated(uuid, uuid)).toEqual(["[00000000-0000-0000-0000-000000000001]"])
    for (const start of ["V(1)", "E(7)"]) {
      const element = start === "V(1)" ? "[v[1]]" : "[e[7][1-knows->2]]"
      expect(given(`g.${start}.as('c').map(__.select('c')).barrier().as('c').select(Pop.all, 'c')`)).toEqual([element])
    }
    expect(given("g.V(1).as('c').map(__.constant(1)).barrier().as('c').select(Pop.all, 'c')")).toEqual(["[v[1], 1]"])
    expect(given("g.V(1).as('c').map(__.outE('knows')).barrier().as('c').select(Pop.last, 'c')")).toEqual([
      "e[7][1-knows->2]"
    ])
  })

  it("labels an equal collection or date as another object, and the same one only once", () => {
    expect(repeated("[1, 2]", "[1, 2]")).toEqual(["[[1, 2], [1, 2]]"])
    expect(repeated("[a: 1]", "[a: 1L]")).toEqual(["[{a=1}, {a=1}]"])
    expect(given("g.inject([1, 2]).as('c').map(__.select('c')).barrier().as('c').select(Pop.all, 'c')")).toEqual([
      "[[1, 2]]"
    ])
    expect(given("g.inject([a: 1]).as('c').barrier().as('c').select(Pop.all, 'c')")).toEqual(["[{a=1}]"])
  })

  it("labels maps and sets of any size", () => {
    const numbers = Array.from({ length: 20_000 }, (_, at) => at)
    for (const build of [() => new GremlinMap(numbers.map((at) => [at, at])), () => new GremlinSet(numbers)]) {
      const variables = new Map([
        ["x", build()],
        ["y", build()]
      ])
      const script = "g.inject(x).as('c').map(__.constant(y)).barrier().as('c').select(Pop.all, 'c').count(Scope.local)"
      expect(results(toy(), script, { variables })).toEqual(["2"])
    }
  })

  it("labels both objects if the traverser moved between them", () => {
    expect(given("g.V(1).as('c').map(__.identity()).as('c').select(Pop.all, 'c')")).toEqual(["[v[1], v[1]]"])
    expect(given("g.V(6).as('c').out().barrier().as('c').select(Pop.all, 'c')")).toEqual(["[v[6], v[3]]"])
  })
})

describe("Sacks", () => {
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
  ])("merge when traversers with equal paths merge: %s", (script, sacks) => {
    expect(given(`g.withSack(1, Operator.sum).${script}`)).toEqual(sacks)
  })

  it.each([
    ["V(1, 1).repeat(__.identity()).times(1)", ["1", "1"]],
    ["V(6, 6).repeat(__.out().has('name')).times(1)", ["1", "1"]],
    ["V(6, 6).repeat(__.out().where(__.hasLabel('software'))).times(1)", ["1", "1"]],
    ["V(6, 6).repeat(__.out()).times(1)", ["2", "2"]],
    ["V(6, 6).repeat(__.out().hasLabel('software')).times(1)", ["2", "2"]],
    ["V(6, 6).repeat(__.outE().inV()).times(1)", ["2", "2"]],
    ["V(6, 6).repeat(__.repeat(__.out()).times(1)).times(1)", ["2", "2"]],
    ["V(6, 6).repeat(__.repeat(__.out().identity()).times(1)).times(1)", ["1", "1"]],
    ["V(6, 6).repeat(__.repeat(__.out()).until(__.hasLabel('software'))).times(1)", ["2", "2"]],
    ["V(6, 6).repeat(__.repeat(__.out()).emit(__.in()).times(1)).times(1)", ["2", "2"]],
    ["V(6, 6).repeat(__.repeat(__.out()).until(__.values('lang'))).times(1)", ["1", "1"]],
    ["V(6, 6).until(__.loops().is(1)).repeat(__.out())", ["1", "1"]],
    ["V(6, 6).times(0).repeat(__.out())", ["1", "1"]],
    ["V(6, 6).local(__.repeat(__.out()).times(1))", ["1", "1"]],
    ["withoutStrategies(RepeatUnrollStrategy).V(6, 6).repeat(__.out()).times(1)", ["1", "1"]],
    ["withoutStrategies(LazyBarrierStrategy).V(6, 6).repeat(__.out()).times(1)", ["1", "1"]]
  ])("merge in repeat() only where TinkerPop inserts barriers: %s", (script, sacks) => {
    expect(given(`g.withSack(1, Operator.sum).${script}.sack()`)).toEqual(sacks)
  })

  it.each([
    ["repeat(__.both()).until(__.loops().is(2))", "{1=30}"],
    ["repeat(__.both().identity()).times(2)", "{1=30}"],
    ["repeat(__.both()).until(__.loops().is(3))", "{1=45, 3=27}"],
    ["repeat(__.both()).times(3)", "{3=9, 7=63}"],
    ["hasLabel('person').repeat(__.out().in()).times(1)", "{1=12}"],
    ["both().local(__.repeat(__.both()).times(2))", "{1=9, 3=36, 9=27}"],
    ["times(2).repeat(__.both())", "{1=3, 3=27}"],
    ["repeat(__.both().identity()).times(1).repeat(__.both()).times(1)", "{1=30}"]
  ])("merge in rounds of repeat() for each start, if there is no barrier: %s", (script, counts) => {
    const sorted = "order(Scope.local).by(Column.keys)"
    expect(given(`g.withSack(1, Operator.sum).V().${script}.groupCount().by(__.sack()).${sorted}`)).toEqual([counts])
  })

  it.each([
    ["V().repeat(__.both().both()).times(2)", "{7=21, 17=153}"],
    ["V(1, 1).repeat(__.both().both()).times(1)", "{1=14}"],
    ["V(1, 1).repeat(__.both().both()).times(2)", "{2=4, 4=12, 6=6, 10=60}"],
    ["V(1, 1).repeat(__.out()).times(1)", "{1=6}"],
    ["V().repeat(__.both().hasLabel('person')).times(3)", "{4=8, 6=6}"],
    ["V(1, 1).repeat(__.both().hasLabel('person')).times(2)", "{4=4}"],
    ["V().repeat(__.repeat(__.both()).emit(__.has('name', 'lop')).times(2)).times(2)", "{3=30, 7=112, 10=70}"]
  ])("merge inside a body of repeat() as between the steps of its copies: %s", (script, counts) => {
    const sorted = "order(Scope.local).by(Column.keys)"
    expect(given(`g.withSack(1, Operator.sum).${script}.groupCount().by(__.sack()).${sorted}`)).toEqual([counts])
  })

  it("merge after local(), whose results are separate traversers", () => {
    const sacks = (script: string) => given(`g.withSack(1, Operator.sum).V(6, 6).barrier().${script}.barrier().sack()`)
    expect(sacks("local(__.identity())")).toEqual(["4", "4"])
    expect(sacks("local(__.out().order())")).toEqual(["4", "4"])
    expect(sacks("map(__.out())")).toEqual(["2", "2"])
    expect(sacks("local(__.aggregate('x'))")).toEqual(["4", "4"])
  })

  it("are separate after local() also where a bulk is far larger than the memory", () => {
    const many = "V(1).repeat(__.both()).times(40).barrier()"
    expect(given(`g.withSack(1, Operator.sum).${many}.local(__.identity()).limit(3)`)).toHaveLength(3)
  })

  it("merge after mergeV() and mergeE(), which return several elements, as after V()", () => {
    const merging = (script: string) => given(`g.withSack(1, Operator.sum).${script}.sack()`)
    expect(merging("V(1).out('knows').mergeV([(T.label): 'software'])")).toEqual(["2", "2", "2", "2"])
    expect(merging("V(1).out('knows').mergeE([(T.label): 'knows'])")).toEqual(["2", "2", "2", "2"])
    expect(merging("V(1).out('knows').V().hasLabel('software')")).toEqual(["2", "2", "2", "2"])
    expect(merging("V(1, 2).mergeV([(T.label): 'software'])")).toEqual(["1", "1", "1", "1"])
  })

  it("merge after the has() that follow a V() in the middle, as TinkerGraph makes them a part of that step", () => {
    const joined = (script: string) => given(`g.withSack('a', Operator.addAll).E().${script}.sack()`)
    expect(joined("V(1).has('name', 'nobody')")).toEqual([])
    expect(joined("V(1).hasLabel('person').has('name', 'nobody')")).toEqual([])
    // has() without a value is no part of that step.
    expect(() => joined("V(1).has('foo')")).toThrow("Operator.addAll needs two collections or two maps")
    expect(given("g.withSack(1, Operator.sum).E().V(1, 2).has('name', 'marko').sack().dedup()")).toEqual(["6"])
  })

  it("meet at a barrier of the traversal before the has() that follow it", () => {
    const normed = (script: string) => given(`g.withSack(1.0d, Operator.sum).${script}.has('name', 'marko').sack()`)
    expect(normed("V(1, 2).barrier(normSack)")).toEqual(["0.5"])
    expect(normed("inject(1).V(1, 2).barrier(normSack)")).toEqual(["0.5"])
    expect(normed("V(3).V(1, 2).barrier(normSack)")).toEqual(["0.5"])
  })
})

describe("withBulk(false)", () => {
  it("counts equal traversers once after a side effect, which gets each of them", () => {
    for (const step of ["group('x')", "groupCount('x')", "tree('x')"]) {
      expect(given(`g.withBulk(false).V(1, 1).${step}`), step).toEqual(["v[1]"])
    }
    expect(given("g.withBulk(false).V(1, 1).groupCount('x').cap('x')")).toEqual(["{v[1]=2}"])
    expect(given("g.withBulk(false).V(1, 1).group('x').cap('x')")).toEqual(["{v[1]=[v[1], v[1]]}"])
  })

  it("counts equal traversers once at barrier(n) until it contains n different ones", () => {
    expect(given("g.withBulk(false).V(1, 1).barrier(1)")).toEqual(["v[1]", "v[1]"])
    expect(given("g.withBulk(false).V(1, 1, 1, 2).barrier(2)")).toEqual(["v[1]", "v[2]"])
    expect(given("g.withBulk(false).V(1, 2, 1, 2).barrier(2)")).toEqual(["v[1]", "v[2]", "v[1]", "v[2]"])
    expect(given("g.withBulk(false).V(1, 2, 1, 2).barrier(3)")).toEqual(["v[1]", "v[2]"])
    expect(given("g.V(1, 2, 1, 2).barrier(1).id()")).toEqual(["1", "2", "1", "2"])
  })

  it("counts equal traversers once before a branch with a barrier", () => {
    expect(given("g.withBulk(false).V(1, 1).union(__.count())")).toEqual(["1"])
    expect(given("g.withBulk(false).V(1, 1).union(__.local(__.count()))")).toEqual(["1"])
    expect(given("g.withBulk(false).V(1, 1).choose(__.identity(), __.count())")).toEqual(["1"])
    expect(given("g.withBulk(false).V(1, 1).union(__.identity())")).toEqual(["v[1]", "v[1]"])
  })

  it("counts equal traversers once at the end of a round of repeat() that takes two steps", () => {
    // Six paths of two edges lead from marko to four vertices.
    expect(given("g.withBulk(false).V(1).repeat(__.out().in()).until(__.loops().is(1)).count()")).toEqual(["3"])
    expect(given("g.withBulk(false).V(1).emit().repeat(__.out().in()).times(1).count()")).toEqual(["4"])
    expect(given("g.V(1).repeat(__.out().in()).until(__.loops().is(1)).count()")).toEqual(["5"])
  })

  it("counts equal traversers of different starts of repeat() separately, if there is no barrier", () => {
    expect(given("g.withBulk(false).V(1, 1).repeat(__.identity()).times(1)")).toEqual(["v[1]", "v[1]"])
    expect(given("g.withBulk(false).V().repeat(__.both()).until(__.loops().is(3)).count()")).toEqual(["54"])
    expect(given("g.withBulk(false).V().repeat(__.both()).times(3).count()")).toEqual(["12"])
    const lazy = "withoutStrategies(LazyBarrierStrategy)"
    expect(given(`g.${lazy}.withBulk(false).V().repeat(__.both()).times(3).count()`)).toEqual(["72"])
  })

  it("counts traversers with equal paths once when they merge", () => {
    expect(given("g.withBulk(false).V(1, 1).barrier().path()")).toEqual(["path[v[1]]"])
    expect(given("g.withBulk(false).V(1, 1).as('a').barrier().select('a')")).toEqual(["v[1]"])
    expect(given("g.withBulk(false).V(1, 2).as('a').constant(1).barrier().select('a').by('name')")).toEqual([
      "marko",
      "vadas"
    ])
  })
})

describe("where() with the label of a side effect", () => {
  it("does not match NaN, which equals no value", () => {
    expect(given("g.inject(NaN, 1).aggregate('x').where(P.within('x'))")).toEqual(["1"])
    expect(given("g.inject(NaN, 1).aggregate('x').where(P.without('x'))")).toEqual(["NaN"])
    expect(given("g.inject([NaN], [1]).aggregate('x').where(P.within('x'))")).toEqual(["[1]"])
  })
})

describe("by() of select()", () => {
  it("is not evaluated for null under a single label", () => {
    for (const by of ["__.constant(1)", "__.fold()", "__.is(1)", "'name'", "T.id"]) {
      expect(given(`g.inject(null).as('b').select('b').by(${by})`), by).toEqual(["null"])
      expect(given(`g.inject([b: null]).select('b').by(${by})`), by).toEqual(["null"])
      expect(given(`g.inject([b: null]).select(__.constant('b')).by(${by})`), by).toEqual(["null"])
    }
    expect(given("g.inject(null, 1, null, 2).as('b').select('b').by(__.is(2))")).toEqual(["null", "null", "2"])
    expect(given("g.inject(null).as('b').as('c').select('b', 'c').by(__.constant(1))")).toEqual(["{b=1, c=1}"])
  })
})

describe("as()", () => {
  it("takes a list for its labels, as select() does, and strings only", () => {
    const found = (x: unknown) =>
      results(toy(), "g.V(1).as(x).out('created').select('a', 'b')", { variables: new Map([["x", x]]) })
    expect(found(["a", "b"])).toEqual(["{a=v[1], b=v[1]}"])
    expect(() => found(["a", 1])).toThrow("as() takes a string as its label, but was given the ")
  })

  it("ignores null, as out() does", () => {
    expect(given("g.V(1).as('a', null).out('created').select('a')")).toEqual(["v[1]"])
  })
})
