import { afterEach, describe, expect, it, vi } from "vitest"
import { toyGraph } from "../../../../src/storage/memory/ToyGraphs.ts"
import { GremlinMap } from "../../../../src/structure/collections/Collections.ts"
import { text } from "../../../../src/structure/texts/Text.ts"
import { run, toy } from "../../run.ts"

/** The result of group('x') in a child over `numbers` numbers, and how often any map was written. */
const grouped = (numbers: number, steps: string) => {
  const list = Array.from({ length: numbers }, (_, i) => i)
  const writes = vi.spyOn(GremlinMap.prototype, "set")
  const [map] = run(toy(), `g.inject(list).unfold().local(${steps}).cap('x')`, { variables: new Map([["list", list]]) })
  return { map: map as GremlinMap, writes: writes.mock.calls.length }
}

describe("group('key') that receives traversers one by one", () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each([
    "__.group('x')",
    "__.group('x').by(__.math('_ % 7'))",
    "__.group('x').by().by(__.count())",
    "__.group('x').by(__.constant('a')).by(__.groupCount())",
    "__.group('x').by(__.constant('a')).by(__.group().by(__.math('_ % 7')))"
  ])("does not copy what it has collected: %s", (steps) => {
    const { writes } = grouped(1000, steps)
    expect(writes).toBeGreaterThan(999)
    expect(writes).toBeLessThan(6000)
  })

  it("keeps what a reader has got, in a traversal that writes", () => {
    const graph = toyGraph("modern")
    const script =
      "g.V().local(__.group('x').by(__.constant('a')).by(T.id)).sideEffect(__.addV('c').property('n', __.select('x').select('a')))"
    run(graph, script)
    const lists = run(graph, "g.V().hasLabel('c').values('n')", { as: text })
    expect(lists).toEqual(["[1]", "[1, 2]", "[1, 2, 3]", "[1, 2, 3, 4]", "[1, 2, 3, 4, 5]", "[1, 2, 3, 4, 5, 6]"])
  })

  it("never contains itself", () => {
    const [map] = run(toy(), "g.V(1, 2).local(__.group('x').by(T.id).by(__.select('x'))).cap('x')", { as: text })
    expect(map).toEqual("{1={}, 2={1={}}}")
    const [lists] = run(toy(), "g.V(1, 2).local(__.map(__.select('x')).group('x').by(__.constant('a'))).cap('x')", {
      as: text
    })
    expect(lists).toEqual("{a=[{}, {a=[{}]}]}")
  })

  it("adds to a map that the traversal gives, and leaves this map as it is", () => {
    const given = new GremlinMap([["a", [0]]])
    const variables = new Map([["given", given]])
    const script = "g.withSideEffect('x', given).V(1, 2).local(__.group('x').by(__.constant('a')).by(T.id)).cap('x')"
    expect(run(toy(), script, { variables, as: text })).toEqual(["{a=[0, 1, 2]}"])
    expect(text(given)).toEqual("{a=[0]}")
  })

  it("joins the lists of two steps", () => {
    const step = "group('x').by(__.constant('a')).by(T.id)"
    expect(run(toy(), `g.V(1, 2).local(__.${step}.${step}).cap('x')`, { as: text })).toEqual(["{a=[1, 1, 2, 2]}"])
    expect(
      run(toy(), "g.V(1, 2).local(__.group('x').by(__.constant('a')).by(__.V(3).fold())).cap('x')", { as: text })
    ).toEqual(["{a=[v[3], v[3]]}"])
  })
})

describe("group('key') in a child, whose results of two parts cannot be joined,", () => {
  const list = Array.from({ length: 3000 }, (_, i) => i)
  const variables = new Map([["list", list]])
  const given = (traversal: string) => run(toy(), traversal, { as: text })

  it.each(["local", "sideEffect"])("runs its value traversal once for all rows: %s", (parent) => {
    for (const [by, expected] of [
      ["__.mean()", "1499.5"],
      ["__.order().by(desc).fold().limit(local, 1)", "[2999]"],
      ["__.dedup().order().limit(2).count()", "2"]
    ]) {
      const traversal = `g.inject(list).unfold().${parent}(__.group('x').by(__.constant('a')).by(${by})).cap('x').select('a')`
      // If the value traversal ran for all rows each time, these would be millions of calls in local().
      expect(run(toy(), traversal, { variables, as: text, mostCalls: 100_000 }), by).toEqual([expected])
    }
  })

  it.each([
    [
      "g.V().hasLabel('person').local(__.group('x').by(T.label).by(__.values('age').mean())).select('x').select('person')"
    ],
    [
      "g.V().hasLabel('person').local(__.group('x').by(T.label).by(__.values('age').mean()))" +
        ".select(__.constant('x')).select('person')"
    ],
    ["g.V().hasLabel('person').local(__.group('x').by(T.label).by(__.values('age').mean()).cap('x')).select('person')"],
    [
      "g.V().hasLabel('person').local(__.group('x').by(T.label).by(__.values('age').mean()))" +
        ".map(__.cap('x')).select('person')"
    ]
  ])("shows the map of the rows so far to each reader: %s", (traversal) => {
    expect(given(traversal)).toEqual(["29.0", "28.0", "29.333333333333332", "30.75"])
  })

  it("fails as a whole although nobody reads the map", () => {
    const failing = (end: string) => () =>
      given(`g.V().local(__.group('x').by(T.label).by(__.values('name').mean()))${end}`)
    for (const end of ["", ".cap('x')", ".iterate()", ".count()"])
      expect(failing(end), end).toThrow("mean() needs numbers")
  })
})
