import { describe, expect, it } from "vitest"
import { post } from "../support/HttpClient.ts"
import { graphOf } from "../support/LmdbGraphs.ts"
import { startServer } from "../support/TestServers.ts"

const started = async (lines: ReadonlyArray<string> = ["storage.backend=inmemory"]) => {
  const { authority } = await startServer({ graphs: new Map([["graph", graphOf(lines)]]) })
  return async (gremlin: string): Promise<unknown> => {
    const { json } = await post(authority, gremlin)
    return json.result?.data ?? json.message
  }
}

/** The states of an element, as letters. */
const states =
  "def of = { e -> [N: e.isNew(), L: e.isLoaded(), M: e.isModified(), R: e.isRemoved()].findAll { it.value }.keySet().join() }; "
const added =
  "v = graph.addVertex('x'); w = graph.addVertex('x'); e = v.addEdge('k', w, 'p', 1); v.property('s', 'a'); "

// The expected states are those of JanusGraph 1.1.
describe("An element of a script says what the transaction has done with it:", () => {
  it.each([
    ["a vertex", `${added} a = of(v); graph.tx().commit(); a + of(v) + of(w)`, "NLL"],
    ["a vertex with a changed value", `${added} graph.tx().commit(); v.property('s', 'b'); of(v) + of(w)`, "ML"],
    [
      "a vertex with a new edge",
      `${added} graph.tx().commit(); w.addEdge('k', graph.addVertex('x')); of(v) + of(w)`,
      "LM"
    ],
    ["a vertex with a changed edge", `${added} graph.tx().commit(); e.property('p', 2); of(v)`, "M"],
    ["a vertex that has lost an edge", `${added} graph.tx().commit(); e.remove(); of(v)`, "M"],
    ["a removed vertex", `${added} graph.tx().commit(); v.remove(); of(v)`, "R"],
    ["a new vertex that is removed", `${added} v.remove(); of(v)`, "R"],
    ["an edge", `${added} a = of(e); graph.tx().commit(); a + of(e)`, "NL"],
    ["a changed edge", `${added} graph.tx().commit(); e.property('p', 2); of(e)`, "N"],
    ["a removed edge", `${added} graph.tx().commit(); e.remove(); of(e)`, "R"],
    ["a property", `${added} a = of(v.property('s')); graph.tx().commit(); a + of(v.property('s'))`, "NL"],
    ["a changed property", `${added} graph.tx().commit(); v.property('s', 'b'); of(v.property('s'))`, "N"],
    ["a removed property", `${added} graph.tx().commit(); p = v.property('s'); p.remove(); of(p)`, "R"]
  ])("%s", async (_, script, result) => {
    const asked = await started()
    expect(await asked(`${states}${script}`)).toEqual([result])
  })

  it("not in a TinkerGraph", async () => {
    const { authority } = await startServer()
    const { json } = await post(authority, "graph.addVertex('x').isNew()")
    expect(json.message).toContain("isNew() needs an element of a graph with a schema")
  })
})

it("tx().readWrite() begins a transaction", async () => {
  const asked = await started()
  expect(await asked("a = graph.tx().isOpen(); graph.tx().readWrite(); [a, graph.tx().isOpen()]")).toEqual([
    false,
    true
  ])
  expect(await asked("t = graph.newTransaction(); t.tx().readWrite(); t.tx().isOpen()")).toEqual([true])
})

it("A type and an index have their new name as soon as changeName() gives it", async () => {
  const asked = await started()
  await asked(
    "m = graph.openManagement(); k = m.makePropertyKey('s').dataType(String.class).make(); m.makeVertexLabel('x').make(); " +
      "m.buildIndex('i', Vertex.class).addKey(k).buildCompositeIndex(); m.commit()"
  )
  const renamed =
    "m = graph.openManagement(); k = m.getPropertyKey('s'); l = m.getVertexLabel('x'); i = m.getGraphIndex('i'); " +
    "m.changeName(k, 's2'); m.changeName(l, 'x2'); m.changeName(i, 'i2'); "
  expect(await asked(`${renamed} n = [k.name(), l.name(), i.name(), k.toString()]; m.rollback(); n`)).toEqual([
    ...["s2", "x2", "i2", "s2"]
  ])
  expect(await asked(`${renamed} m.changeName(k, 's3'); m.commit(); k.name()`)).toEqual(["s3"])
})
