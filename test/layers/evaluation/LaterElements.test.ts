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
  ["e.with { [it.inVertex(), it].label.join() }", "softwarecreated"],
  ["v.vertices(OUT, 'created').next().value('name')", "lop"],
  ["v.edges(OUT, 'created').next().inVertex().value('lang')", "java"]
]

/** Traversals whose closures read elements that nothing has fetched before, with their results. */
const steps: ReadonlyArray<readonly [traversal: string, results: ReadonlyArray<unknown>]> = [
  ["g.V().order().by{it.value('name')}.id()", [4, 3, 1, 6, 5, 2]],
  ["g.E().order().by{it.inVertex().value('name')}.id()", [8, 9, 11, 12, 10, 7]],
  ["g.V(1).out().order().by{it.vertices(IN, 'created').size()}.by{it.value('name')}.id()", [4, 2, 3]],
  ["g.V(1).flatMap{it.get().vertices(OUT, 'created')}.map{it.get().value('name')}", ["lop"]],
  [
    "g.V(1, 4).flatMap{it.get().vertices(OUT)}.flatMap{[it.get().value('name')]}.order()",
    ["josh", "lop", "lop", "ripple", "vadas"]
  ],
  [
    "g.V(1).local(out('created').flatMap{it.get().vertices(IN)}).map{it.get().value('name')}.order()",
    ["josh", "marko", "peter"]
  ],
  ["g.withSack(1){it + g.V(1).out().count().next()}.V(1).out('created').sack()", [4]],
  [
    "g.withSack(0){it == 0 || it instanceof String ? it : it.value('name')}.V(1).sack(assign).constant(1).sack()",
    ["marko"]
  ],
  [
    "g.withSack(1){it + 1}.V(1).repeat(out()).emit().until(hasLabel('software')).local(union(sack(), __.in().count())).order()",
    [1, 1, 1, 3, 3, 4, 5, 5, 5, 5]
  ],
  ["g.V(1).where(out().filter{it.get().value('name') == 'lop'}).id()", [1]],
  ["g.V(1).repeat(out()).until{it.get().value('name') == 'ripple'}.id()", [5]],
  ["g.V(1).union(out('created').map{it.get().value('lang')}, map{it.get().value('age')})", ["java", 29]],
  ["g.V(1).choose{it.value('age')}.option(29, constant('marko')).option(none, constant('other'))", ["marko"]],
  [
    "g.V().group().by{it.label()}.by(map{it.get().value('name')}.order().fold()).unfold().select(values).count(local).order()",
    [2, 4]
  ],
  [
    "g.V(1).project('a').by(out().order().by{it.value('name')}.map{it.get().value('name')}.fold()).select('a').unfold()",
    ["josh", "lop", "vadas"]
  ],
  ["g.V(1).out().fold().map{it.get().collect{it.value('name')}.sort().join()}", ["joshlopvadas"]],
  ["g.V(1).out().fold().order(local).by{it.value('name')}.unfold().id()", [4, 3, 2]],
  ["g.V(1).sideEffect{ it.get().edges(OUT).each{ e -> e.inVertex().value('name') } }.id()", [1]],
  ["g.V(1, 2).fold(''){a, b -> a + b.value('name')}", ["markovadas"]],
  ["g.V(1).coalesce(flatMap{it.get().vertices(OUT, 'created')}, identity()).id()", [3]],
  ["g.V(1).sack{a, b -> b.value('name')}.sack()", ["marko"]]
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

  it("is fetched when a closure of any other step or of a child traversal reads it", async () => {
    const asked = await started()
    for (const [traversal, result] of steps) expect.soft(await asked(traversal), traversal).toEqual(result)
  })
})
