import { describe, expect, it } from "vitest"
import type { Path } from "../../../../src/structure/elements/Path.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { run, toy } from "../../run.ts"

const found = (script: string): ReadonlyArray<string> => run(toy(), script).map(text).sort()

describe("match()", () => {
  it("accepts alternatives whose labels are bound by other patterns", () => {
    const either = "__.or(__.as('b').has('name', 'lop'), __.as('b').has('age', P.gt(30)))"
    const names = ["josh", "lop", "lop", "lop"]
    expect(found(`g.V().match(__.as('a').out().as('b'), ${either}).select('b').values('name')`)).toEqual(names)
    expect(found(`g.V().match(${either}, __.as('a').out().as('b')).select('b').values('name')`)).toEqual(names)
  })

  it("binds a variable to one object by Java's equals(): numbers of two types differ", () => {
    const bound = (one: string, other: string): number =>
      found(`g.inject('x').match(__.as('a').constant(${one}).as('b'), __.as('a').constant(${other}).as('b'))`).length
    expect(["1", "1L", "2.5d", "'x'", "[1]", "NaN"].map((value) => bound(value, value))).toEqual([1, 1, 1, 1, 1, 1])
    expect([bound("1", "1L"), bound("1.0d", "1"), bound("[1]", "[1L]"), bound("0b", "0n")]).toEqual([0, 0, 0, 0])
    expect([bound("0.0d", "-0.0d"), bound("1.0m", "1.00m")]).toEqual([0, 0])
  })

  it("takes a list for the label of as()", () => {
    const bound = (pattern: string) =>
      run(toy(), `g.V(1).match(${pattern}).select('a', 'b')`, {
        variables: new Map([
          ["x", ["a"]],
          ["y", ["b"]]
        ])
      }).map(text)
    expect(bound("__.as(x).out('created').as(y)")).toEqual(["{a=v[1], b=v[3]}"])
    expect(bound("__.as('a').out().as('b'), __.not(__.as(y).hasLabel('person'))")).toEqual(["{a=v[1], b=v[3]}"])
    expect(bound("__.as('a', null).out('created').as('b')")).toEqual(["{a=v[1], b=v[3]}"])
    const two = { variables: new Map([["x", ["a", "c"]]]) }
    expect(() => run(toy(), "g.V(1).match(__.as(x).out().as('b'))", two)).toThrow("has a and c")
  })

  it("returns the results of alternatives in the order of the rows", () => {
    const either = "__.or(__.as('a').out('knows').as('b'), __.as('a').out('created').as('b'))"
    const script = `g.V(1).as('a').out().as('b').match(__.as('a').label().as('l'), ${either}).select('b').values('name')`
    expect(run(toy(), script)).toEqual(run(toy(), "g.V(1).out().values('name')"))
  })

  it("adds the objects of its patterns to complete paths", () => {
    const script = "g.V().match(__.as('a').out('knows').as('b'), __.as('b').out('created').as('c')).path()"
    expect(run(toy(), `${script}.unfold().dedup().count()`).map(text)).toEqual(["6"])
    const paths = run(toy(), script) as ReadonlyArray<Path>
    expect(paths[0]!.objects.slice(0, -1).map(text)).toEqual(["v[1]", "v[1]", "v[4]", "v[4]", "v[5]"])
    expect(paths[0]!.labels.map((labels) => [...labels].join())).toEqual(["a", "", "b", "", "c", ""])
  })

  it("binds the labels that steps of a pattern read before it evaluates them", () => {
    const created = "__.as('a').out('created').as('c')"
    const friends = ["{a=v[1], b=v[2], c=v[3]}", "{a=v[1], b=v[4], c=v[3]}"]
    for (const pattern of [
      "__.as('a').out('knows').where(P.neq('c')).as('b')",
      "__.as('a').out('knows').as('b').where(P.neq('c'))",
      "__.as('a').out('knows').and(__.where(P.neq('c'))).as('b')",
      "__.as('a').out('knows').filter(__.where('c', P.neq('a'))).as('b')"
    ]) {
      const bound = pattern.includes("as('b').where") ? "'a', 'c'" : "'a', 'b', 'c'"
      const expected = bound === "'a', 'c'" ? ["{a=v[1], c=v[3]}", "{a=v[1], c=v[3]}"] : friends
      expect(found(`g.V().match(${pattern}, ${created}).select(${bound})`)).toEqual(expected)
      expect(found(`g.V().match(${created}, ${pattern}).select(${bound})`)).toEqual(expected)
    }
    expect(
      found("g.V().match(__.as('a').values('age').math('_ + c').as('b'), __.as('a').out().count().as('c'))")
    ).toEqual(["{a=v[1], b=32.0, c=3}", "{a=v[2], b=27.0, c=0}", "{a=v[4], b=34.0, c=2}", "{a=v[6], b=36.0, c=1}"])
    expect(() => found("g.V().match(__.as('a').out().where(P.neq('b')).as('b'))")).toThrow("has a b-key")
  })

  it("keeps labels from inside a pattern, and continues from them", () => {
    expect(found("g.V(1).match(__.as('a').out('created').as('x').in().as('b')).select('x')")).toEqual([
      "v[3]",
      "v[3]",
      "v[3]"
    ])
    expect(
      found("g.V(4).match(__.as('a').out().as('x').in('created').as('b'), __.as('x').in('knows').as('c'))")
    ).toEqual([])
    expect(
      found(
        "g.V(1).match(__.as('a').out().as('x').out().as('b'), __.as('x').in('knows').as('c')).select('x', 'b', 'c')"
      )
    ).toEqual(["{x=v[4], b=v[3], c=v[1]}", "{x=v[4], b=v[5], c=v[1]}"])
  })

  it("keeps the variables of a match() inside of a pattern", () => {
    const nested = "__.as('a').match(__.as('a').in('knows').as('d'))"
    expect(found(`g.V().match(${nested}).select('a', 'd')`)).toEqual(["{a=v[2], d=v[1]}", "{a=v[4], d=v[1]}"])
    expect(found(`g.V().match(${nested}, __.as('d').out('created').as('e')).select('a', 'd', 'e')`)).toEqual([
      "{a=v[2], d=v[1], e=v[3]}",
      "{a=v[4], d=v[1], e=v[3]}"
    ])
    const later = "__.as('a').match(__.as('b').in('created').as('d'))"
    const expected = ["{a=v[4], b=v[5], d=v[4]}"]
    for (const patterns of [
      `${later}, __.as('a').out('created').as('b')`,
      `__.as('a').out('created').as('b'), ${later}`
    ]) {
      expect(found(`g.V(4).match(${patterns}).where('b', neq('a')).select('a', 'b', 'd')`)).toEqual(
        expect.arrayContaining(expected)
      )
    }
  })

  it("binds a label that steps of a pattern use and do not give to its result", () => {
    const creators = (walk: string) =>
      found(`g.V().match(__.as('a').${walk}.as('b'), __.as('b').in('created').as('x')).select('a', 'b', 'x')`)
    const inner = "__.match(__.as('a').out('knows').as('x'))"
    const expected = creators("out('created')")
    expect(expected).toHaveLength(10)
    for (const walk of [
      `sideEffect(${inner}).out('created')`,
      "sideEffect(__.out('knows').as('x')).out('created')",
      "flatMap(__.out('created').as('x'))",
      "coalesce(__.out('created').as('x'), __.out('knows'))"
    ]) {
      expect(creators(walk), walk).toEqual(expected)
    }
    expect(creators(`not(${inner}).out('created')`)).toHaveLength(7)
  })

  it("binds a label for those results of a pattern that do not have it from the steps of the pattern", () => {
    const walk = "union(__.out('created').as('x'), __.out('knows'))"
    expect(found(`g.V().match(__.as('a').${walk}.as('b'), __.as('b').in().as('x')).select('a', 'b', 'x')`)).toEqual([
      "{a=v[1], b=v[2], x=v[1]}",
      "{a=v[1], b=v[4], x=v[1]}"
    ])
    const branch = "optional(__.out('created').as('x'))"
    expect(found(`g.V(2, 5, 6).match(__.as('a').${branch}.as('b'), __.as('b').in().as('x')).select('a', 'x')`)).toEqual(
      ["{a=v[2], x=v[1]}", "{a=v[5], x=v[4]}"]
    )
    const nested = "map(__.match(__.as('a').out('knows').as('x')))"
    expect(() => found(`g.V().match(__.as('a').${nested}.as('b'), __.as('x').out().as('y'))`)).toThrow("is unsolvable")
  })

  it("keeps its bindings on complete paths if a pattern has a reducing barrier", () => {
    const counts = "g.V(1, 2).match(__.as('a').out('created').count().as('b'))"
    const path = ["path[v[1], v[1], 1, {a=v[1], b=1}]", "path[v[2], v[2], 0, {a=v[2], b=0}]"]
    expect(found(`${counts}.path()`)).toEqual(path)
    expect(found(`${counts}.select('a', 'b').path().count(Scope.local)`)).toEqual(["5", "5"])
    expect(found("g.V(1).match(__.as('a').out().count().as('b'), __.as('a').in().count().as('c')).path()")).toEqual([
      "path[v[1], v[1], 3, v[1], 0, {a=v[1], b=3, c=0}]"
    ])
    expect(
      found("g.V(1).match(__.as('a').out().count().is(P.gt(0)), __.as('a').out('created').as('c')).path()")
    ).toEqual(["path[v[1], v[1], 3, v[1], v[3], {a=v[1], c=v[3]}]"])
    expect(found("g.V(1).match(__.as('a').out().fold().count(Scope.local).as('b')).path()")).toEqual([
      "path[v[1], v[1], 3, {a=v[1], b=3}]"
    ])
    expect(found("g.V(1).match(__.as('a').local(__.out().count()).as('b'), __.as('b').is(3)).path()")).toEqual([
      "path[v[1], v[1], 3, 3, {a=v[1], b=3}]"
    ])
    expect(found("g.V(1).as('q').out('created').match(__.as('a').in().count().as('b')).select('q', 'a', 'b')")).toEqual(
      ["{q=v[1], a=v[3], b=3}"]
    )
  })

  it("continues with the sacks of its patterns, and with those of its rows after a reducing barrier", () => {
    const sack = "g.withSack(1).V(1).sack(sum).by(__.constant(1))"
    const more = "sack(sum).by(__.constant(5))"
    expect(found(`${sack}.match(__.as('a').out('created').${more}.as('b')).sack()`)).toEqual(["7"])
    expect(found(`${sack}.match(__.as('a').out('created').${more}.count().as('b')).sack()`)).toEqual(["2"])
  })

  it("returns results of an endless pattern", () => {
    const endless = "__.repeat(__.both()).emit()"
    const first = (script: string) => run(toy(), script, { mostCalls: 25_000 }).map(text)
    expect(first("g.V().match(__.as('a').repeat(__.both()).emit().as('b')).limit(3)")).toEqual([
      "{a=v[1], b=v[3]}",
      "{a=v[1], b=v[2]}",
      "{a=v[1], b=v[4]}"
    ])
    expect(
      first(`g.V().match(__.as('a').flatMap(${endless}).as('b'), __.as('b').has('name', 'josh')).limit(3).count()`)
    ).toEqual(["3"])
    expect(first(`g.V().where(__.match(__.as('a').flatMap(${endless}).as('b'))).count()`)).toEqual(["6"])
    expect(
      first(`g.V().match(__.as('a').local(${endless}).as('b'), __.as('b').local(${endless}).as('c')).limit(5).count()`)
    ).toEqual(["5"])
  })

  it("reports a label that no pattern binds", () => {
    expect(() =>
      found("g.V().match(__.as('a').out().as('b'), __.as('c').in().as('a'), __.as('a').in().as('c'))")
    ).not.toThrow()
    expect(() => found("g.V().as('a').match(__.as('a').out().as('b'), __.as('c').in().as('d'))")).toThrow(
      "The provided match pattern is unsolvable: nothing binds c"
    )
  })
  it("refuses patterns that name no variable", () => {
    for (const pattern of ["__.where(__.out())", "__.not(__.out())", "__.and(__.where(__.out()), __.as('a').in())"]) {
      expect(() => found(`g.V().match(__.as('a'), ${pattern})`), pattern).toThrow("names a variable, but a")
    }
    expect(() => found("g.V().match(__.as('a'), __.out())")).toThrow("but one begins with out()")
    expect(found("g.V().match(__.as('a'), __.not(__.as('a').out())).count()")).toEqual(["3"])
  })
})
