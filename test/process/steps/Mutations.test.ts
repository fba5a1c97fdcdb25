import { describe, expect, it } from "vitest"
import { P } from "../../../src/process/language/Predicate.ts"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { text } from "../../../src/structure/texts/Text.ts"
import { prepare, run, runLater } from "../run.ts"

/** Runs traversals in order on a new modern graph, and returns the results of the last one. */
const last = (...scripts: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const graph = toyGraph("modern")
  return scripts.map((script) => run(graph, script, { as: text })).at(-1)!
}

/** A predicate among the bindings of a request. The syntax of scripts has none in these places. */
const variables = new Map<string, unknown>([["gt5", new P("gt", 5)]])

const unproductive = "The provided traverser does not map to a value"

describe("A traversal as an argument of property(), addV() or addE()", () => {
  it("must have a result", () => {
    for (const script of [
      "g.V(1).property('x', __.values('nope'))",
      "g.V(1).property(__.values('nope'), 1)",
      "g.V(1).property('age', 1, 'acl', __.values('nope'))",
      "g.V(1).addV(__.values('nope'))",
      "g.addV('x').property('name', __.V(1).values('nope'))",
      "g.V(1).addE(__.values('nope')).to(__.V(2))",
      "g.V(1).addE('x').to(__.V(2)).property('a', __.values('nope'))"
    ]) {
      expect(() => last(script), script).toThrow(unproductive)
    }
  })

  it("must return a string for a label", () => {
    expect(() => last("g.addV(__.constant(null))")).toThrow("Label can not be null")
    expect(() => last("g.addV(__.constant(1))")).toThrow(
      "addV() takes a string as its label, but was given the number 1"
    )
    expect(last("g.addV(__.V(1).label()).label()")).toEqual(["person"])
  })
})

describe("property() of a vertex property", () => {
  it("returns the property with its new meta-properties", () => {
    expect(last("g.V(1).properties('name').property('acl', 'x').properties().value()")).toEqual(["x"])
    expect(last("g.V(1).properties('name').property('acl', 'x').property('acl', 'y').values('acl')")).toEqual(["y"])
    expect(last("g.V(1).properties('name').as('a').property('acl', 'x').select('a').values('acl')")).toEqual(["x"])
    expect(last("g.V(1).properties('name').property('acl', 'x')", "g.V(1).properties('name').values('acl')")).toEqual([
      "x"
    ])
  })
})

describe("option() of mergeV() with a cardinality", () => {
  const merged = (option: string): ReadonlyArray<unknown> =>
    last(`g.mergeV([(T.id): 1]).${option}.properties('age').value()`)

  it("applies to the values of its map that have no cardinality", () => {
    expect(merged("option(Merge.onMatch, [age: 5], Cardinality.list)")).toEqual(["29", "5"])
    expect(merged("option(Merge.onMatch, [age: 29], Cardinality.set)")).toEqual(["29"])
    expect(merged("option(Merge.onMatch, [age: 5], Cardinality.single)")).toEqual(["5"])
    expect(merged("option(Merge.onMatch, [age: single(5)], Cardinality.list)")).toEqual(["5"])
    expect(last("g.mergeV([(T.id): 99]).option(Merge.onCreate, [a: 1], Cardinality.list).values('a')")).toEqual(["1"])
  })

  it("is refused after mergeE()", () => {
    expect(() =>
      last("g.mergeE([(Direction.OUT): 1, (Direction.IN): 2]).option(Merge.onMatch, [a: 1], Cardinality.list)")
    ).toThrow("option() with the Cardinality argument can only be used following mergeV()")
  })
})

describe("A traversal in an option of mergeV() and mergeE()", () => {
  it("must have a result", () => {
    const edge = "mergeE([(T.label): 'knows', (Direction.OUT): 1, (Direction.IN): 2])"
    const absent = "mergeE([(T.label): 'knows', (Direction.OUT): 2, (Direction.IN): 1])"
    for (const script of [
      "g.mergeV([name: 'marko']).option(Merge.onMatch, __.values('nope'))",
      "g.mergeV([name: 'nobody']).option(Merge.onCreate, __.V(1).values('nope'))",
      `g.${edge}.option(Merge.onMatch, __.values('nope'))`,
      `g.${absent}.option(Merge.onCreate, __.V(1).values('nope'))`
    ]) {
      expect(() => last(script), script).toThrow("returned no map")
    }
  })

  it("is not evaluated for the option that does not apply", () => {
    expect(last("g.mergeV([name: 'marko']).option(Merge.onCreate, __.V(1).values('nope')).values('age')")).toEqual([
      "29"
    ])
  })
})

describe("onMatch of mergeV() and mergeE()", () => {
  it("changes only the elements that later steps request", () => {
    const changed = (script: string): ReadonlyArray<unknown> => last(script, "g.V().has('x').id()")
    const merge = "mergeV([:]).option(Merge.onMatch, [x: 1])"
    // limit() stops the preceding steps at the first traverser above its limit.
    expect(changed(`g.${merge}.limit(1)`)).toEqual(["1", "2"])
    expect(changed(`g.${merge}.limit(2)`)).toEqual(["1", "2", "3"])
    expect(changed(`g.V(4).project('a').by(__.${merge})`)).toEqual(["1"])
    expect(changed(`g.V(4).where(__.${merge})`)).toEqual(["1"])
    expect(changed(`g.${merge}.iterate()`)).toHaveLength(6)
    expect(
      last("g.V(1).where(__.mergeE([(T.label): 'created']).option(Merge.onMatch, [x: 1]))", "g.E().has('x').count()")
    ).toEqual(["1"])
  })

  it("changes an element after later steps processed the preceding one", () => {
    const names = "g.mergeV([:]).option(Merge.onMatch, __.project('x').by(__.V().has('x').count()))"
    expect(last(`${names}.values('x')`)).toEqual(["0", "1", "2", "3", "4", "5"])
    const drops = "g.mergeV([:]).option(Merge.onMatch, __.project('x').by(__.V().count())).sideEffect(__.drop())"
    expect(last(`${drops}.count()`)).toEqual(["6"])
  })
})

describe("group('key') inside a child", () => {
  it("evaluates a value traversal that writes once for each traverser", () => {
    const added = (step: string): ReadonlyArray<unknown> =>
      last(`g.inject(1, 2, 3).${step}.iterate()`, "g.V().hasLabel('new').count()")
    const group = "__.group('x').by(__.identity()).by(__.addV('new'))"
    expect(added(`where(${group})`)).toEqual(["3"])
    expect(added(`local(${group})`)).toEqual(["3"])
    expect(added(`order().by(${group})`)).toEqual(["3"])
  })

  it("has the value of the last traverser for each key", () => {
    const group = "__.group('x').by(__.math('_ % 2')).by(__.math('_ * 10'))"
    expect(last(`g.inject(1, 2, 3, 4).local(${group}).cap('x').unfold()`)).toEqual(["1.0=30.0", "0.0=40.0"])
  })
})

describe("addV() after local()", () => {
  it("adds a vertex for each traverser, also for equal ones that met before local()", () => {
    const added = (child: string) =>
      last(`g.V().values('lang').barrier().local(${child}).addV('copy')`, "g.V().hasLabel('copy').count()")
    expect(last("g.V().values('lang').barrier().addV('copy')", "g.V().hasLabel('copy').count()")).toEqual(["1"])
    expect(added("identity()")).toEqual(["2"])
    expect(added("limit(1)")).toEqual(["2"])
    expect(added("union(identity(), identity())")).toEqual(["4"])
  })
})

describe("A first step that adds an element", () => {
  it("evaluates the traversals of its arguments for null", () => {
    expect(last("g.addV('a').property('x', __.identity()).valueMap()")).toEqual(["{}"])
    expect(() => last("g.addV(__.identity())")).toThrow("Label can not be null")
  })
})

describe("mergeV() with very many matching vertices", () => {
  it("returns all of them, and applies onMatch to each", async () => {
    const graph = toyGraph("modern")
    for (let i = 0; i < 12; i++) await runLater(graph, "g.V().addV('a')")
    const all = (await runLater(graph, "g.V()")).length
    expect(all).toBe(6 * 2 ** 12)
    expect(await runLater(graph, "g.mergeV([:])")).toHaveLength(all)
    const same = "g.mergeV(null).option(Merge.onMatch, [x: 1]).has('x', 1)"
    expect(await runLater(graph, same)).toHaveLength(all)
    const own = "g.mergeV(null).option(Merge.onMatch, __.project('x').by(T.label)).has('x', 'a')"
    expect(await runLater(graph, own)).toHaveLength(all - 6)
  })
})

describe("The value of a property", () => {
  it("must not be a predicate, a token or bytecode", () => {
    expect(() => last("g.mergeV([name: P.gt('a')])")).toThrow(
      "A property holds a value, but name was given a predicate"
    )
    expect(() => last("g.addV().property('name', T.id)")).toThrow("A property holds a value, but name was given T.id")
  })

  it("must not hold a predicate, also not in a list or as a meta-property", () => {
    const kept = (script: string) => () => run(toyGraph("modern"), script, { as: text, variables })
    expect(kept("g.addV().property('a', [gt5])")).toThrow("A property holds values, but a was given a list with")
    expect(kept("g.addV().property('a', 1, 'b', gt5)")).toThrow("A property holds a value, but b was given a predicate")
    expect(kept("g.addV().property('a', 1, 'b', T.id)")).toThrow("A property holds a value, but b was given T.id")
    expect(kept("g.V().properties().property('b', [gt5])")).toThrow("A property holds values, but b was given a list")
  })
})

describe("The id of a new element", () => {
  it.each([
    "g.addV().property(T.id, gt5)",
    "g.addV().property(T.id, [gt5])",
    "g.addV().property('a', 1, T.id, gt5)",
    "g.V(1).addE('x').to(__.V(2)).property(T.id, gt5)",
    "g.mergeV([name: 'x']).option(Merge.onCreate, [(T.id): gt5])",
    "g.mergeE([(T.label): 'x', (Direction.OUT): 1, (Direction.IN): 2]).option(Merge.onCreate, [(T.id): gt5])"
  ])("must not be a predicate: %s", (script) => {
    expect(() => run(toyGraph("modern"), script, { as: text, variables })).toThrow(
      /^An id is a value, but was given a (predicate|list)$/
    )
  })
})

describe("drop() of neighbours", () => {
  it("is visible to the next read of neighbours", () => {
    expect(last("g.V().both().drop()", "g.V().values('name')")).toEqual(["marko", "ripple", "peter"])
    expect(last("g.V().out().drop()", "g.V().count()")).toEqual(["3"])
    expect(last("g.V().bothE().drop()", "g.E().count()")).toEqual(["0"])
  })

  it("is visible to the children of preceding steps", () => {
    expect(last("g.V().where(__.in()).drop()", "g.V().values('name')")).toEqual(["marko", "ripple", "peter"])
    expect(last("g.V().not(__.in()).drop()", "g.V().values('name')")).toEqual(["lop"])
    expect(last("g.V().where(inE().count().is(0)).drop()", "g.V().values('name')")).toEqual(["lop"])
    expect(last("g.V().union(out()).drop()", "g.V().count()")).toEqual(["3"])
    const lessThanBefore = "g.V().filter(V().count().is(gt(2))).drop()"
    expect(last(lessThanBefore, "g.V().values('name')")).toEqual(["ripple", "peter"])
  })
})

describe("drop() behind steps that may find an element several times", () => {
  const dropping = "sideEffect(__.properties('age').drop())"

  it.each([
    "V(1, 1).has('age')",
    "V(1).as('v').union(__.identity(), __.identity()).has('age')",
    "V(1).as('v').outE().select('v').has('age')",
    "E().hasLabel('knows').as('e').V(1).has('age')"
  ])("is visible to the filters before it: %s", (found) => {
    expect(last(`g.${found}.${dropping}.count()`)).toEqual(["1"])
  })

  it("is visible to the other branches, and to side effects of its own traversal", () => {
    const chosen = "choose(__.has('age'), __.sideEffect(__.properties('age').drop()).constant('a'), __.constant('b'))"
    expect(last(`g.V(1, 1).${chosen}`)).toEqual(["a", "b"])
    const counted =
      "sideEffect(__.has('age').aggregate(Scope.local, 'x').properties('age').drop()).cap('x').count(local)"
    expect(last(`g.V(1, 1).${counted}`)).toEqual(["1"])
  })

  it("runs in batches where each element comes once, or nothing shows that it comes again", () => {
    for (const script of [
      "g.V().has('age').sideEffect(__.properties('age').drop()).count()",
      "g.V().hasId(1).has('age').sideEffect(__.properties('age').drop()).count()",
      "g.V(1, 1).has('age').properties('age').drop()",
      "g.V(1, 1).sideEffect(__.properties('age').drop()).count()",
      "g.V().outE().has('weight').sideEffect(__.properties('weight').drop()).count()"
    ]) {
      expect(prepare(script).plan.sequential, script).toBe(false)
    }
  })
})

describe("subgraph()", () => {
  it("accepts only edges", () => {
    expect(() => last("g.V().subgraph('s').cap('s')")).toThrow(
      "subgraph() collects edges, but the traverser is at a Vertex"
    )
  })
})

describe("mergeV() and mergeE() under PartitionStrategy", () => {
  const inPartition = (name: string) =>
    `g.withStrategies(new PartitionStrategy(partitionKey: 'p', writePartition: '${name}', readPartitions: ['${name}']))`
  const contents = "g.V().has('p').order().by('name').valueMap('name', 'p')"

  it("write to the partition, for every value of its key in onCreate", () => {
    const create = `${inPartition("a")}.mergeV([name: 'x']).option(Merge.onCreate, [p: 'b', age: 1])`
    expect(last(`${create}.values('p', 'age')`)).toEqual(["a", "1"])
    const edge = `${inPartition("a")}.mergeE([(Direction.OUT): 1, (Direction.IN): 2]).option(Merge.onCreate, [p: 'b'])`
    expect(last(`${edge}.values('p')`)).toEqual(["a"])
  })

  it("do not move an element to another partition by onMatch", () => {
    const found = `${inPartition("a")}.mergeV([name: 'x'])`
    for (const option of ["[p: 'b', age: 1]", "__.constant([p: 'b', age: 1])"]) {
      expect(last(found, `${found}.option(Merge.onMatch, ${option})`, contents)).toEqual(["{name=[x], p=[a]}"])
    }
  })
})

describe("A vertex property that is the object of a traverser", () => {
  const changed = "g.V(1).properties('name').sideEffect(__.property('acl', 1))"
  it.each([
    ["valueMap()", ["{acl=1}"]],
    ["values('acl')", ["1"]],
    ["properties('acl').value()", ["1"]],
    ["has('acl', 1).value()", ["marko"]],
    ["has('acl').value()", ["marko"]],
    ["project('a').by('acl')", ["{a=1}"]],
    ["elementMap('acl').select('acl')", ["1"]]
  ])("has the meta-properties that a child added: %s", (step, expected) => {
    expect(last(`${changed}.${step}`)).toEqual(expected)
  })

  it("has no meta-properties after it was dropped", () => {
    const held = "g.V(1).properties('name').property('acl', 1).as('p').V(1)"
    expect(last(`${held}.sideEffect(__.properties('name').drop()).select('p').valueMap()`)).toEqual(["{}"])
    expect(last(`${held}.sideEffect(__.properties('name').properties().drop()).select('p').valueMap()`)).toEqual(["{}"])
  })
})
