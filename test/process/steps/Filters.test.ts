import { describe, expect, it } from "vitest"
import { P } from "../../../src/process/language/Predicate.ts"
import { GremlinSet } from "../../../src/structure/collections/Collections.ts"
import { results, run, toy, unordered } from "../run.ts"

const answers = (script: string) => results(toy(), script)
const sorted = (script: string) => unordered(toy(), script)
const failing = (script: string) => () => run(toy(), script)

describe("has()", () => {
  it("compares properties, labels and ids, and tests the presence of a key", () => {
    expect(answers('g.V().has("age", P.gt(30)).values("name")')).toEqual(["josh", "peter"])
    expect(answers('g.V().has("software", "name", "lop")')).toEqual(["v[3]"])
    expect(answers('g.V().has("age").count()')).toEqual(["4"])
    expect(answers('g.V().hasNot("age").values("name")')).toEqual(["lop", "ripple"])
    expect(answers("g.V().hasLabel('person').hasId(4, 6)")).toEqual(["v[4]", "v[6]"])
  })

  it("matches nothing for a key that is null", () => {
    expect(answers('g.V().has(null, "x")')).toEqual([])
    expect(answers("g.V().has(null)")).toEqual([])
    expect(answers("g.V().hasLabel(null)")).toEqual([])
    expect(answers("g.V().hasId(null)")).toEqual([])
  })

  it("accepts lists of ids, elements instead of ids, and ids as strings", () => {
    expect(answers("g.V().hasId([1, 2], 4)")).toEqual(["v[1]", "v[2]", "v[4]"])
    expect(answers("g.V().out().hasId('2')")).toEqual(["v[2]"])
    expect(answers("g.V().hasId(1, 1)")).toEqual(["v[1]"])
    expect(answers("g.V().hasId([])")).toEqual([])
  })

  it("compares the quoted ids of a negation with the texts of ids", () => {
    for (const start of ["g.V()", "g.V().out().in().dedup()"]) {
      const found = (predicate: string) => sorted(`${start}.hasLabel('person').hasId(${predicate})`)
      expect(found("P.not(P.within('1', '2'))")).toEqual(["v[4]", "v[6]"])
      expect(found("P.not(P.eq('1'))")).not.toContain("v[1]")
      expect(found("P.not(P.without('1', '2'))")).toContain("v[1]")
      expect(found("P.not(TextP.startingWith('1'))")).not.toContain("v[1]")
    }
    expect(answers("g.V().has(T.id, P.not(P.within('1', null)))").length).toBe(5)
    expect(answers("g.E().hasId(P.not(P.eq('7'))).count()")).toEqual(["5"])
  })

  it("compares each quoted id of and() with the texts of ids directly after V(), and those of or() with ids", () => {
    expect(answers("g.V().hasId(P.neq('1').and(P.neq('2')).and(P.neq(3)))")).toEqual(["v[4]", "v[5]", "v[6]"])
    expect(answers("g.V().hasId(P.between('1', '3'))")).toEqual(["v[1]", "v[2]"])
    expect(answers("g.V().hasId(P.inside('1', '3'))")).toEqual(["v[2]"])
    expect(answers("g.V().hasId(P.within('1', '2').and(P.neq(2)))")).toEqual(["v[1]"])
    expect(answers("g.V(1, 2).hasId(P.neq('1').and(P.neq('3')))")).toEqual(["v[2]"])
    expect(answers("g.V().match(__.as('a').hasId(P.inside('1', '3'))).select('a')")).toEqual(["v[2]"])
    expect(answers("g.V().hasId(P.outside('1', '5'))")).toEqual([])
    expect(answers("g.V().hasId(P.eq('1').or(P.eq('2')))")).toEqual([])
    expect(answers("g.V(1).out().hasId(P.between('2', '4'))")).toEqual([])
  })

  it("compares the quoted bounds of a range that is a part of a predicate with the texts of ids directly after V()", () => {
    const table: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["P.between('1', '3').and(P.neq('2'))", ["v[1]"]],
      ["P.inside('1', '5').and(P.neq('2'))", ["v[3]", "v[4]"]],
      ["P.not(P.outside('1', '3'))", ["v[1]", "v[2]", "v[3]"]],
      ["P.not(P.not(P.between('1', '3')))", ["v[1]", "v[2]"]],
      ["P.between('1', 3).and(P.neq('2'))", ["v[1]"]],
      ["P.between('1', '3').or(P.eq('5'))", []]
    ]
    for (const [predicate, ids] of table) {
      expect(answers(`g.V().hasId(${predicate})`), predicate).toEqual(ids)
      expect(answers(`g.V().match(__.as('a').hasId(${predicate})).select('a')`), predicate).toEqual(ids)
    }
  })

  it("takes the name of a type for a quoted id, and the lists in a negated within() as they are", () => {
    expect(answers("g.V().hasId(P.not(P.typeOf('Integer'))).count()")).toEqual(["6"])
    expect(answers("g.V().hasId(P.neq(1).and(P.typeOf('Integer')))")).toEqual([])
    expect(answers("g.V().hasId(P.neq(1).and(P.typeOf(GType.INT))).count()")).toEqual(["5"])
    expect(answers("g.V().hasId(P.not(P.within([1, 2], [3]))).count()")).toEqual(["6"])
    expect(answers("g.V().hasId(P.not(P.within(['1', '2']))).count()")).toEqual(["4"])
  })

  it("compares with the ids that variables hold in a range and in a negation", () => {
    const variables = new Map([
      ["x", "1"],
      ["y", "3"]
    ])
    expect(results(toy(), "g.V().hasId(P.between(x, y))", { variables })).toEqual(["v[1]", "v[2]"])
    expect(results(toy(), "g.V().hasId(P.between(x, y).and(P.neq('2')))", { variables })).toEqual(["v[1]"])
    expect(results(toy(), "g.V().hasId(P.not(P.without(x, y)))", { variables })).toEqual(["v[1]", "v[3]"])
  })

  it("reads the accessor of a constant of T as the constant", () => {
    expect(answers("g.V().has('~id', 1)")).toEqual(["v[1]"])
    expect(answers("g.V().has('~label', 'person').count()")).toEqual(["4"])
    expect(answers("g.V().has('~label', neq('person')).count()")).toEqual(["2"])
    expect(answers("g.V().has('person', '~id', '2')")).toEqual(["v[2]"])
    expect(answers("g.V().properties().has('~key', 'name').count()")).toEqual(["6"])
    expect(answers("g.V().properties().has('~value', 'marko').count()")).toEqual(["1"])
    expect(answers("g.V().has('~label')")).toEqual([])
  })

  it("accepts a list, a set or one value in the variable of within()", () => {
    const found = (script: string, x: unknown) => results(toy(), script, { variables: new Map([["x", x]]) })
    for (const labels of [["software"], new GremlinSet(["software"]), "software"]) {
      expect(found("g.V().hasLabel(within(x))", labels)).toEqual(["v[3]", "v[5]"])
      expect(found("g.V().has(T.label, within(x)).count()", labels)).toEqual(["2"])
    }
    for (const names of [["lop"], new GremlinSet(["lop"]), "lop"]) {
      expect(found("g.V().has('name', within(x))", names)).toEqual(["v[3]"])
    }
    expect(found("g.V().has('name', within(x))", null)).toEqual([])
  })

  it("compares with the lists in the list of within(), also where a variable has one of them or a member of one", () => {
    const found = (script: string, x: unknown) => results(toy(), script, { variables: new Map([["x", x]]) })
    expect(found("g.inject(1, [1, 2]).is(within([x]))", [1, 2])).toEqual(["[1, 2]"])
    expect(found("g.inject(1, [1, 2]).is(without([x]))", [1, 2])).toEqual(["1"])
    expect(found("g.inject(5, [5, 1]).is(within([[x, 1]]))", 5)).toEqual(["[5, 1]"])
    expect(found("g.inject([5, 1], [[5, 1]]).is([[x, 1]])", 5)).toEqual(["[[5, 1]]"])
    expect(found("g.V().has('name', within([x])).count()", ["lop"])).toEqual(["0"])
  })

  it("tests the keys and values of properties", () => {
    expect(sorted('g.V().properties().hasKey("age").hasValue(P.gt(30)).value()')).toEqual(["32", "35"])
    expect(answers('g.V(1).hasKey("age")')).toEqual([])
    const keys = (x: unknown) =>
      results(toy(), "g.V().properties().hasKey(x).count()", { variables: new Map([["x", x]]) })
    expect(keys(["name", "age"])).toEqual(["10"])
    expect(keys(null)).toEqual(["0"])
    expect(keys(new P("eq", "age"))).toEqual(["4"])
    for (const wrong of [1, true, ["age", 1]]) {
      expect(() => keys(wrong)).toThrow("hasKey() takes a string as its property key, but was given the ")
    }
  })

  it("fails for values that are not elements", () => {
    expect(failing('g.V().values("age").has("name", "x")')).toThrow("needs an element")
  })
})

describe("and(), or(), not()", () => {
  it("evaluate each traversal only for undecided rows", () => {
    expect(answers('g.V().and(out("created"), out("knows")).values("name")')).toEqual(["marko"])
    expect(answers('g.V().or(in("knows"), hasLabel("software")).values("name")')).toEqual([
      "vadas",
      "lop",
      "josh",
      "ripple"
    ])
    expect(answers("g.V().not(out()).values('name')")).toEqual(["vadas", "lop", "ripple"])
  })

  it("may be written between steps, where and() has precedence", () => {
    expect(answers('g.V().where(out("created").and().out("knows").or().in("knows")).values("name")')).toEqual([
      "marko",
      "vadas",
      "josh"
    ])
    expect(answers('g.V().has("name", "marko").or().has("name", "josh")')).toEqual(["v[1]", "v[4]"])
    // The filter also applies to the values of inject().
    expect(answers("g.V(1).inject(7).and()")).toEqual(["7", "v[1]"])
    expect(answers('g.V(1).inject(7).as("a").is(7).or().is(8)')).toEqual(["7"])
    expect(failing('g.V(1).inject(7).and().has("name")')).toThrow("has() needs an element")
  })
})

describe("where()", () => {
  it("compares with the objects of labels", () => {
    expect(answers('g.V(1).as("a").out("created").in("created").where(P.neq("a")).values("name")')).toEqual([
      "josh",
      "peter"
    ])
    expect(
      answers('g.V().as("a").out("created").in("created").as("b").where("a", P.gt("b")).by("age").count()')
    ).toEqual(["3"])
  })

  it("compares with entries of the current map first", () => {
    const maps = 'g.V().as("a").out().as("b").select("a", "b")'
    expect(answers(`${maps}.where("a", P.eq("b")).count()`)).toEqual(["0"])
    expect(answers(`${maps}.where("a", P.neq("b")).count()`)).toEqual(["6"])
  })

  it("evaluates traversals from one label to another", () => {
    expect(
      answers('g.V().as("a").out().in().as("b").where(__.as("a").out("knows").as("b")).select("a", "b").by("name")')
    ).toEqual(["{a=marko, b=josh}"])
  })

  it("accepts between(), inside() and outside() with two labels, each with its by()", () => {
    const ages =
      "g.V(1).as('a').values('age').as('x').select('a').out('knows').values('age').as('y')" +
      ".select('a').out('knows').values('age').as('z')"
    const kept = (predicate: string) => answers(`${ages}.where('x', ${predicate}).select('y', 'z')`)
    expect(kept("P.between('y', 'z')")).toEqual(["{y=27, z=32}"])
    expect(kept("P.inside('y', 'z')")).toEqual(["{y=27, z=32}"])
    expect(kept("P.outside('y', 'z')")).toEqual(["{y=27, z=27}", "{y=32, z=27}", "{y=32, z=32}"])
    expect(kept("P.not(P.between('y', 'z'))")).toEqual(["{y=27, z=27}", "{y=32, z=27}", "{y=32, z=32}"])
    expect(kept("P.eq('y').or(P.between('y', 'z'))")).toEqual(["{y=27, z=32}"])
    const known = "g.V(1).as('a').out('knows').as('b').V(6).as('c')"
    expect(answers(`${known}.where(P.outside('a', 'b')).by('age').select('b')`)).toEqual(["v[2]", "v[4]"])
    expect(answers(`${known}.where('a', P.inside('b', 'c')).by('age').by('age').by('age').select('b')`)).toEqual([
      "v[2]"
    ])
    expect(failing(`${known}.where('a', P.between('b', 'd'))`)).toThrow("has a d-key")
    expect(failing(`${known}.where('a', P.between('b', 3))`)).toThrow("takes a label")
    expect(answers("g.V().as('a').out().as('b').in().as('c').where('b', P.between('a', 'c')).count()")).toEqual(["2"])
  })

  it("compares with collections in side effects", () => {
    expect(answers('g.V(1).out().aggregate("x").out().where(P.without("x"))')).toEqual(["v[5]"])
  })

  it("reports a missing label, and a value in place of a label", () => {
    expect(failing('g.V().where(P.eq("nobody"))')).toThrow("Neither the map, sideEffects, nor path has a nobody-key")
    expect(failing("g.V().values('age').where(P.gt(30))")).toThrow("Use is()")
  })
})

describe("dedup()", () => {
  it("keeps the first of equal objects", () => {
    expect(answers("g.V().both().dedup().values('name')")).toEqual(["lop", "vadas", "josh", "marko", "peter", "ripple"])
    expect(answers("g.inject(1, 1L, 1.0d, 1).dedup()")).toEqual(["1", "1", "1.0"])
  })

  it("compares the values of modulators and labels, and drops rows without a value", () => {
    expect(answers('g.V().dedup().by("age").values("name")')).toEqual(["marko", "vadas", "josh", "peter"])
    expect(answers("g.V().dedup().by(T.label).values('name')")).toEqual(["marko", "lop"])
    expect(answers('g.V().as("a").both().as("b").dedup("a", "b").by(T.label).count()')).toEqual(["3"])
    expect(failing('g.V().dedup().by("a").by("b")')).toThrow("Dedup step can only have one by modulator")
  })

  it("restarts for each traverser of a child, but not for each iteration of a loop", () => {
    expect(answers("g.V().local(both().both().dedup().count())")).toEqual(["5", "3", "5", "5", "3", "3"])
    expect(answers("g.V().repeat(dedup()).times(2).count()")).toEqual(["0"])
  })

  it("converts a collection to a set with Scope.local", () => {
    expect(answers("g.inject([1, 2, 1]).dedup(local)")).toEqual(["[1, 2]"])
  })
})

describe("limit(), skip(), range(), tail()", () => {
  it("limit the traversers", () => {
    expect(answers("g.V().limit(2)")).toEqual(["v[1]", "v[2]"])
    expect(answers("g.V().skip(4)")).toEqual(["v[5]", "v[6]"])
    expect(answers("g.V().range(1, 3)")).toEqual(["v[2]", "v[3]"])
    expect(answers("g.V().tail(2)")).toEqual(["v[5]", "v[6]"])
    expect(answers("g.V().limit(0)")).toEqual([])
    expect(answers("g.V().range(2, -1).count()")).toEqual(["4"])
  })

  it("count traversers, not rows", () => {
    expect(answers("g.V().both().barrier().limit(4)")).toHaveLength(4)
    expect(answers("g.V().both().barrier().tail(4)")).toHaveLength(4)
    expect(answers("g.V().both().barrier().range(3, 7)")).toHaveLength(4)
  })

  it("return a part of a collection as a collection of the same type", () => {
    expect(answers("g.inject([1, 2, 3]).limit(local, 1)")).toEqual(["[1]"])
    expect(answers("g.inject([1, 2, 3]).tail(local)")).toEqual(["[3]"])
    expect(answers("g.inject([1, 2, 3]).range(local, 5, 6)")).toEqual(["[]"])
    expect(answers("g.inject(7).limit(local, 1)")).toEqual(["7"])
  })

  it("restart for each traverser of a child, and for each iteration of a loop", () => {
    expect(answers("g.V().local(out().limit(1))")).toEqual(["v[3]", "v[5]", "v[3]"])
    expect(answers("g.V().local(both().tail(1)).count()")).toEqual(["6"])
    expect(answers("g.V(5).repeat(limit(1).in()).times(2).values('name')")).toEqual(["marko"])
  })

  it("refuse a range whose end is before its beginning", () => {
    expect(failing("g.V().range(2, 1)")).toThrow("Not a legal range: [2, 1]")
  })
})

describe("simplePath() and cyclicPath()", () => {
  it("test the whole path or a part of it", () => {
    expect(answers('g.V(1).out("created").in("created").simplePath()')).toEqual(["v[4]", "v[6]"])
    expect(answers('g.V(1).out("created").in("created").cyclicPath().path()')).toEqual(["path[v[1], v[3], v[1]]"])
    expect(
      answers('g.V(1).as("a").out("created").as("b").in("created").as("c").cyclicPath().from("a").to("b")')
    ).toEqual([])
    expect(answers('g.V(1).both().both().cyclicPath().by("age")')).toEqual(["v[1]", "v[1]"])
  })
})

describe("sample(), coin()", () => {
  const seeded = "g.withStrategies(SeedStrategy(seed: 999999))"

  it("select the same with a seed as Gremlin Server", () => {
    expect(answers(`${seeded}.V().order().by("name").coin(0.5)`)).toEqual(["v[4]"])
    expect(answers("g.V().coin(0.0)")).toEqual([])
    expect(answers("g.V().coin(1).count()")).toEqual(["6"])
  })

  it("select the requested number, or all if there are fewer", () => {
    expect(run(toy(), "g.V().sample(2)")).toHaveLength(2)
    expect(run(toy(), "g.V().sample(20)")).toHaveLength(6)
    expect(run(toy(), 'g.V().local(outE().sample(1).by("weight"))')).toHaveLength(3)
    expect(run(toy(), "g.V().both().barrier().sample(5)")).toHaveLength(5)
    expect(failing('g.V().sample(1).by("age").by(T.id)')).toThrow("Sample step can only have one by modulator")
    expect(failing('g.V().sample(1).by("name")')).toThrow("needs a number")
    expect(failing("g.V().sample(3).by(constant(0))")).toThrow("but only 0 of the candidates have such a weight")
    expect(failing("g.with('seed', 1).V().sample(3).by(constant(-1))")).toThrow("weights above 0")
    expect(run(toy(), "g.V().sample(6).by(constant(0))")).toHaveLength(6)
  })
})

describe("all(), any(), none(), discard()", () => {
  it("test the members of collections", () => {
    expect(answers("g.inject([1, 2], [3]).all(P.lt(3))")).toEqual(["[1, 2]"])
    expect(answers("g.inject([1, 2], [3]).any(P.eq(2))")).toEqual(["[1, 2]"])
    expect(answers("g.inject([1, 2], [3], []).none(P.lt(3))")).toEqual(["[3]", "[]"])
    expect(answers("g.inject(7).none(P.eq(8))")).toEqual([])
  })

  it("drop every traverser in discard()", () => {
    expect(answers("g.V().discard()")).toEqual([])
    expect(answers("g.V().discard().fold()")).toEqual(["[]"])
  })
})

describe("where() of a traversal that ends with a label", () => {
  it("compares with the label if the traversal begins with and(), or() or not()", () => {
    const kept = (step: string): ReadonlyArray<string> => sorted(`g.V().as('a').both().where(${step}.as('a')).count()`)
    for (const step of ["or(identity())", "and(identity())", "not(values('nope'))"]) expect(kept(step)).toEqual(["0"])
    expect(sorted("g.V(1).as('a').out('created').in('created').where(or(identity()).as('a')).id()")).toEqual(["1"])
    expect(failing("g.V(1).where(or(identity()).as('b'))")).toThrow("b-key")
  })
})

describe("select() of a traversal", () => {
  it("uses the label if the object is a map without the key", () => {
    expect(answers("g.V(1).valueMap('name').as('b').select(constant('b')).select('name')")).toEqual(["[marko]"])
    expect(answers("g.V(1).values('name').as('b').project('b').select(constant('b'))")).toEqual(["marko"])
    expect(answers("g.V(1).valueMap('name').select(constant('b'))")).toEqual([])
  })
})
