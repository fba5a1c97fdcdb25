import { describe, expect, it } from "vitest"
import { lost, unlike } from "./Baseline.ts"
import { CannotTravel, type Connection } from "./Connection.ts"
import { datasetElements } from "./Elements.ts"
import { parseFeature } from "./Feature.ts"
import { type Outcome, runScenario, type World } from "./Runner.ts"
import { skipReason } from "./Skips.ts"
import * as V from "./Value.ts"
import { GremlinError } from "./wire/Answer.ts"

/** Two vertices and an edge in the format of the datasets. */
const dataset = [
  `{"id":{"@type":"g:Int32","@value":1},"label":"person","outE":{"knows":[{"id":{"@type":"g:Int32","@value":7},` +
    `"inV":{"@type":"g:Int32","@value":2},"properties":{"weight":{"@type":"g:Double","@value":0.5}}}]},` +
    `"properties":{"name":[{"id":{"@type":"g:Int64","@value":0},"value":"marko"}]}}`,
  `{"id":{"@type":"g:Int32","@value":2},"label":"person","properties":{"name":[{"id":{"@type":"g:Int64","@value":2},"value":"vadas"}]}}`
].join("\n")

const elements = datasetElements(dataset)
const world: World = { source: (graph) => `g${graph}`, elements: () => elements }

const marko = await elements.vertex("marko")
const vadas = await elements.vertex("vadas")
const knows = await elements.edge({ out: "marko", label: "knows", in: "vadas" })

type Answer = ReadonlyArray<V.Value> | Error

const answering = (answer: Answer, counted = 0): Connection => {
  const give = async (gremlin: string) => {
    if (gremlin.endsWith(".count()")) return [V.long(counted)]
    if (answer instanceof Error) throw answer
    return answer
  }
  return { run: give, ask: async () => [], close: () => undefined }
}

const scenario = (then: string, { iterated = "to list", given = "the modern graph" } = {}) =>
  parseFeature(
    "map/Test",
    `Feature: test
  Scenario: test
    Given ${given}
    And the traversal of
      """
      g.V()
      """
    When iterated ${iterated}
    Then ${then}`
  )[0]!

const outcome = (then: string, answer: Answer, options?: Parameters<typeof scenario>[1], counted?: number) =>
  runScenario(scenario(then, options), answering(answer, counted), world)

const table = (kind: string, header: string, ...rows: ReadonlyArray<string>): string =>
  [`the result should be ${kind}`, ...[header, ...rows].map((row) => `      | ${row} |`)].join("\n")
const unordered = (...rows: ReadonlyArray<string>) => table("unordered", "result", ...rows)
const ordered = (...rows: ReadonlyArray<string>) => table("ordered", "result", ...rows)
const next = { iterated: "next" }

const passes = async (it: Promise<Outcome>) => expect(await it).toEqual({ status: "passed" })
const fails = async (it: Promise<Outcome>) => expect((await it).status).toBe("failed")

describe("A scenario passes with a true expectation and fails with a false one", () => {
  it("for results in any order", async () => {
    await passes(outcome(unordered("d[1].i", "d[2].i"), [V.int(2), V.int(1)]))
    await fails(outcome(unordered("d[1].i", "d[2].i"), [V.int(1), V.int(3)]))
    await fails(outcome(unordered("d[1].i", "d[2].i"), [V.int(1)]))
    await fails(outcome(unordered("d[1].i"), [V.int(1), V.int(1)]))
    await fails(outcome(unordered("d[1].i", "d[1].i", "d[2].i"), [V.int(1), V.int(2), V.int(2)]))
  })

  it("for results in order", async () => {
    await passes(outcome(ordered("a", "b"), [V.string("a"), V.string("b")]))
    await fails(outcome(ordered("a", "b"), [V.string("b"), V.string("a")]))
    await fails(outcome(ordered("a"), [V.string("a"), V.string("b")]))
  })

  it("for results that belong to a set of values", async () => {
    await passes(outcome(table("of", "result", "d[1].i", "d[2].i"), [V.int(2), V.int(2)]))
    await fails(outcome(table("of", "result", "d[1].i", "d[2].i"), [V.int(2), V.int(3)]))
  })

  it("for no results", async () => {
    await passes(outcome("the result should be empty", []))
    await fails(outcome("the result should be empty", [V.nullValue]))
  })

  it("for the number of results", async () => {
    await passes(outcome("the result should have a count of 2", [V.int(1), V.int(1)]))
    await fails(outcome("the result should have a count of 2", [V.int(1)]))
    await passes(outcome("the result should have a count of 1", [V.map([[V.int(1), V.int(2)]])], next))
    await fails(outcome("the result should have a count of 1", [V.int(1)], next))
  })

  it("for the number of elements in the graph afterwards", async () => {
    const then = `the graph should return 3 for count of "g.V(\\"a\\")"`
    await passes(outcome(then, [], {}, 3))
    await fails(outcome(then, [], {}, 2))
  })

  it("for any error", async () => {
    await passes(outcome("the traversal will raise an error", new GremlinError(500, "no")))
    await fails(outcome("the traversal will raise an error", [V.int(1)]))
    await fails(outcome("the result should be empty", new GremlinError(500, "no")))
  })

  it("for an error with a message", async () => {
    const then = (how: string, text: string) =>
      `the traversal will raise an error with message ${how} text of "${text}"`
    const thrown = new GremlinError(500, "The step is not Allowed here")
    await passes(outcome(then("containing", "NOT allowed"), thrown))
    await passes(outcome(then("starting", "the step"), thrown))
    await passes(outcome(then("ending", "here"), thrown))
    await fails(outcome(then("containing", "not known"), thrown))
    await fails(outcome(then("starting", "step"), thrown))
    await fails(outcome(then("ending", "the"), thrown))
    await fails(outcome(then("like", "the"), thrown))
  })

  it("for an error, which a broken connection is not", async () => {
    await fails(outcome("the traversal will raise an error", new Error("no answer in 60 s")))
  })

  it("for a tree", async () => {
    const then =
      'the result should be a tree with a structure of\n      """\n      |--a\n         |--v[marko]\n      |--b\n      """'
    const tree = (...branches: ReadonlyArray<readonly [V.Value, V.TreeValue]>): V.TreeValue => ({
      kind: "tree",
      branches
    })
    const [a, b] = [V.string("a"), V.string("b")]
    await passes(outcome(then, [tree([b, tree()], [a, tree([marko, tree()])])], next))
    await fails(outcome(then, [tree([a, tree([vadas, tree()])], [b, tree()])], next))
    await fails(outcome(then, [tree([a, tree()], [b, tree([marko, tree()])])], next))
    await fails(outcome(then, [tree([a, tree([marko, tree([b, tree()])])], [b, tree()])], next))
    await fails(outcome(then, [V.map([[a, V.map([[marko, V.map([])]])]])], next))
  })

  it("for a subgraph", async () => {
    const graph = (vertices: ReadonlyArray<V.VertexValue>, edges: ReadonlyArray<V.EdgeValue>): V.Value => ({
      kind: "graph",
      vertices,
      edges
    })
    const edges = table("a subgraph with the following", "edges", "e[marko-knows->vadas]")
    const vertices = table("a subgraph with the following", "vertices", "v[marko]", "v[vadas]")
    await passes(outcome(edges, [graph([marko, vadas], [knows])], next))
    await passes(outcome(vertices, [graph([vadas, marko], [knows])], next))
    await fails(outcome(edges, [graph([marko, vadas], [])], next))
    await fails(outcome(edges, [graph([], [{ ...knows, properties: [{ key: "weight", value: V.double(1) }] }])], next))
    await fails(outcome(edges, [graph([], [{ ...knows, in: knows.out }])], next))
    await fails(outcome(vertices, [graph([marko], [])], next))
    await fails(outcome(vertices, [graph([marko, { ...vadas, properties: [] }], [])], next))
  })
})

describe("A comparison depends on the types", () => {
  const row = (text: string, value: V.Value) => outcome(unordered(text), [value])

  it("of numbers", async () => {
    await passes(row("d[1].l", V.long(1)))
    await fails(row("d[1].l", V.int(1)))
    await fails(row("d[1].i", V.double(1)))
    await fails(row("d[1].b", { kind: "short", value: 1n }))
    await fails(row("d[1].d", { kind: "float", value: 1 }))
    await fails(row("d[1].n", V.long(1)))
    await fails(row("d[1.0].m", { kind: "bigDecimal", unscaled: 1n, scale: 0 }))
    await fails(row("1", V.int(1)))
    await passes(row("d[NaN]", V.double(Number.NaN)))
    await fails(row("d[NaN]", V.double(0)))
    await fails(row("d[Infinity]", V.double(Number.NEGATIVE_INFINITY)))
  })

  it("of doubles, which may differ in the last digit only if they are the whole result", async () => {
    await passes(row("d[0.3].d", V.double(0.1 + 0.2)))
    await fails(row("d[0.3].d", V.double(0.3001)))
    await fails(row("l[d[0.3].d]", V.list([V.double(0.1 + 0.2)])))
  })

  it("of collections", async () => {
    await passes(row("l[a,b]", V.list([V.string("a"), V.string("b")])))
    await fails(row("l[a,b]", V.set([V.string("a"), V.string("b")])))
    await fails(row("l[a,b]", V.list([V.string("b"), V.string("a")])))
    await fails(row("l[a]", { kind: "bulkSet", items: [V.string("a")] }))
    await passes(row("s[a,b]", V.set([V.string("b"), V.string("a")])))
    await fails(row("s[a,b]", V.list([V.string("a"), V.string("b")])))
    await fails(row("s[a,b]", V.set([V.string("a")])))
    await fails(row("l[]", V.nullValue))
  })

  it("of maps, their keys and their values", async () => {
    await passes(
      row(
        'm[{"a":"d[1].l","t[id]":2}]',
        V.map([
          [V.enumValue("T", "id"), V.int(2)],
          [V.string("a"), V.long(1)]
        ])
      )
    )
    await fails(row('m[{"a":"d[1].l"}]', V.map([[V.string("a"), V.int(1)]])))
    await fails(row('m[{"a":1}]', V.map([[V.string("b"), V.int(1)]])))
    await fails(
      row(
        'm[{"a":1}]',
        V.map([
          [V.string("a"), V.int(1)],
          [V.string("b"), V.int(1)]
        ])
      )
    )
    await fails(row('m[{"t[id]":1}]', V.map([[V.string("id"), V.int(1)]])))
    await fails(row('m[{"null":1}]', V.map([[V.string("null"), V.int(1)]])))
  })

  it("of elements", async () => {
    await passes(row("v[marko]", marko))
    await fails(row("v[marko]", vadas))
    await fails(row("v[marko]", { ...marko, id: V.long(1) }))
    await fails(row("v[marko]", { ...marko, label: "software" }))
    await passes(row("v[marko].id", V.int(1)))
    await fails(row("v[marko].id", V.long(1)))
    await passes(row("v[marko].sid", V.string("1")))
    await fails(row("v[marko].sid", V.int(1)))
    await passes(row("e[marko-knows->vadas]", knows))
    await fails(row("e[marko-knows->vadas]", { ...knows, out: knows.in }))
    await fails(row("e[marko-knows->vadas]", { ...knows, id: V.int(8) }))
    await fails(row("e[marko-knows->josh]", knows))
    const name = marko.properties![0]!
    await passes(row("vp[marko-name->marko]", name))
    await fails(row("vp[marko-name->marko]", { ...name, id: V.int(0) }))
    await fails(row("vp[marko-name->marko]", { kind: "property", key: "name", value: V.string("marko") }))
  })

  it("of paths, dates, UUIDs, enum values, null and booleans", async () => {
    await passes(
      row("p[v[marko],d[1].i]", {
        kind: "path",
        labels: [V.set([V.string("a")]), V.set([])],
        objects: [marko, V.int(1)]
      })
    )
    await fails(row("p[v[marko]]", V.list([marko])))
    await fails(row("p[v[marko],v[vadas]]", { kind: "path", labels: [], objects: [vadas, marko] }))
    await passes(row("dt[2023-08-08T00:00:00Z]", V.parseDateTime("2023-08-08T00:00Z")!))
    await fails(row("dt[2023-08-08T00:00:00Z]", V.parseDateTime("2023-08-08T01:00:00+01:00")!))
    await fails(row("dt[2023-08-08T00:00:00Z]", V.string("2023-08-08T00:00:00Z")))
    await fails(row("uuid[f47af10b-58cc-4372-a567-0f02b2f3d479]", V.string("f47af10b-58cc-4372-a567-0f02b2f3d479")))
    await fails(row("t[id]", V.string("id")))
    await fails(row("D[OUT]", V.enumValue("Direction", "IN")))
    await fails(row("null", V.string("null")))
    await fails(row("true", V.string("true")))
    await fails(row("true", V.boolean(false)))
    await fails(row("a", { kind: "char", value: "a" }))
    await fails(row("a", { kind: "other", type: "untyped", text: "a" }))
  })
})

describe("The runner", () => {
  it("splits a map from next() into its entries, and a list into its members", async () => {
    const entries: V.Value = V.map([
      [V.string("a"), V.int(1)],
      [V.string("b"), V.int(2)]
    ])
    await passes(outcome(unordered('m[{"b":2}]', 'm[{"a":1}]'), [entries], next))
    await fails(outcome(unordered('m[{"a":1,"b":2}]'), [entries], next))
    await passes(outcome(ordered("d[1].i", "d[2].i"), [V.list([V.int(1), V.int(2)])], next))
    await fails(outcome(ordered("d[1].i", "d[2].i"), [V.list([V.int(1), V.int(2)])]))
  })

  it("fails a scenario with an unknown step", () => fails(outcome("the result should be nice", [])))

  it("fails a scenario whose initializer fails", async () => {
    const given = 'the modern graph\n    And the graph initializer of\n      """\n      g.addV()\n      """'
    await fails(outcome("the traversal will raise an error", new GremlinError(500, "no"), { given }))
  })

  it("passes the values of parameters, and inserts side effects after g", async () => {
    const seen: Array<readonly [string, ReadonlyMap<string, V.Value>]> = []
    const connection: Connection = {
      ...answering([]),
      run: async (gremlin, _, parameters) => {
        seen.push([gremlin, parameters])
        return []
      }
    }
    const given =
      'the modern graph\n    And using the parameter xx1 defined as "m[{\\"a\\":\\"v[marko].id\\"}]"' +
      '\n    And using the side effect s defined as "l[a]"\n    And using the parameter unused defined as "1"'
    const it = scenario("the result should be empty", { given })
    const steps = it.steps.map((step) => (step.docString === undefined ? step : { ...step, docString: "g.V(xx1)" }))
    await passes(runScenario({ ...it, steps }, connection, world))
    expect(seen).toEqual([
      ['g.withSideEffect("s", ["a"]).V(xx1)', new Map([["xx1", V.map([[V.string("a"), V.int(1)]])]])]
    ])
  })

  it("skips scenarios only by a rule", async () => {
    const tagged = (tag: string) => ({ ...scenario("the result should be empty"), tags: [tag] })
    const script = { allowNull: false, backend: "memory" } as const
    expect(skipReason(scenario("the result should be empty"), script)).toBeUndefined()
    expect(skipReason(scenario("x", { given: "an unsupported test" }), script)).toContain("Gherkin cannot express")
    expect(skipReason(tagged("@AllowNullPropertyValues"), script)).toContain("--allow-null")
    expect(skipReason(tagged("@AllowNullPropertyValues"), { ...script, allowNull: true })).toBeUndefined()
    expect(skipReason(tagged("@DisallowNullPropertyValues"), { ...script, allowNull: true })).toContain("--allow-null")
    expect((await outcome("the result should be empty", new CannotTravel("no way"))).status).toBe("skipped")
  })
})

describe("The baseline", () => {
  const outcomes = new Map<string, Outcome>([
    ["a", { status: "passed" }],
    ["b", { status: "failed", reason: "" }],
    ["c", { status: "skipped", reason: "" }]
  ])

  it("finds scenarios that passed and now fail or are skipped", () => {
    expect(lost({ passed: 3, failed: [], skipped: [] }, outcomes)).toEqual(["b", "c"])
    expect(lost({ passed: 1, failed: ["b"], skipped: ["c"] }, outcomes)).toEqual([])
  })

  it("reports every failure of an unknown run as lost", () => {
    expect(lost(undefined, outcomes)).toEqual(["b"])
  })

  it("compares the scenarios of a complete run with those of the baseline", () => {
    expect(unlike({ passed: 2, failed: [], skipped: ["c"] }, outcomes)).toEqual([])
    expect(unlike({ passed: 1, failed: ["b"], skipped: ["c"] }, outcomes)).toEqual([])
    expect(unlike({ passed: 3, failed: [], skipped: ["c"] }, outcomes)).toEqual([
      "3 scenarios have run, and the baseline has 4"
    ])
    expect(unlike({ passed: 1, failed: [], skipped: ["c", "d"] }, outcomes)).toEqual(["d has not run"])
    expect(unlike(undefined, outcomes)).toEqual(["the baseline has no such run; --update-baseline records it"])
  })
})
