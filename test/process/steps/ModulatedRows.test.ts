import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { results, run, toy } from "../run.ts"

const answers = (script: string) => results(toy(), script)
const failing = (script: string) => () => run(toy(), script)

describe("A row without a value for one by()", () => {
  it.each([
    "g.V().values('name').path().by('zz')",
    "g.V().values('name').simplePath().by('zz')",
    "g.V().as('a').values('name').as('b').select('a', 'b').by('zz').by('qq')",
    "g.V().as('a').values('name').as('b').dedup('a', 'b').by('zz')",
    "g.V().as('a').values('name').as('b').math('a + b').by('zz')",
    "g.V().values('name').order().by(__.is('zz')).by('qq')",
    "g.V().values('name').fold().order(local).by(__.is('zz')).by('qq').unfold()"
  ])("is not evaluated by the following by(): %s", (script) => {
    expect(answers(script)).toEqual([])
  })

  it("fails in the by() that fails if all preceding values exist", () => {
    expect(failing("g.V().values('name').path().by('name')")).toThrow('The by("name") modulator')
    expect(failing("g.V().as('a').values('name').as('b').select('a', 'b').by('name')")).toThrow("modulator")
  })

  it("keeps the keys of project() that have a value", () => {
    expect(answers("g.V().project('a', 'b').by('lang').by('age')")).toEqual([
      "{b=29}",
      "{b=27}",
      "{a=java}",
      "{b=32}",
      "{a=java}",
      "{b=35}"
    ])
  })

  it("does not change the values of other rows", () => {
    expect(answers("g.V().order().by('age').by('name', desc).values('age')")).toEqual(["27", "29", "32", "35"])
    expect(answers("g.V().order().by(__.values('lang')).by('name', desc).values('name')")).toEqual(["ripple", "lop"])
    expect(answers("g.V().as('a').out('created').as('b').select('a', 'b').by('age').by('lang')")).toEqual([
      "{a=29, b=java}",
      "{a=32, b=java}",
      "{a=32, b=java}",
      "{a=35, b=java}"
    ])
    expect(answers("g.V(1, 3).as('a').both().as('b').select('a', 'b').by('age').by('lang')")).toEqual([
      "{a=29, b=java}"
    ])
    expect(answers("g.V(1, 3).both().path().by('age').by('name')")).toEqual([
      "path[29, lop]",
      "path[29, vadas]",
      "path[29, josh]"
    ])
  })

  it("is not evaluated for the value of group() if it has no key", () => {
    expect(answers("g.V().values('name').group().by(__.is('x')).by('name')")).toEqual(["{}"])
  })

  it("does not stop the cycle of by() over the other objects of a long path", () => {
    const script = "g.V(1).repeat(__.out('created').in('created').has('name', 'marko')).times(3000).path()"
    expect(answers(`${script}.by('name').by(__.constant(1)).count(Scope.local)`)).toEqual(["6001"])
  })
})

describe("A token of a map", () => {
  it("is the entry of the map with this key, and an error without one", () => {
    expect(answers("g.V(1).elementMap('name').project('x').by(T.id)")).toEqual(["{x=1}"])
    expect(failing("g.inject([a: 1]).project('x').by(T.id)")).toThrow("T.id has no meaning for a LinkedHashMap")
    expect(failing("g.inject([a: 1]).path().by(T.label)")).toThrow("T.label has no meaning")
  })
})

describe("Two collections are less or greater only if their members are comparable", () => {
  it.each([
    ["[1, 'a']", "lt", "[2, 3]"],
    ["[1, null]", "lt", "[2, 3]"],
    ["[2, NaN]", "gt", "[1, 3]"],
    ["[[1, 'a'], 1]", "lt", "[[2, 3], 1]"],
    ["[a: 1]", "lt", "[c: 'x']"],
    ["[a: 1, b: 'x']", "lte", "[c: 1, d: 2]"]
  ])("so that %s is not %s %s", (left, predicate, right) => {
    expect(answers(`g.inject(${left}).is(P.${predicate}(${right}))`)).toEqual([])
  })

  it("and the first different members decide", () => {
    expect(answers("g.inject([1, 5]).is(P.lt([2, 3])).count()")).toEqual(["1"])
    expect(answers("g.inject([1]).is(P.lt([2, 'a'])).count()")).toEqual(["1"])
    expect(answers("g.inject([a: 1]).is(P.lt([c: 0])).count()")).toEqual(["1"])
    expect(answers("g.inject([1]).is(P.lt([1, 2])).count()")).toEqual(["1"])
  })
})

describe("A pattern with several labels at one position is refused", () => {
  it("in match()", () => {
    expect(failing("g.V().match(__.as('a').as('b'))")).toThrow("one start label, but one has a and b")
    expect(failing("g.V().match(__.as('a').out().as('b', 'c'))")).toThrow("one end label, but one has b and c")
    expect(failing("g.V().match(__.as('a').out().as('b').as('c'))")).toThrow("one end label")
    expect(answers("g.V(1).match(__.as('a').out('created').as('b').as('b'))")).toEqual(["{a=v[1], b=v[3]}"])
  })

  it("in where()", () => {
    expect(failing("g.V().as('a').where(__.as('a').as('b'))")).toThrow("can only have one label")
  })
})

describe("withBulk(false)", () => {
  it("counts equal traversers once at inject() and after the last step", () => {
    expect(answers("g.withBulk(false).inject(1, 1)")).toEqual(["1"])
    expect(answers("g.withBulk(false).inject(1, 1).count()")).toEqual(["1"])
    // The objects of a later inject() merge with each other, and not with those before it.
    expect(answers("g.withBulk(false).inject(1).constant(null).inject(null)")).toEqual(["null", "null"])
    expect(answers("g.withBulk(false).inject(1).inject(1, 1).count()")).toEqual(["2"])
    expect(answers("g.withBulk(false).inject(1).local(inject(1, 1))")).toEqual(["1", "1"])
    expect(answers("g.withBulk(false).inject(1).inject(1, 1).barrier()")).toEqual(["1"])
    expect(answers("g.withBulk(false).V().out().id()")).toEqual(["3", "2", "4", "5"])
    expect(answers("g.withBulk(false).V().out().count()")).toEqual(["6"])
  })
})

describe("withSack(value, operator)", () => {
  it("combines the sacks of equal traversers at inject()", () => {
    expect(answers("g.withSack(1, sum).inject(1, 1, 2).sack()")).toEqual(["2", "2", "1"])
    expect(answers("g.withSack(1, sum).inject(1).inject(1, 1).sack()")).toEqual(["2", "2", "1"])
    expect(answers("g.withSack(1, sum).inject(1).map(inject(1).sack().sum())")).toEqual(["2"])
  })
})

describe("Operator.sumLong", () => {
  it("accepts only Longs", () => {
    expect(answers("g.withSack(1l).inject(2l).sack(sumLong).sack()")).toEqual(["3"])
    expect(failing("g.withSack(1).inject(2l).sack(sumLong)")).toThrow("Operator.sumLong needs two Longs")
  })
})

describe("project()", () => {
  it("evaluates a by() once for each of its keys, with its side effects", () => {
    expect(
      results(
        toyGraph("modern"),
        "g.inject(1).project('a', 'b').by(__.addV('z').id()).select(values).unfold().dedup().count()"
      )
    ).toEqual(["2"])
    expect(answers("g.inject(1).project('a', 'b').by(__.aggregate('x')).cap('x')")).toEqual(["{1=2}"])
  })
})

describe("A property that is a collection", () => {
  it.each([
    "g.addV('a').property('p', __.V(1).fold())",
    "g.addV('a').property('p', __.V(1).project('k'))",
    "g.addV('a').property('p', __.V(1).group())",
    "g.addV('a').property('p', __.V(1).path())",
    "g.V(1).property('p', __.V(2).fold().fold())",
    "g.V(1).property('p', __.V(2).aggregate('x').cap('x'))",
    "g.V(1).property('p', __.properties('name').fold())",
    "g.V(1).property('p', __.out().tree())"
  ])("cannot contain an element of the graph: %s", (script) => {
    expect(failing(script)).toThrow("cannot hold an element of the graph")
  })
})

describe("A property that is null", () => {
  it("removes the preceding properties of its key from addV()", () => {
    expect(results(toyGraph("modern"), "g.addV('z').property('q', 1).property('q', null).valueMap()")).toEqual(["{}"])
    expect(results(toyGraph("modern"), "g.addV('z').property('q', null).property('q', 1).valueMap()")).toEqual([
      "{q=[1]}"
    ])
  })
})

describe("A sack that is null", () => {
  it.each(["sum", "minus", "mult", "div", "min", "max", "and", "or"])(
    "refuses values that %s cannot combine",
    (operator) => {
      expect(failing(`g.V(1).sack(${operator})`)).toThrow(operator)
    }
  )
})
