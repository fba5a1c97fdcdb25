import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { results, run, toy } from "../run.ts"

const answers = (script: string) => results(toy(), script)
const failing = (script: string) => () => run(toy(), script)

describe("union()", () => {
  it("gives the results of a traverser together, branch by branch", () => {
    expect(answers('g.V(1, 4).union(out("created"), values("name"))')).toEqual([
      "v[3]",
      "marko",
      "v[5]",
      "v[3]",
      "josh"
    ])
  })

  it("works branch by branch where one of them has a barrier", () => {
    expect(answers("g.V(1, 4).union(out().fold(), in())")).toEqual(["[v[3], v[2], v[4], v[5], v[3]]", "v[1]"])
    expect(answers("g.V().union(values('age').sum(), out('x').count())")).toEqual(["123", "0"])
  })

  it("reduces for those who entered, and for nobody when nobody came", () => {
    expect(answers("g.V().local(union(outE('knows').count(), inE('knows').count()))")).toHaveLength(12)
    expect(answers('g.V().has("x", 1).union(count())')).toEqual([])
    expect(answers('g.V().local(choose(hasLabel("software"), in().fold(), constant("person")))')).toEqual([
      "person",
      "person",
      "[v[1], v[4], v[6]]",
      "person",
      "[v[4]]",
      "person"
    ])
  })

  it("starts traversals", () => {
    expect(answers("g.union(V(1), inject(7)).path()")).toEqual(["path[v[1]]", "path[7]"])
    expect(answers("g.union()")).toEqual([])
    expect(answers("g.union(union(V(1)), V(2).out()).count()")).toEqual(["1"])
    expect(answers("g.union(identity(), constant(1))")).toEqual(["1"])
  })

  it("takes labels for the results of its branches", () => {
    expect(answers('g.V(1).as("a").union(out("created"), out("knows")).as("b").select("a", "b").by("name")')).toEqual([
      "{a=marko, b=lop}",
      "{a=marko, b=vadas}",
      "{a=marko, b=josh}"
    ])
  })
})

describe("choose()", () => {
  it("goes one of two ways, or past when there is one", () => {
    expect(answers('g.V().choose(hasLabel("person"), values("age"), values("lang"))')).toEqual([
      "29",
      "27",
      "java",
      "32",
      "java",
      "35"
    ])
    expect(answers('g.V().choose(has("name", "vadas"), values("name"))')).toEqual([
      "v[1]",
      "vadas",
      "v[3]",
      "v[4]",
      "v[5]",
      "v[6]"
    ])
    expect(answers('g.V().values("age").choose(P.lt(30), constant("young"), constant("old"))')).toEqual([
      "young",
      "young",
      "old",
      "old"
    ])
  })

  it("takes the first option that meets the value", () => {
    const options = 'option(P.lt(30), constant("a")).option(P.lt(33), constant("b"))'
    expect(answers(`g.V().hasLabel("person").choose(values("age")).${options}`)).toEqual(["a", "a", "b", "v[6]"])
    expect(answers(`g.V().choose(values("age")).${options}.option(Pick.none, constant("c"))`)).toEqual([
      "a",
      "a",
      "v[3]",
      "b",
      "v[5]",
      "c"
    ])
    expect(answers(`g.V().choose(values("age")).${options}.option(Pick.unproductive, label())`)).toEqual([
      "a",
      "a",
      "software",
      "b",
      "software",
      "v[6]"
    ])
    expect(answers('g.V().choose(T.label).option("software", constant("s")).option(Pick.none, discard())')).toEqual([
      "s",
      "s"
    ])
  })

  it("is equal across kinds of numbers", () => {
    expect(answers('g.V(1).choose(out().count()).option(3, constant("three"))')).toEqual(["three"])
  })

  it("lets traversers of all rows meet at the barriers of an option", () => {
    expect(answers('g.V().choose(hasLabel("person"), out().order().by("name").limit(1), identity())')).toEqual([
      "v[4]",
      "v[3]",
      "v[5]"
    ])
  })

  it("refuses what would take a traverser twice", () => {
    expect(failing("g.V().choose(label()).option(Pick.any, out())")).toThrow("can not have an any-option")
    expect(failing('g.V().choose(label()).option(is("x"), out())')).toThrow("Traversal is not allowed as a Pick token")
  })
})

describe("branch()", () => {
  it("goes every way that the value meets, and Pick.any in any case", () => {
    const branch = 'g.V(1, 3).branch(label()).option("person", values("age")).option("person", values("name"))'
    expect(answers(branch)).toEqual(["29", "marko"])
    expect(answers(`${branch}.option(Pick.any, constant("x")).option(Pick.none, constant("?"))`)).toEqual([
      "x",
      "29",
      "marko",
      "x",
      "?"
    ])
    expect(
      answers('g.V().branch(identity()).option(has("name", "vadas"), values("age")).option(P.neq(1), bothE().count())')
    ).toEqual(["27", "12"])
  })
})

describe("coalesce(), optional(), local(), flatMap(), map()", () => {
  it("take what the first traversal gives for each traverser", () => {
    expect(answers('g.V().coalesce(out("knows").values("name"), values("lang"), constant("none"))')).toEqual([
      "vadas",
      "josh",
      "none",
      "java",
      "none",
      "java",
      "none"
    ])
  })

  it("keep the traverser where an optional traversal gives nothing", () => {
    expect(answers('g.V().optional(out("knows")).path()')).toEqual([
      "path[v[1], v[2]]",
      "path[v[1], v[4]]",
      "path[v[2]]",
      "path[v[3]]",
      "path[v[4]]",
      "path[v[5]]",
      "path[v[6]]"
    ])
  })

  it("show the way inside local(), and hide it inside flatMap(), map() and coalesce()", () => {
    const inner = 'out("created").in("created").has("name", "peter")'
    expect(answers(`g.V(1).local(${inner}).path()`)).toEqual(["path[v[1], v[3], v[6]]"])
    expect(answers(`g.V(1).flatMap(${inner}).path()`)).toEqual(["path[v[1], v[6]]"])
    expect(answers(`g.V(1).map(${inner}).path()`)).toEqual(["path[v[1], v[6]]"])
    expect(answers(`g.V(1).coalesce(${inner}).path()`)).toEqual(["path[v[1], v[6]]"])
  })

  it("keep labels given inside local()", () => {
    expect(answers('g.V(4).local(out("created").as("b")).select("b").by("name")')).toEqual(["ripple", "lop"])
  })

  it("take merged traversers apart where the child has effects", () => {
    expect(answers("g.V().in().barrier().local(count())")).toHaveLength(6)
    expect(answers('g.V().in().barrier().local(aggregate("x")).cap("x")')).toEqual(["{v[1]=3, v[4]=2, v[6]=1}"])
  })

  it("keep sacks that change inside local(), and not those that change inside flatMap()", () => {
    expect(answers('g.withSack(1).V(1).local(sack(sum).by("age")).sack()')).toEqual(["30"])
    expect(answers('g.withSack(1).V(1).flatMap(sack(sum).by("age")).sack()')).toEqual(["1"])
  })

  it("filter what map() has no value for", () => {
    expect(answers('g.V().map(values("age"))')).toEqual(["29", "27", "32", "35"])
  })

  it("run a side effect to its end before the traverser goes on", () => {
    expect(answers('g.V(1).sideEffect(out().aggregate("x")).select("x").unfold().count()')).toEqual(["3"])
    const graph = toyGraph("modern")
    run(graph, 'g.V(1).sideEffect(out().property("seen", true)).iterate()')
    expect(results(graph, 'g.V().has("seen", true).count()')).toEqual(["3"])
  })
})
