import { describe, expect, it } from "vitest"
import { P } from "../../../src/process/language/Predicate.ts"
import { Byte, Short } from "../../../src/structure/numbers/Numbers.ts"
import { results, run, toy } from "../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)

describe("group()", () => {
  it("of a side effect continues after an iteration without keys", () => {
    expect(given("g.V(3).local(__.group('y').by('age')).V(1).local(__.group('y').by('age')).cap('y')")).toEqual([
      "{29=[v[1]]}"
    ])
    expect(
      given("g.V().repeat(__.both('created')).until(__.identity()).order().by(__.group('y').by('age')).count()")
    ).toEqual(["8"])
  })

  it("treats by(__.identity()) with labels as by()", () => {
    expect(given("g.V().group().by(T.label).by(__.identity().as('a'))")).toEqual(given("g.V().group().by(T.label)"))
  })

  it("lists the objects of a group with by(__.identity()), as with by()", () => {
    expect(given("g.V().group().by(T.label).by(__.identity())")).toEqual(given("g.V().group().by(T.label).by()"))
    expect(given("g.V().group('m').by(T.label).by(__.identity()).cap('m')")).toEqual([
      "{person=[v[1], v[2], v[4], v[6]], software=[v[3], v[5]]}"
    ])
  })

  it.each(["local", "sideEffect"])("evaluates the value once for each traverser in %s()", (parent) => {
    const sizes = (by: string) =>
      given(`g.V().${parent}(__.group('x').by(T.label).by(${by})).cap('y').count(Scope.local)`)
    expect(sizes("__.aggregate('y').count()")).toEqual(["6"])
    expect(sizes("__.local(__.aggregate('y')).fold()")).toEqual(["6"])
    expect(sizes("__.local(__.aggregate('y')).values('age').sum()")).toEqual(["6"])
    const groups = (by: string) => given(`g.V().${parent}(__.group('x').by(T.label).by(${by})).cap('x')`)
    for (const by of [
      "__.count()",
      "__.values('name').fold()",
      "__.values('age').sum()",
      "__.values('age').max()",
      "'name'"
    ]) {
      expect(groups(by), by).toEqual(given(`g.V().group('x').by(T.label).by(${by}).cap('x')`))
    }
    for (const by of ["__.label().dedup().count()", "__.union(__.dedup(), __.out()).count()", "__.limit(1).count()"]) {
      expect(groups(by), by).toEqual(given(`g.V().group('x').by(T.label).by(${by}).cap('x')`))
    }
    expect(groups("__.fold().count(Scope.local)")).toEqual(["{person=4, software=2}"])
    expect(groups("__.values('name')")).toEqual(["{person=peter, software=ripple}"])
    expect(() => sizes("__.local(__.aggregate('y')).fold().count(Scope.local)")).toThrow(
      "would run its second by() again each time"
    )
  })

  it("adds to the content of its side effect with the operator of its value traversal", () => {
    const twice = (value: string) =>
      `g.V(1).group('x').by('name').by(${value}).group('x').by('name').by(${value}).cap('x')`
    expect(given(twice("'age'"))).toEqual(["{marko=[29, 29]}"])
    expect(given(twice("__.count()"))).toEqual(["{marko=2}"])
    expect(given(twice("__.values('age').sum()"))).toEqual(["{marko=58}"])
    expect(given(twice("__.values('age').fold()"))).toEqual(["{marko=[29, 29]}"])
    expect(given(twice("__.values('age').max()"))).toEqual(["{marko=29}"])
    expect(given(twice("__.groupCount().by('age')"))).toEqual(["{marko={29=2}}"])
    expect(given(twice("__.constant(1)"))).toEqual(["{marko=1}"])
  })

  it.each([
    "g.withSideEffect('x', []).V().group('x').by('name').cap('x')",
    "g.withSideEffect('x', 1).V().group('x').by('name').cap('x')",
    "g.withSideEffect('x', []).V().groupCount('x').by('name').cap('x')",
    "g.V().aggregate('x').group('x').by('name').cap('x')",
    "g.V().aggregate('x').groupCount('x').cap('x')",
    "g.E().subgraph('x').groupCount('x').cap('x')"
  ])("refuses a side effect that is not a map: %s", (script) => {
    expect(() => given(script)).toThrow(/adds to a map.*Use another side-effect key/)
  })

  it.each([
    "__.fold().count()",
    "__.values('age').fold().count(Scope.local)",
    "__.count().is(P.gt(0))",
    "__.order().by()"
  ])("cannot merge values of a traversal with steps after its barrier: %s", (by) => {
    const twice = `g.V(1).group('x').by('name').by(${by})`.concat(`.V(1).group('x').by('name').by(${by}).cap('x')`)
    expect(() => given(twice)).toThrow("the two values cannot be joined. Use another side-effect key.")
    const other = `g.V(1).group('x').by('name').by(${by}).V(1).group('x').by('age').by(${by}).cap('x').count(Scope.local)`
    expect(given(other)).toEqual(["2"])
  })

  it.each([
    ["g.withSideEffect('x', [marko: 5]).V().groupCount('x').by('name').cap('x')", "counts, which are Longs"],
    ["g.withSideEffect('x', [marko: 'q']).V().groupCount('x').by('name').cap('x')", "counts, which are Longs"],
    ["g.V().group('x').by('name').groupCount('x').by('name').cap('x')", "counts, which are Longs"],
    ["g.V().groupCount('x').by('name').group('x').by('name').cap('x')", "adds to lists"],
    ["g.V().group('x').by('name').by(__.count()).group('x').by('name').by('age').cap('x')", "adds to lists"],
    ["g.V().group('x').by('name').by('age').group('x').by('name').by(__.count()).cap('x')", "two numbers"]
  ])("refuses values of another type under its keys: %s", (script, words) => {
    expect(() => given(script)).toThrow(words)
  })

  it("refuses to add to a tree, as tree() does", () => {
    expect(() => given("g.withSideEffect('x', []).V().out().tree('x').cap('x')")).toThrow("adds to a tree")
    expect(() => given("g.V().aggregate('x').out().tree('x').cap('x')")).toThrow("adds to a tree")
  })
})

describe("fold(seed, addAll)", () => {
  it("adds each object as one member, also if it is a collection", () => {
    expect(given("g.inject([1], [2]).fold([], addAll)")).toEqual(["[[1], [2]]"])
    expect(given("g.inject([1, 2], [3]).fold([0], addAll)")).toEqual(["[0, [1, 2], [3]]"])
    expect(given("g.inject(1, 2).fold([], addAll)")).toEqual(["[1, 2]"])
    expect(given("g.inject(null, 2).fold([], addAll)")).toEqual(["[null, 2]"])
    expect(given("g.inject([a: 1], [b: 2]).fold([:], addAll)")).toEqual(["{a=1, b=2}"])
    expect(given("g.inject([1], [2]).fold(null, addAll)")).toEqual(["[1, 2]"])
    expect(() => given("g.inject(1).fold([:], addAll)")).toThrow("two maps")
  })
})

describe("An operator with null", () => {
  it.each([
    ["sum", "1"],
    ["minus", "1"],
    ["mult", "1"],
    ["div", "1"],
    ["min", "1"],
    ["max", "1"],
    ["assign", "null"]
  ])("does not change the sack, except assign: %s", (operator, sack) => {
    expect(given(`g.withSack(1).V(1).sack(${operator}).by(__.constant(null)).sack()`)).toEqual([sack])
  })

  it("does not change a missing sack if it calculates", () => {
    for (const operator of ["sum", "minus", "mult", "div"]) {
      expect(given(`g.V(1).sack(${operator}).by(__.constant(2)).sack()`)).toEqual(["null"])
    }
    for (const operator of ["min", "max", "assign"]) {
      expect(given(`g.V(1).sack(${operator}).by(__.constant(2)).sack()`)).toEqual(["2"])
    }
    expect(() => given("g.V(1).sack(sumLong).by(__.constant(2L)).sack()")).toThrow("two Longs")
  })

  it("keeps the list of the sack after fold() created another list", () => {
    expect(given("g.withSack([1]).V(1, 2).fold().sack(addAll).sack()")).toEqual(["[1, v[1], v[2]]"])
    expect(given("g.withSack([1], addAll).V(1).values('age').fold().sack(addAll).sack()")).toEqual(["[1, 29]"])
  })

  it("has no effect in fold() and side effects", () => {
    expect(given("g.inject(1, 2, null).fold(1, sum)")).toEqual(["4"])
    expect(given("g.inject(null, 2).fold(1, min)")).toEqual(["1"])
    expect(given("g.inject(null, 2).fold(null, sum)")).toEqual(["null"])
    expect(given("g.withSideEffect('x', 0, sum).inject(1, null, 2).aggregate('x').cap('x')")).toEqual(["3"])
    expect(given("g.withSack(true).V(1).sack(and).by(__.constant(null)).sack()")).toEqual(["true"])
  })

  it("is refused by and, or and addAll if they cannot combine it", () => {
    expect(() => given("g.withSack(1).V(1).sack(and).by(__.constant(true)).sack()")).toThrow("two booleans")
    expect(() => given("g.withSack('a').V(1).sack(or).by(__.constant(true)).sack()")).toThrow("two booleans")
    expect(() => given("g.withSack([1]).V(1).sack(addAll).by(__.constant(2)).sack()")).toThrow("two collections")
  })
})

describe("A Float", () => {
  it("has its exact value as a Double in mean()", () => {
    expect(given("g.inject(1, 0.1f).mean()")).toEqual(["0.5500000007450581"])
    expect(given("g.inject(0.1f, 0.2f).mean()")).toEqual(["0.15000000223517418"])
    expect(given("g.inject(16777217, 0.5f).mean()")).toEqual(["8388608.75"])
    expect(given("g.inject([0.1f, 0.2f]).mean(Scope.local)")).toEqual(["0.15000000596046448"])
  })

  it("has a Float as its sum with an Int", () => {
    expect(given("g.inject(16777217, 0.5f).sum().is(16777216.0f).count()")).toEqual(["1"])
    expect(given("g.withSack(16777217).inject(0.5f).sack(sum).sack().is(16777216.0f).count()")).toEqual(["1"])
  })
})

describe("A collection", () => {
  it("that is a map has numbered entries after index()", () => {
    expect(given("g.inject([a: 1, b: 2]).index().unfold().map(__.unfold().tail(1)).fold()")).toEqual(["[0, 1]"])
    expect(given("g.inject([a: 1]).index().unfold().unfold().limit(1).select(keys)")).toEqual(["a"])
  })

  it("that is a bulk set counts repetitions in range(), limit() and tail(), which return a set", () => {
    const names = "g.V(1, 4).both().values('name').aggregate('x').cap('x')"
    expect(given(`${names}.count(Scope.local)`)).toEqual(["6"])
    expect(given(`g.V().both().values('name').aggregate('x').cap('x').limit(Scope.local, 2)`)).toEqual(["[lop]"])
    expect(given(`g.V().both().values('name').aggregate('x').cap('x').range(Scope.local, 1, 4)`)).toEqual([
      "[lop, vadas]"
    ])
    expect(given(`g.V().both().values('name').aggregate('x').cap('x').tail(Scope.local, 1)`)).toEqual(["[ripple]"])
  })
})

describe("A traversal in place of a value is refused", () => {
  it.each([
    "g.V().has('age', P.gt(__.V(1).values('age')))",
    "g.V().values('age').is(P.not(P.lt(__.V(1).values('age'))))",
    "g.V().values('age').is(__.V(1).values('age'))",
    "g.V().has('age', P.within(27, __.V(1).values('age')))",
    "g.V().has('age', P.between(__.V(1).values('age'), 40))",
    "g.V().has('age', P.eq(1).or(P.eq(__.V(1))))"
  ])("in a predicate: %s", (script) => {
    expect(() => given(script)).toThrow(/compares with a value, but was given a traversal/)
  })

  it.each([
    "g.inject(__.V(1)).unfold()",
    "g.inject([1, __.V(1)])",
    "g.inject(1).constant(__.V(1))",
    "g.inject([1]).combine([__.V(1)])",
    "g.inject([1]).merge([[__.V(1)]])",
    "g.inject([a: 1]).merge([a: __.V(1)])",
    "g.inject([1]).difference([__.V(1)])",
    "g.inject([1]).disjunct([__.V(1)])",
    "g.inject([1]).intersect([__.V(1)])",
    "g.inject([1]).product([__.V(1)])",
    "g.inject([1]).fold([__.V(1)], addAll)",
    "g.V().has('person', 'age', __.constant(29))",
    "g.V().has('age', [__.constant(29)])",
    "g.V().properties().hasValue(__.constant(29))",
    "g.V().hasId(__.constant(1))",
    "g.V().hasId([1, __.constant(2)])",
    "g.V(__.constant(1))",
    "g.V(1).as('i').V(select('i'))",
    "g.E([__.constant(7)])",
    "g.withSack(__.V(1)).V().sack()",
    "g.withSideEffect('x', __.V(1)).V().select('x')"
  ])("in %s", (script) => {
    expect(() => given(script)).toThrow(/takes values, but was given a traversal/)
  })
})

describe("A predicate in place of a value is refused", () => {
  it.each(["g.inject(gt5)", "g.inject([1, gt5])", "g.inject(1).constant(gt5)"])("in %s", (script) => {
    const variables = new Map<string, unknown>([["gt5", new P("gt", 5)]])
    expect(() => results(toy(), script, { variables })).toThrow(/takes values, but was given a predicate/)
  })
})

describe("sum()", () => {
  it("of equal traversers has the type that it has without a bulk", () => {
    const sum = (numbers: string) => run(toy(), `g.inject(${numbers}).barrier().sum()`)
    expect(sum("1b, 1b")).toEqual([new Byte(2)])
    expect(sum("1s, 1s, 1s")).toEqual([new Short(3)])
    expect(sum("100b, 100b")).toEqual([new Short(200)])
    expect(sum("30000s, 30000s")).toEqual([60_000])
    expect(sum("1, 1")).toEqual([2])
  })

  it("of a Byte is a Long if the bulk is no Byte", () => {
    expect(run(toy(), "g.inject(1b).repeat(__.union(__.identity(), __.identity())).times(8).barrier().sum()")).toEqual([
      256n
    ])
  })
})

describe("barrier()", () => {
  it("refuses a number of traversers below one", () => {
    expect(() => given("g.V().barrier(0)")).toThrow("barrier() needs at least one traverser, but was given 0")
    expect(given("g.V().barrier(1).count()")).toEqual(["6"])
  })
})
