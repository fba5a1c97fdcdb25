import { describe, expect, it } from "vitest"
import { Bytecode, Instruction } from "../../../../src/process/language/Bytecode.ts"
import { P } from "../../../../src/process/language/Predicate.ts"
import type { Vertex } from "../../../../src/structure/elements/Element.ts"
import { child, get, TestClosure } from "../../Closures.ts"
import { bytecodeOf, prepare, results, toy } from "../../run.ts"

const names = (script: string | Bytecode): ReadonlyArray<string> =>
  prepare(script).compiled.traversal.steps.map(({ name, labels }) => [name, ...labels].join("@"))

describe("Filter ranking", () => {
  it("sorts filters by cost, and moves them before dedup() and order()", () => {
    expect(names("g.V().order().by('age').dedup().where(__.out()).has('name', 'josh')")).toEqual([
      "GraphStep",
      "HasStep",
      "TraversalFilterStep",
      "DedupGlobalStep",
      "OrderGlobalStep"
    ])
    expect(names("g.V().dedup().limit(1).has('name', 'josh')").slice(1)).toEqual([
      "DedupGlobalStep",
      "RangeGlobalStep",
      "HasStep"
    ])
    expect(names("g.withoutStrategies(FilterRankingStrategy).V().dedup().hasLabel('person')")[1]).toBe(
      "DedupGlobalStep"
    )
  })

  it("is observable in the results of dedup().by()", () => {
    expect(results(toy(), "g.V().dedup().by(T.label).has('name', 'josh').values('name')")).toEqual(["josh"])
    expect(results(toy(), "g.V().order().by('name', Order.desc).dedup().by(T.label).values('name')")).toEqual([
      "marko",
      "lop"
    ])
  })

  it("moves labels to the last filter, but not past one that reads them", () => {
    expect(names("g.V().dedup().as('a').has('name', 'josh').select('a')").slice(0, 3)).toEqual([
      "GraphStep",
      "HasStep",
      "DedupGlobalStep@a"
    ])
    expect(names("g.V().as('a').out().dedup().as('b').where('b', P.neq('a')).select('a')").slice(1, 4)).toEqual([
      "VertexStep",
      "DedupGlobalStep@b",
      "WherePredicateStep"
    ])
  })

  it("lets filters pass both a filter that reads a label and the steps before it", () => {
    expect(names("g.V().as('a').out().dedup().as('b').where('b', P.neq('a')).has('name', 'ripple')").slice(2)).toEqual([
      "HasStep",
      "DedupGlobalStep@b",
      "WherePredicateStep"
    ])
    const tests = ["where('b', P.neq('a'))", "where('b', P.neq('a')).by('name')", "where(__.select('b').has('name'))"]
    for (const test of tests) {
      const script = `g.V().as('a').out().dedup().by(T.label).as('b').${test}.has('name', 'ripple').values('name')`
      expect(results(toy(), script)).toEqual(["ripple"])
    }
    expect(
      names("g.V().dedup().as('a').where(__.select('a')).as('b').where(__.select('b')).as('c').hasLabel('person')")
    ).toEqual(["GraphStep", "HasStep", "DedupGlobalStep@a", "TraversalFilterStep@b", "TraversalFilterStep@c"])
  })
})

describe("A filter that changes the sack", () => {
  const found = (filter: string): ReadonlyArray<unknown> =>
    results(toy(), `g.withSack(0).V().hasLabel('person').dedup().by(T.label).${filter}.values('name')`)

  it("stays behind dedup(), also as a part of another filter", () => {
    const sum = "__.sack(Operator.sum).by('age').sack()"
    for (const filter of [
      `filter(${sum}.is(P.gt(30)))`,
      `where(${sum}.is(P.gt(30)))`,
      `not(${sum}.is(P.lt(30)))`,
      `and(__.has('age'), ${sum}.is(P.gt(30)))`,
      `or(__.has('lang'), ${sum}.is(P.gt(30)))`,
      `where(__.union(${sum}, __.constant(0)).is(P.gt(30)))`
    ]) {
      expect(found(filter), filter).toEqual([])
    }
  })

  it("moves before dedup() if it only reads the sack", () => {
    expect(found("filter(__.project('a', 'b').by('age').by(__.sack()).select('a').is(P.gt(30)))")).toEqual(["josh"])
  })
})

describe("A filter that calls a closure", () => {
  const name = (of: unknown): unknown => (of as Vertex).properties(["name"])[0]!.value
  const isJosh = child(new TestClosure((it) => name(get(it)) === "josh"))
  const isPerson = child(new TestClosure((it) => (get(it) as Vertex).label === "person"))
  const label = child(new TestClosure((it) => (it as Vertex).label), "object")
  const traversal = (script: string, ...steps: ReadonlyArray<readonly [string, ...unknown[]]>): Bytecode =>
    new Bytecode(
      [],
      [...bytecodeOf(script).stepInstructions, ...steps.map(([operator, ...args]) => new Instruction(operator, args))]
    )
  const steps = (...all: ReadonlyArray<readonly [string, ...unknown[]]>): Bytecode =>
    new Bytecode(
      [],
      all.map(([operator, ...args]) => new Instruction(operator, args))
    )

  it("stays behind dedup() and order(), also as a part of another filter", () => {
    const filters: ReadonlyArray<readonly [string, ...unknown[]]> = [
      ["filter", isJosh],
      ["where", steps(["filter", isJosh])],
      ["where", steps(["map", child(new TestClosure((it) => (name(get(it)) === "josh" ? 1 : 0)))], ["is", 1])],
      ["or", steps(["filter", isJosh])],
      ["and", steps(["has", "age"]), steps(["filter", isJosh])]
    ]
    for (const filter of filters) expect(results(toy(), traversal("g.V().dedup().by(T.label)", filter))).toEqual([])
    expect(
      results(toy(), traversal("g.V().order().by('name', desc)", ["dedup"], ["by", label], ["values", "name"]))
    ).toEqual(["vadas", "ripple"])
  })

  it("is passed by later filters, as filter() with a closure is not", () => {
    const josh = ["has", "name", "josh"] as const
    const filters: ReadonlyArray<readonly [string, ...unknown[]]> = [
      ["where", steps(["filter", isPerson])],
      ["where", steps(["map", isPerson])]
    ]
    for (const filter of filters) {
      expect(results(toy(), traversal("g.V().dedup().by(T.label)", filter, josh, ["values", "name"]))).toEqual(["josh"])
    }
    expect(results(toy(), traversal("g.V().dedup().by(T.label)", ["filter", isPerson], josh))).toEqual([])
    expect(names(traversal("g.V()", ["dedup"], ["by", label], josh))).toEqual([
      "GraphStep",
      "HasStep",
      "DedupGlobalStep"
    ])
  })

  it("moves before dedup() if the closure gets objects only", () => {
    const last = new TestClosure((_, value) => value)
    const folds = ["where", steps(["values", "age"], ["fold", 0, last], ["is", new P("gt", 30)])] as const
    const people = "g.V().hasLabel('person').dedup().by(T.label)"
    expect(results(toy(), traversal(people, folds, ["values", "name"]))).toEqual(["josh"])
  })

  it("sees the labels of the steps before it", () => {
    const differ = child(new TestClosure((it) => get(it, "path", "a") !== get(it, "path", "b")))
    const found = ["lop", "vadas", "josh"]
    const script = "g.V(1).as('a').out().as('b')"
    expect(results(toy(), traversal(script, ["filter", differ], ["values", "name"]))).toEqual(found)
    const mapped = ["where", steps(["map", differ], ["is", true])] as const
    expect(results(toy(), traversal(script, mapped, ["values", "name"]))).toEqual(found)
  })
})
