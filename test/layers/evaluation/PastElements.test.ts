// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are those of Groovy.
import { randomUUID } from "node:crypto"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { GraphRegistry } from "../../../src/services/GraphRegistry.ts"
import { MemoryGraph } from "../../../src/storage/memory/MemoryGraph.ts"
import { tinkerGraph, tinkerTransactionGraph } from "../../../src/storage/memory/Options.ts"
import type { GraphStore } from "../../../src/structure/graph/GraphStore.ts"
import { cellGraph } from "../../storage/janusgraph/Graphs.ts"
import { MemoryCellStore } from "../../storage/janusgraph/MemoryCellStore.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { post } from "../support/HttpClient.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { SocketClient } from "../support/SocketClient.ts"
import { startInside } from "../support/TestServers.ts"

const stores: ReadonlyArray<readonly [what: string, open: () => Promise<GraphStore>]> = [
  ["a graph with a schema", async () => cellGraph(new MemoryCellStore())],
  ["a graph with a schema that answers later", async () => cellGraph(new MemoryCellStore({ answersLater: true }))],
  ["TinkerTransactionGraph", async () => new MemoryGraph(tinkerTransactionGraph("graph"))],
  ["a graph that answers later", async () => new LaterGraph(new MemoryGraph(tinkerTransactionGraph("graph")))]
]

sourcesOnly("the store of the test is in the process of the server")

/** A server whose `g` is the graph. `alone` runs a script without a session, `inSession` in one session. */
const serving = async (store: GraphStore) => {
  const source = { name: "g", store, settings: { instructions: [] } }
  const registry = Layer.succeed(GraphRegistry, {
    graphs: new Map([["graph", store]]),
    sources: new Map([["g", source]]),
    plain: () => source
  })
  const { authority } = await startInside({}, { graphs: registry })
  const client = await SocketClient.connect(authority)
  const session = randomUUID()
  return {
    alone: async (script: string): Promise<unknown> => {
      const { json } = await post(authority, script)
      return json.result?.data ?? json.message
    },
    inSession: async (gremlin: string): Promise<unknown> => {
      const { result, status } = await client.eval(gremlin, { session })
      return status.code < 300 ? result.data : status.message
    }
  }
}

const added = "v = g.addV('x').property('s', 'a').next(); w = g.addV('y').next(); e = v.addEdge('k', w, 'p', 1)"

/** Reads after a commit, with their results. */
const reads: ReadonlyArray<readonly [script: string, results: ReadonlyArray<unknown>]> = [
  ["v.value('s')", ["a"]],
  ["v.label() + v.label", ["xx"]],
  ["v.keys().join()", ["s"]],
  ["[v, w].label", ["x", "y"]],
  ["[[v], [w]].label.flatten() + [v, null].toSet().label", ["x", "y", "x"]],
  ["v.values('s').next()", ["a"]],
  ["v.property('s').value()", ["a"]],
  ["v.properties('s').next().element().value('s')", ["a"]],
  ["[v].collect { it.value('s') }", ["a"]],
  ["e.value('p')", [1]],
  ["e.inVertex().label()", ["y"]],
  ["e.outVertex() == v && w.id() == e.inVertex().id()", [true]],
  ["g.V(v).values('s')", ["a"]],
  ["g.inject(v).values('s')", ["a"]],
  ["g.V(w).map { v.value('s') }", ["a"]],
  ["def look = { -> v.value('s') }; g.tx().commit(); look()", ["a"]],
  ["v.property('s', 'b'); v.value('s')", ["b"]],
  ["v.property('s', 'b'); g.tx().commit(); v.value('s')", ["b"]],
  ["v.property('s', 'b'); g.tx().rollback(); v.value('s')", ["a"]],
  ["g.V(v).property('s', 'b').iterate(); v.value('s')", ["b"]],
  ["def p = v.property('s'); g.tx().commit(); p.value() + p.key()", ["as"]]
]

describe.each(stores)("An element of %s that a script keeps after a commit", (_, open) => {
  it("shows the data of the current transaction", async () => {
    const { alone } = await serving(await open())
    for (const [read, results] of reads) {
      const script = `${added}; g.tx().commit(); ${read}`
      expect.soft(await alone(script), script).toEqual(results)
    }
  })

  it("is a result with these data, also inside of collections", async () => {
    const { alone } = await serving(await open())
    const data = JSON.stringify(await alone(`${added}; g.tx().commit(); v.property('s', 'new'); v`))
    expect(data).toContain("new")
    for (const shape of [
      "[[v]]",
      "[a: v]",
      "[v] as Set",
      "g.V(v).path().next()",
      "[[a: [v]]]",
      "g.V(w).in().tree().next()"
    ]) {
      const script = `${added}; l = ${shape}; g.tx().commit(); v.property('s', 'new'); l`
      expect.soft(JSON.stringify(await alone(script)), script).toContain("new")
    }
  })

  it("shows them in later requests of a session", async () => {
    const { inSession } = await serving(await open())
    await inSession(`${added}; def local = v; g.tx().commit(); l = [v, [v]]; local.value('s')`)
    expect(await inSession("v.property('s', 'b'); v.value('s')")).toEqual(["b"])
    expect(await inSession("v.value('s') + l[1][0].value('s')")).toEqual(["bb"])
    expect(JSON.stringify(await inSession("l"))).toContain('"b"')
    expect(await inSession("g.tx().rollback(); v.value('s')")).toEqual(["a"])
    expect(await inSession("e.property('p', 2); g.tx().commit(); e.value('p')")).toEqual([2])
    expect(await inSession("e.value('p')")).toEqual([2])
  })

  it("is not readable when it was removed, except for its id", async () => {
    const { alone, inSession } = await serving(await open())
    const gone = "it was removed"
    expect(await alone(`${added}; g.tx().commit(); v.remove(); v.value('s')`)).toContain(gone)
    expect(await alone(`${added}; g.tx().rollback(); v.value('s')`)).toContain(gone)
    expect(await alone(`${added}; g.tx().commit(); w.remove(); g.tx().commit(); w`)).toContain(gone)
    await inSession(`${added}; g.tx().commit(); id = w.id(); w.remove(); g.tx().commit()`)
    expect(await inSession("w.keys()")).toContain(gone)
    expect(await inSession("w")).toContain(gone)
    expect(await inSession("w.id() == id && v.value('s') == 'a'")).toEqual([true])
  })
})

it("An element of a TinkerGraph in a session shows what later requests change", async () => {
  const { inSession } = await serving(new MemoryGraph(tinkerGraph("graph")))
  await inSession(added)
  await inSession("v.property('s', 'b'); e.property('p', 2)")
  expect(await inSession("v.value('s') + e.value('p')")).toEqual(["b2"])
  expect(await inSession('"$v $e".toString()')).toEqual(["v[0] e[3][0-k->2]"])
})

it("An element of a transaction in memory is not confused with a later one in its place", async () => {
  const { alone } = await serving(new MemoryGraph(tinkerTransactionGraph("graph")))
  await alone("10.times { g.addV('old').property('s', 'old').iterate() }")
  const script =
    "v = g.V().next(); g.tx().commit(); g.V().drop().iterate(); g.tx().commit(); " +
    "20.times { g.addV('new').property('s', 'new').iterate(); g.tx().commit() }; v.value('s')"
  expect(await alone(script)).toContain("removed")
})
