import { describe, expect, it } from "vitest"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { results, run, toy } from "../run.ts"

const answers = (script: string) => results(toy(), script)
const failing = (script: string) => () => run(toy(), script)

describe("union()", () => {
  it("returns the results of each traverser together, in the order of the branches", () => {
    expect(answers('g.V(1, 4).union(out("created"), values("name"))')).toEqual([
      "v[3]",
      "marko",
      "v[5]",
      "v[3]",
      "josh"
    ])
  })

  it("evaluates one branch after the other if one of them has a barrier", () => {
    expect(answers("g.V(1, 4).union(out().fold(), in())")).toEqual(["[v[3], v[2], v[4], v[5], v[3]]", "v[1]"])
    expect(answers("g.V().union(values('age').sum(), out('x').count())")).toEqual(["123", "0"])
  })

  it("reduces the traversers of each branch, and returns nothing without traversers", () => {
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

  it("may be the first step", () => {
    expect(answers("g.union(V(1), inject(7)).path()")).toEqual(["path[v[1]]", "path[7]"])
    expect(answers("g.union()")).toEqual([])
    expect(answers("g.union(union(V(1)), V(2).out()).count()")).toEqual(["1"])
    expect(answers("g.union(identity(), constant(1))")).toEqual(["1"])
  })

  it("labels the results of its branches", () => {
    expect(answers('g.V(1).as("a").union(out("created"), out("knows")).as("b").select("a", "b").by("name")')).toEqual([
      "{a=marko, b=lop}",
      "{a=marko, b=vadas}",
      "{a=marko, b=josh}"
    ])
  })
})

describe("choose()", () => {
  it("takes one of two branches, or keeps the traverser if there is only one", () => {
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

  it("takes the first option that matches the value", () => {
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

  it("compares numbers of different types by value", () => {
    expect(answers('g.V(1).choose(out().count()).option(3, constant("three"))')).toEqual(["three"])
  })

  it("collects traversers of all rows at the barriers of an option", () => {
    expect(answers('g.V().choose(hasLabel("person"), out().order().by("name").limit(1), identity())')).toEqual([
      "v[4]",
      "v[3]",
      "v[5]"
    ])
  })

  it("refuses options that would take a traverser twice", () => {
    expect(failing("g.V().choose(label()).option(Pick.any, out())")).toThrow("can not have an any-option")
    expect(failing('g.V().choose(label()).option(is("x"), out())')).toThrow("Traversal is not allowed as a Pick token")
  })
})

describe("branch()", () => {
  it("takes every option that matches the value, and Pick.any always", () => {
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
  it("return the results of their traversal for each traverser", () => {
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

  it("keep the traverser if an optional traversal has no result", () => {
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

  it("add the path inside local(), and not the path inside flatMap(), map() and coalesce()", () => {
    const inner = 'out("created").in("created").has("name", "peter")'
    expect(answers(`g.V(1).local(${inner}).path()`)).toEqual(["path[v[1], v[3], v[6]]"])
    expect(answers(`g.V(1).flatMap(${inner}).path()`)).toEqual(["path[v[1], v[6]]"])
    expect(answers(`g.V(1).map(${inner}).path()`)).toEqual(["path[v[1], v[6]]"])
    expect(answers(`g.V(1).coalesce(${inner}).path()`)).toEqual(["path[v[1], v[6]]"])
  })

  it("keep labels from inside local()", () => {
    expect(answers('g.V(4).local(out("created").as("b")).select("b").by("name")')).toEqual(["ripple", "lop"])
  })

  it("evaluate merged traversers one by one if the child has side effects", () => {
    expect(answers("g.V().in().barrier().local(count())")).toHaveLength(6)
    expect(answers('g.V().in().barrier().local(aggregate("x")).cap("x")')).toEqual(["{v[1]=3, v[4]=2, v[6]=1}"])
  })

  it("keep changes of sacks inside local(), and drop those inside flatMap()", () => {
    expect(answers('g.withSack(1).V(1).local(sack(sum).by("age")).sack()')).toEqual(["30"])
    expect(answers('g.withSack(1).V(1).flatMap(sack(sum).by("age")).sack()')).toEqual(["1"])
  })

  it("drop a traverser for which map() has no value", () => {
    expect(answers('g.V().map(values("age"))')).toEqual(["29", "27", "32", "35"])
  })

  it("complete a side effect before the traverser continues", () => {
    expect(answers('g.V(1).sideEffect(out().aggregate("x")).select("x").unfold().count()')).toEqual(["3"])
    const graph = toyGraph("modern")
    run(graph, 'g.V(1).sideEffect(out().property("seen", true)).iterate()')
    expect(results(graph, 'g.V().has("seen", true).count()')).toEqual(["3"])
  })
})

describe("A branch of union() that only passes its traversers", () => {
  it("gives them in the order of the branches", () => {
    const order = ["path[v[4], v[5]]", "path[v[4], v[3]]", "path[v[4]]"]
    for (const branch of ["identity()", "identity().identity()", "identity().as('x')"]) {
      expect(results(toy(), `g.V(4).union(out(), ${branch}).path()`), branch).toEqual(order)
    }
    expect(results(toy(), "g.V(4).union(identity(), out()).path()")).toEqual([order[2], order[0], order[1]])
  })
})

describe("choose() by a Column", () => {
  it("compares the keys or the values of each map", () => {
    const chosen = (column: string, key: string) =>
      answers(
        `g.inject([a: 1], [b: 2]).choose(${column}).option(P.eq(${key}), constant('first')).option(none, constant('other'))`
      )
    expect(chosen("Column.keys", "{'a'}")).toEqual(["first", "other"])
    expect(chosen("values", "[2]")).toEqual(["other", "first"])
  })
})
