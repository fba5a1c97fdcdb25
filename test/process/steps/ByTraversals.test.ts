import { describe, expect, it } from "vitest"
import { results, toy } from "../run.ts"

const given = (script: string): ReadonlyArray<string> => results(toy(), script)
const OUT = "g.V(1).as('a').out('created').as('b')"

describe("by(traversal) for an object of the path or of a collection does not have the traverser's history", () => {
  it.each([
    ["g.V(1).out('created').path().by(__.path())", ["path[path[v[1]], path[v[3]]]"]],
    ["g.V(1).out('created').path().by(__.out().path())", []],
    ["g.V(1).outE('created').inV().path().from('x').by(__.path())", null],
    [`${OUT}.select('a', 'b').by(__.path())`, ["{a=path[v[1]], b=path[v[3]]}"]],
    [`${OUT}.select('a').by(__.path())`, ["path[v[1]]"]],
    [`${OUT}.select('a').by(__.out('created').path())`, ["path[v[1], v[3]]"]],
    [`${OUT}.select(__.constant('a')).by(__.path())`, ["path[v[1]]"]],
    [`${OUT}.tree().by(__.path())`, ["{path[v[1]]={path[v[3]]={}}}"]],
    [`${OUT}.valueMap('name').by(__.path())`, ["{name=path[[lop]]}"]],
    [`${OUT}.propertyMap('name').by(__.path())`, ["{name=path[[vp[name->lop]]]}"]],
    [`${OUT}.math('a + b').by(__.path().count(Scope.local))`, ["2.0"]],
    [`${OUT}.dedup('b').by(__.path().count(Scope.local)).count()`, ["1"]],
    ["g.V().as('a').out().as('b').dedup('b').by(__.path()).count()", ["4"]],
    ["g.V().as('a').out().as('b').where('a', eq('b')).by(__.path().count(Scope.local)).count()", ["6"]],
    ["g.V().out().in().cyclicPath().by(__.path().tail(Scope.local)).count()", ["6"]],
    ["g.V().out().in().simplePath().by(__.path().limit(Scope.local, 1)).count()", ["6"]]
  ])("in its path(): %s", (script, expected) => {
    if (expected === null) expect(() => given(script)).toThrow(/path from-label: x/)
    else expect(given(script)).toEqual(expected)
  })

  it.each(["path()", "select('a', 'b')", "select('a')", "where('a', eq('b'))", "dedup('b')"])(
    "in its labels, so that select() finds nothing: %s",
    (step) => {
      expect(given(`g.V().as('a').out().as('b').${step}.by(__.select('a'))`)).toEqual([])
    }
  )

  it("in order(local), where select() finds no label", () => {
    const collected = "g.V().as('c').aggregate('x').select('x').limit(1).order(Scope.local)"
    expect(given(`${collected}.by(__.select('c'))`)).toEqual(["[]"])
    expect(given(`${collected}.by(__.path().count(Scope.local)).count(Scope.local)`)).toEqual(["6"])
  })

  it("in tree(), valueMap() and math(), and in where() inside it", () => {
    expect(given(`${OUT}.tree().by(__.coalesce(__.select('a'), __.constant('none')))`)).toEqual(["{none={none={}}}"])
    expect(given(`${OUT}.valueMap('name').by(__.select('a'))`)).toEqual(["{}"])
    expect(given(`${OUT}.math('b - a').by(__.select('a').values('age'))`)).toEqual([])
    expect(given(`${OUT}.in().simplePath().by(__.select('a')).count()`)).toEqual(["0"])
    expect(given(`${OUT}.select('a').by(__.where(__.select('b')))`)).toEqual([])
    expect(() => given(`${OUT}.select('a').by(__.where(__.out().as('b')))`)).toThrow(/b-key/)
  })

  it("in its sack, which has the initial value", () => {
    const more = "g.withSack(7).V(1).sack(sum).by(__.constant(1)).as('a')"
    expect(given(`${more}.out('created').path().by(__.sack())`)).toEqual(["path[7, 7]"])
    expect(given(`${more}.select('a').by(__.sack())`)).toEqual(["7"])
    expect(given(`${more}.branch(__.identity()).option(__.sack().is(8), __.constant('x'))`)).toEqual([])
  })

  it("in the loop counter of repeat()", () => {
    expect(given("g.V(1).as('a').repeat(__.out('created').math('a + 1').by(__.loops())).times(1)")).toEqual(["1.0"])
    expect(() => given("g.V(1).as('a').repeat('n', __.out('created').select('a').by(__.loops('n'))).times(1)")).toThrow(
      /Loop name not defined: n/
    )
  })

  it("in options of branch() that are traversals", () => {
    expect(
      given(`${OUT}.branch(__.identity()).option(__.select('a'), __.constant('x')).option(Pick.none, __.constant('y'))`)
    ).toEqual(["y"])
  })

  it("but has it if the object is the traverser itself", () => {
    expect(given(`${OUT}.project('x').by(__.path())`)).toEqual(["{x=path[v[1], v[3]]}"])
    expect(given(`${OUT}.math('_ + a').by(__.path().count(Scope.local))`)).toEqual(["3.0"])
    expect(given(`${OUT}.where(eq('a')).by(__.path().count(Scope.local))`)).toEqual([])
    expect(given(`${OUT}.group().by(__.select('a')).by(__.path())`)).toEqual(["{v[1]=path[v[1], v[3]]}"])
    expect(given(`${OUT}.order().by(__.select('a').values('name')).values('name')`)).toEqual(["lop"])
    expect(given(`${OUT}.dedup().by(__.select('a')).values('name')`)).toEqual(["lop"])
    expect(given(`${OUT}.aggregate('x').by(__.path()).cap('x')`)).toEqual(["{path[v[1], v[3]]=1}"])
    expect(given(`${OUT}.sack(assign).by(__.select('a')).sack()`)).toEqual(["v[1]"])
  })
})

describe("by() of valueMap()", () => {
  it("also applies to the tokens", () => {
    expect(given("g.V(1).valueMap('name').with(WithOptions.tokens).by(__.constant(7))")).toEqual([
      "{id=7, label=7, name=7}"
    ])
    expect(given("g.V(1).valueMap('name').with(WithOptions.tokens).by(__.is('person'))")).toEqual(["{label=person}"])
    expect(given("g.V(1).valueMap('name').with(WithOptions.tokens).by(__.unfold())")).toEqual([
      "{id=1, label=person, name=marko}"
    ])
  })

  it("does not apply to tokens in propertyMap(), which has none", () => {
    expect(given("g.E(7).propertyMap().with(WithOptions.tokens).by(__.count())")).toEqual(["{weight=1}"])
  })
})
