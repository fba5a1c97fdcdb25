import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { GraphRegistry } from "../../../src/services/GraphRegistry.ts"
import { toyGraph } from "../../../src/storage/memory/ToyGraphs.ts"
import { LaterGraph } from "../../storage/LaterGraph.ts"
import { post } from "../support/HttpClient.ts"
import { sourcesOnly } from "../support/Packed.ts"
import { startInside } from "../support/TestServers.ts"

/** A server whose `g` is the modern graph, in a store that answers every read later. */
const started = async () => {
  const graph = new LaterGraph(toyGraph("modern"))
  const source = { name: "g", store: graph, settings: { instructions: [] } }
  const registry = Layer.succeed(GraphRegistry, {
    graphs: new Map([["graph", graph]]),
    sources: new Map([["g", source]]),
    plain: () => source
  })
  const { authority } = await startInside({}, { graphs: registry })
  return async (script: string) => {
    const { json, text } = await post(authority, script)
    return json?.result?.data ?? text
  }
}

/** Expressions over an edge `e` from marko to lop and over marko, `v`, with their results. */
const reads: ReadonlyArray<readonly [expression: string, result: unknown]> = [
  ["e.inVertex().value('name')", "lop"],
  ["e.outVertex().value('age')", 29],
  ["e.vertices(IN).next().label()", "software"],
  ["e.inVertex().keys().sort().join()", "langname"],
  ["e.inVertex().values('name').next()", "lop"],
  ["e.inVertex().property('lang').value()", "java"],
  ["e.inVertex().properties().toList().size()", 2],
  ["e.value('weight')", 0.4],
  ["e.inVertex().id()", 3],
  ["v.vertices(OUT, 'created').next().value('name')", "lop"],
  ["v.edges(OUT, 'created').next().inVertex().value('lang')", "java"]
]

describe("An element of a store that answers later", () => {
  sourcesOnly("the store of the test is in the process of the server")

  it("is fetched when a script reads it", async () => {
    const asked = await started()
    for (const [expression, result] of reads) {
      const script = `def e = g.E(9).next(); def v = g.V(1).next(); ${expression}`
      expect(await asked(script), script).toEqual([result])
    }
  })

  it("is fetched when a closure of a step reads it", async () => {
    const asked = await started()
    for (const [expression, result] of reads) {
      const script = expression.startsWith("e")
        ? `g.E(9).map{ def e = it.get(); ${expression} }`
        : `g.V(1).map{ def v = it.get(); ${expression} }`
      expect(await asked(script), script).toEqual([result])
    }
    expect(await asked("g.E().filter{it.get().inVertex().value('name') == 'lop'}.count()")).toEqual([3])
    expect(
      await asked("g.E().order().by{a, b -> a.inVertex().value('name') <=> b.inVertex().value('name')}.id()")
    ).toEqual([8, 9, 11, 12, 10, 7])
  })
})
